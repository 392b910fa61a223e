#include "tools/record_findings.h"

#include <memory>

#include "execution/find_worker.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "targets/c/second_reference.h"
#include "triage/triager.h"

namespace irate {
namespace {

using Outcome = TriageResult::Outcome;

std::string_view OutcomeText(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNew:
    case Outcome::kSeen:
      return "recorded";
    case Outcome::kNotReproduced:
      return "not recorded: does not show in a fresh worker";
    case Outcome::kRefereeDisagrees:
      return "not recorded: the second reference disagrees with the interpreter";
    case Outcome::kKnown:
    case Outcome::kStopped:
      break;
  }
  return "not recorded";
}

}  // namespace

absl::Status RecordFindings(const Case& test_case, const std::vector<Finding>& findings,
                            const EnvironmentOptions& environment, const std::string& directory,
                            bool reduce) {
  if (findings.empty()) return absl::OkStatus();
  TargetOptions no_native;
  no_native.run_native = false;
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness, MakeHarness(environment));
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> passes_only,
                         MakeHarness(environment, no_native));
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(directory));
  TriageOptions options;
  if (!reduce) options.reduce.tests = 0;
  options.reproducer.python = FindPython(environment);
  options.reproducer.irate = SelfPath();
  options.referee = [](const Case& candidate) { return RunSecondReference(candidate); };
  Triager triager(harness.get(), passes_only.get(), &store, options);
  for (const Finding& finding : findings) {
    IRATE_ASSIGN_OR_RETURN(const TriageResult result, triager.Triage(test_case, finding));
    fmt::print(stderr, "{}: {} {}{}\n", result.finding.signature(), OutcomeText(result.outcome),
               result.path,
               result.path.empty() || result.reproducer_verified
                   ? ""
                   : " (the reproducer does not show it)");
  }
  return absl::OkStatus();
}

}  // namespace irate
