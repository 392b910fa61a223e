#include "triage/reduce_finding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "triage/finding_harness.h"
#include "triage/finding_probe.h"
#include "triage/triager.h"

namespace irate {
namespace {

constexpr int kFirstRuns = 3;
constexpr int kMoreRuns = 12;
constexpr int kMaxTrials = 20;

// The finding as the oracles tell of it in that Case, with its final name.
absl::StatusOr<Finding> Named(Harness& harness, const Finding& finding, const Case& test_case,
                              int trials) {
  for (int i = 0; i < trials; ++i) {
    IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.ExecuteFresh(test_case));
    const std::vector<Finding> findings = JudgeAll(test_case, observation);
    const Finding* same = FindSame(findings, finding);
    if (same == nullptr) continue;
    Finding named = *same;
    named.set_shape(FinalShape(named, test_case));
    named.set_signature(MakeSignature(named));
    return named;
  }
  return absl::NotFoundError("it does not show any more");
}

}  // namespace

int TrialsFor(int shown, int runs) {
  if (shown >= runs) return 1;
  const double rate = static_cast<double>(shown) / runs;
  if (rate <= 0) return kMaxTrials;
  return std::clamp(static_cast<int>(std::ceil(std::log(0.05) / std::log(1 - rate))), 2,
                    kMaxTrials);
}

absl::StatusOr<ReducedFinding> ReduceFinding(const Case& test_case, const std::string& signature,
                                             const ReduceFindingOptions& options) {
  ReducedFinding result;
  result.original = test_case;
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                         FindingProbe::MakeHarness(options.harness, signature));
  // A finding that does not show every time may hide from the first look.
  absl::StatusOr<Finding> found = FindSignature(*harness, test_case, signature);
  for (int i = 1; i < kFirstRuns && absl::IsNotFound(found.status()); ++i) {
    found = FindSignature(*harness, test_case, signature);
  }
  if (!found.ok()) return found.status();
  Finding finding = *std::move(found);
  KeepOnlyVariant(&result.original, &finding);

  IRATE_ASSIGN_OR_RETURN(
      std::unique_ptr<FindingProbe> probe,
      FindingProbe::Create(options.harness, result.original, finding, options.pass_map));
  const auto run = [&](int runs) -> absl::Status {
    for (; result.runs < runs; ++result.runs) {
      IRATE_ASSIGN_OR_RETURN(const bool shows, probe->Shows(result.original));
      result.shown += shows ? 1 : 0;
    }
    return absl::OkStatus();
  };
  IRATE_RETURN_IF_ERROR(run(kFirstRuns));
  if (result.shown < result.runs) IRATE_RETURN_IF_ERROR(run(kMoreRuns));
  if (result.shown == 0) {
    return absl::NotFoundError(
        fmt::format("{} showed once and not in {} further runs", finding.signature(), result.runs));
  }
  result.trials = TrialsFor(result.shown, result.runs);

  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<CaseTester> tester,
                         MakeProbeTester(options.harness, result.original, finding, options.jobs,
                                         result.trials, options.pass_map));
  IRATE_ASSIGN_OR_RETURN(FullReduceResult reduced,
                         FullReduce(result.original, tester.get(), options.reduce));
  result.progress = reduced.progress;
  result.finished = reduced.finished;
  result.before = MeasureForReport(result.original);
  for (size_t i = reduced.history.size(); i-- > 0; ++result.fallbacks) {
    absl::StatusOr<Finding> named = Named(*harness, finding, reduced.history[i], result.trials);
    if (named.ok()) {
      result.finding = *std::move(named);
      result.reduced = std::move(reduced.history[i]);
      result.after = MeasureForReport(result.reduced);
      return result;
    }
    if (!absl::IsNotFound(named.status())) return named.status();
  }
  return absl::NotFoundError(
      fmt::format("{} does not show in a fresh worker", finding.signature()));
}

}  // namespace irate
