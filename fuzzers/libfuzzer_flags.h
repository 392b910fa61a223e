// The command line of a libFuzzer binary: libFuzzer's flags, which begin with one dash, and ours,
// which begin with two and which libFuzzer leaves alone.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

struct LibFuzzerFlags {
  // Ours.
  std::string target = "tvm";
  std::string target_options;  // of every Case that is made; empty: the target's defaults
  std::string findings = "findings";
  std::string known;   // folder; empty: corpus/known
  std::string worker;  // empty: irate-worker beside the binary
  std::string python;  // empty: that of the build
  std::string family;
  std::set<std::string> disabled_features;
  double deadline = 10;  // seconds for one Case
  // Share of the Cases whose generated code runs instrumented as well, drawn by their bytes.
  double sanitize = 0.1;
  std::string asan_worker;  // empty: irate-worker-asan beside the binary
  bool avoid = true;        // the features of corpus/known/avoid.txt, in three Cases of four
  bool mutation = true;
  bool feedback = true;
  bool doctor = true;
  bool help = false;
  // Of libFuzzer, where we must know them.
  bool ignore_crashes = false;
  bool print_final_stats = false;
  bool is_merge = false;       // only collects coverage
  bool is_fork_child = false;  // started by a run with -fork
  bool has_fork = false;
  int error_exitcode = 77;

  // True where a new finding does not end the process.
  bool GoesOn() const { return ignore_crashes && !is_fork_child && !has_fork; }
};

// InvalidArgument names a flag with two dashes that is not known, or a value that does not fit.
absl::StatusOr<LibFuzzerFlags> ParseLibFuzzerFlags(const std::vector<std::string>& arguments);

// What libFuzzer is to be told where the user said nothing or something that means another thing
// here: a limit of the input's size that Cases fit in; a -timeout that is that of the compiler
// under test becomes --deadline, since a finding's triage takes longer than its Case.
std::vector<std::string> ForLibFuzzer(std::vector<std::string> arguments);

// Of our flags.
std::string LibFuzzerHelp();

}  // namespace irate
