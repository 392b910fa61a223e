// What has to be there for a finding to show: not only the pass where the difference appears first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct Blame {
  // The smallest sequence of passes that shows it: without any one of them the finding is gone. In
  // order, the culprit of a pass finding last.
  std::vector<std::string> passes;
  int passes_before = 0;  // of the sequence that was looked at
  // PassContext options and members of the target description without which it is gone.
  std::vector<std::string> options;
  // Changes of the target description that make it go, for findings in code generation:
  // "opt-level=0".
  std::vector<std::string> gone_with;
  // For findings in code generation: the LLVM pass, or who else it is (triage/llvm_blame.h).
  std::string llvm;
  bool operator==(const Blame&) const = default;
};

// `finding` is what JudgeAll said of `test_case`. NotFound if it does not show without changes.
absl::StatusOr<Blame> BlameFinding(const Case& test_case, const Finding& finding,
                                   const HarnessOptions& options, int jobs,
                                   const std::function<bool()>& stop);

}  // namespace irate
