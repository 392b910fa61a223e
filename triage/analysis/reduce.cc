#include "triage/analysis/reduce.h"

#include <utility>

#include "execution/timer.h"
#include "ir/status_macros.h"
#include "triage/analysis/edits.h"

namespace irate::analysis {
namespace {

constexpr size_t kBatch = 24;

}  // namespace

absl::StatusOr<Reduced> Reduce(const AnalysisQuestion& question, const Wrong& wrong,
                               const ReduceLimits& limits, Session* session) {
  Reduced reduced{.question = question, .wrong = wrong};
  const Timer timer;
  const auto is_over = [&] {
    constexpr double kMsPerSecond = 1000;
    return reduced.tests >= limits.tests || timer.Ms() > limits.seconds * kMsPerSecond ||
           (limits.stop && limits.stop());
  };
  // A worker that dies of every test must not be asked many at once.
  const bool is_deadly = wrong.kind == "hang" || wrong.kind == "slow";
  const size_t batch_size = is_deadly ? 1 : kBatch;
  bool progress = true;
  while (progress && !is_over()) {
    progress = false;
    std::vector<AnalysisQuestion> candidates = SmallerQuestions(reduced.question);
    for (size_t begin = 0; begin < candidates.size() && !progress && !is_over();
         begin += batch_size) {
      const size_t end = std::min(candidates.size(), begin + batch_size);
      const std::vector<AnalysisQuestion> batch(candidates.begin() + static_cast<int64_t>(begin),
                                                candidates.begin() + static_cast<int64_t>(end));
      IRATE_ASSIGN_OR_RETURN(const std::vector<Asked> asked, session->Ask(batch));
      reduced.tests += static_cast<int>(batch.size());
      for (size_t i = 0; i < batch.size() && !progress; ++i) {
        for (Wrong& candidate : Judge(batch[i], asked[i], nullptr)) {
          if (!candidate.IsSameAs(wrong)) continue;
          reduced.question = batch[i];
          reduced.wrong = std::move(candidate);
          progress = true;
          break;
        }
      }
    }
  }
  const AnalysisQuestion trimmed = WithoutUnusedVariables(reduced.question);
  IRATE_ASSIGN_OR_RETURN(const Asked asked, session->Ask(trimmed));
  for (Wrong& candidate : Judge(trimmed, asked, nullptr)) {
    if (!candidate.IsSameAs(wrong)) continue;
    reduced.question = trimmed;
    reduced.wrong = std::move(candidate);
    break;
  }
  return reduced;
}

}  // namespace irate::analysis
