#include "triage/thin_reducer.h"

#include <utility>

#include "ir/canonical.h"
#include "ir/verify.h"
#include "triage/edits.h"

namespace irate {
namespace {

class Reduction {
 public:
  Reduction(const Case& test_case, const KeepsFinding& keeps, const ReduceOptions& options)
      : keeps_(keeps),
        options_(options),
        deadline_(std::chrono::steady_clock::now() + options.time),
        weight_(Weight(test_case)) {
    result_.reduced = test_case;
  }

  absl::StatusOr<ReduceResult> Run() {
    bool progress = true;
    while (progress && !OutOfBudget()) {
      progress = false;
      for (const EditKind& kind : EditKinds()) {
        if (kind.full_only) continue;
        progress |= TryKind(kind);
        progress |= TryCompact();
      }
    }
    if (!status_.ok()) return status_;
    result_.finished = !progress;
    return std::move(result_);
  }

 private:
  bool OutOfBudget() {
    if (!status_.ok() || result_.tests >= options_.tests) return true;
    if (options_.stop && options_.stop()) return true;
    return std::chrono::steady_clock::now() >= deadline_;
  }

  // After a success the same position holds something new, so it is tried again.
  bool TryKind(const EditKind& kind) {
    bool progress = false;
    int position = 0;
    while (!OutOfBudget()) {
      bool applied = false;
      for (int variant = 0; variant < kind.variants && !applied; ++variant) {
        Case candidate = result_.reduced;
        const EditResult edit = kind.apply(&candidate, position, variant);
        if (edit == EditResult::kNoPosition) return progress;
        applied = edit == EditResult::kApplied && Accept(std::move(candidate));
      }
      progress |= applied;
      if (!applied) ++position;
    }
    return progress;
  }

  // Drops variables and buffers that nothing names any more.
  bool TryCompact() { return Accept(Canonicalize(result_.reduced)); }

  bool Accept(Case candidate) {
    const int64_t weight = Weight(candidate);
    if (weight >= weight_ || OutOfBudget() || !VerifyCase(candidate).ok()) return false;
    ++result_.tests;
    const absl::StatusOr<bool> kept = keeps_(candidate);
    if (!kept.ok()) status_ = kept.status();
    if (!kept.ok() || !*kept) return false;
    ++result_.accepted;
    weight_ = weight;
    result_.reduced = std::move(candidate);
    return true;
  }

  const KeepsFinding& keeps_;
  const ReduceOptions& options_;
  const std::chrono::steady_clock::time_point deadline_;
  int64_t weight_;
  ReduceResult result_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<ReduceResult> ThinReduce(const Case& test_case, const KeepsFinding& keeps,
                                        const ReduceOptions& options) {
  return Reduction(test_case, keeps, options).Run();
}

}  // namespace irate
