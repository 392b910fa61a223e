// Whether a Case shows a seeded fault: what the oracles say with the fault on, less what they say
// with it off, as far as a fresh worker shows it again.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "bench/faults/fault_harness.h"
#include "ir/irate.pb.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct FaultVerdict {
  bool triggered = false;  // as the workers say, which those that died could not
  bool detected = false;
  std::string oracle;
  std::string culprit;
  std::string summary;
};

class FaultJudge {
 public:
  FaultJudge(const rewrite::Rule& rule, FaultHarnesses* harnesses)
      : rule_(rule), harnesses_(*harnesses) {}

  // First the `last` passes only, then with all passes and natively, then, if `sanitize`,
  // instrumented; until one shows it. Null faults go the whole way at once. `pass`: where the fault
  // triggers in this Case. Of several findings the one that the rule asks for.
  absl::StatusOr<FaultVerdict> Judge(const Case& test_case, const PassSequence& passes, int last,
                                     const std::string& pass, bool sanitize);

 private:
  absl::StatusOr<FaultVerdict> Compare(const Case& with, Harness& harness, const std::string& pass);

  const rewrite::Rule& rule_;
  FaultHarnesses& harnesses_;
};

// What a Case names to switch the fault on.
std::string FaultSwitch(const rewrite::Rule& rule);
// Whether the verdict is what the rule asks for where the fault triggered after `pass`.
bool IsExpected(const rewrite::Rule& rule, const std::string& oracle, const std::string& culprit,
                const std::string& pass);
// The culprit that should be named: stated in the rule, or `pass`.
std::string ExpectedCulprit(const rewrite::Rule& rule, const std::string& culprit,
                            const std::string& pass);
// An oracle of the sanitized run should see it.
bool NeedsSanitizedRun(const rewrite::Rule& rule);

}  // namespace irate
