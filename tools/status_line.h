// One line on stderr that is redrawn on a terminal, else a line now and then.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace irate {

class StatusLine {
 public:
  StatusLine();
  // `text` is asked only when something is shown.
  void Show(const std::function<std::string()>& text);
  // Ends the line, so that what follows starts on one of its own.
  void Finish();

 private:
  bool is_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace irate
