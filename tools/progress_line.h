// What is shown while fuzzing: one line that is redrawn on a terminal, else a line now and then.
#pragma once

#include <chrono>

#include "fuzzers/fuzz_summary.h"

namespace irate {

class ProgressLine {
 public:
  // On stderr.
  ProgressLine();
  void Show(const FuzzSummary& summary);
  // Ends the line, so that what follows starts on one of its own.
  void Finish();

 private:
  bool is_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

// "12.3 s  1,204 cases  98/s  3 dropped  2 findings (5 known)".
std::string ProgressText(const FuzzSummary& summary);

}  // namespace irate
