#include "triage/full_reducer.h"

#include <algorithm>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "ir/canonical.h"
#include "ir/status_macros.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "triage/delta_debugging.h"
#include "triage/edits.h"
#include "triage/levels.h"
#include "triage/reduction_memory.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

// Enough to fall back through; the oldest but the original are dropped.
constexpr size_t kMaxHistory = 64;
// Deeper nesting than a verified Case has.
constexpr int kMaxLevel = 200;
// Of a kind of edit that pairs are drawn from.
constexpr int kMaxPositions = 256;

// Pairs of edits that are drawn; about one in three is a candidate.
constexpr uint32_t kPairDraws = 600;

// An edit of a kind and at a position that are drawn. False if it does not apply.
bool TryDrawnEdit(Case* test_case, std::mt19937* random) {
  const std::span<const EditKind> kinds = EditKinds();
  const EditKind& kind = kinds[(*random)() % kinds.size()];
  const auto has = [&](int position) {
    Case copy = *test_case;
    return kind.apply(&copy, position, 0) != EditResult::kNoPosition;
  };
  // How many there are: positions have no gaps.
  int positions = 0;
  for (int step = kMaxPositions / 2; step > 0; step /= 2) {
    if (has(positions + step - 1)) positions += step;
  }
  if (positions == 0) return false;
  const int position = static_cast<int>((*random)() % static_cast<uint32_t>(positions));
  const int variant = static_cast<int>((*random)() % static_cast<uint32_t>(kind.variants));
  return kind.apply(test_case, position, variant) == EditResult::kApplied;
}

// Draws until one applies; most kinds have nothing to do with a small Case.
bool ApplyDrawnEdit(Case* test_case, std::mt19937* random) {
  for (int draw = 0; draw < 12; ++draw) {
    if (TryDrawnEdit(test_case, random)) return true;
  }
  return false;
}

class Reduction {
 public:
  Reduction(const Case& test_case, CaseTester* tester, const FullReduceOptions& options,
            ReductionMemory memory)
      : tester_(*tester),
        options_(options),
        memory_(std::move(memory)),
        deadline_(started_ + options.time) {
    result_.history.push_back(test_case);
    const bool resumes = memory_.best().has_value() && VerifyCase(*memory_.best()).ok() &&
                         Weight(*memory_.best()) < Weight(test_case);
    result_.reduced = resumes ? *memory_.best() : test_case;
    if (resumes) result_.history.push_back(result_.reduced);
    weight_ = Weight(result_.reduced);
  }

  absl::StatusOr<FullReduceResult> Run() {
    bool progress = true;
    while (progress && !OutOfBudget()) {
      const int64_t before = weight_;
      for (const ReductionSet& set : ReductionSets()) IRATE_RETURN_IF_ERROR(ReduceSet(set));
      for (const EditKind& kind : EditKinds()) {
        IRATE_RETURN_IF_ERROR(TryKind(kind));
        IRATE_RETURN_IF_ERROR(FirstKept({Canonicalize(result_.reduced)}).status());
      }
      if (weight_ == before) IRATE_RETURN_IF_ERROR(TryPairs());
      progress = weight_ < before;
    }
    result_.finished = !progress;
    Report("done");
    result_.progress = progress_;
    return std::move(result_);
  }

 private:
  bool OutOfBudget() const {
    return progress_.tests >= options_.tests || Clock::now() >= deadline_ ||
           (options_.stop && options_.stop());
  }

  absl::Status ReduceSet(const ReductionSet& set) {
    for (int level = 0; level < (set.has_levels ? kMaxLevel : 1); ++level) {
      const Case base = result_.reduced;
      const int count = set.count(base, level);
      if (count == 0) return absl::OkStatus();
      Report(set.name);
      const auto first_kept = [&](std::span<const KeptSet> sets) {
        std::vector<Case> candidates(sets.size(), base);
        for (size_t i = 0; i < sets.size(); ++i) set.keep(&candidates[i], level, sets[i]);
        return FirstKept(std::move(candidates));
      };
      const auto out_of_budget = [this] { return OutOfBudget(); };
      IRATE_RETURN_IF_ERROR(
          MinimiseSet(count, tester_.width(), first_kept, out_of_budget).status());
      if (OutOfBudget()) return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  // The positions in order; after a success the same position holds something new, so it is tried
  // again.
  absl::Status TryKind(const EditKind& kind) {
    Report(std::string(kind.name));
    int position = 0;
    while (!OutOfBudget()) {
      std::vector<Case> candidates;
      std::vector<int> positions;
      bool ends = false;
      int next = position;
      for (; candidates.size() < tester_.width() && !ends; ++next) {
        for (int variant = 0; variant < kind.variants && !ends; ++variant) {
          Case candidate = result_.reduced;
          const EditResult edit = kind.apply(&candidate, next, variant);
          ends = edit == EditResult::kNoPosition;
          if (edit != EditResult::kApplied || !IsCandidate(candidate)) continue;
          candidates.push_back(std::move(candidate));
          positions.push_back(next);
        }
      }
      IRATE_ASSIGN_OR_RETURN(const std::optional<size_t> kept, FirstKept(std::move(candidates)));
      if (!kept.has_value() && ends) return absl::OkStatus();
      position = kept.has_value() ? positions[*kept] : next;
    }
    return absl::OkStatus();
  }

  // Until one is kept. Which pairs are drawn depends on the Case alone.
  absl::Status TryPairs() {
    Report("pairs of edits");
    for (uint32_t draw = 0; draw < kPairDraws && !OutOfBudget();) {
      std::vector<Case> candidates;
      for (; candidates.size() < tester_.width() && draw < kPairDraws; ++draw) {
        std::mt19937 random(draw);
        Case candidate = result_.reduced;
        if (!ApplyDrawnEdit(&candidate, &random) || !ApplyDrawnEdit(&candidate, &random)) continue;
        candidate = Canonicalize(candidate);
        if (IsCandidate(candidate)) candidates.push_back(std::move(candidate));
      }
      IRATE_ASSIGN_OR_RETURN(const std::optional<size_t> kept, FirstKept(std::move(candidates)));
      if (kept.has_value()) return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  bool IsCandidate(const Case& candidate) const {
    return Weight(candidate) < weight_ && VerifyCase(candidate).ok();
  }

  // The first of the candidates that is smaller, verifies and shows the finding becomes the result.
  absl::StatusOr<std::optional<size_t>> FirstKept(std::vector<Case> candidates) {
    std::vector<Case> asked;
    std::vector<size_t> indices;
    std::vector<std::string> keys;
    std::optional<size_t> known;  // the first that is known to be kept
    for (size_t i = 0; i < candidates.size() && !known.has_value(); ++i) {
      if (!IsCandidate(candidates[i])) continue;
      std::string key = ReductionMemory::KeyOf(candidates[i]);
      const std::optional<bool> answer = memory_.Answer(key);
      if (answer.has_value()) {
        ++progress_.cached;
        if (*answer) known = i;
        continue;
      }
      asked.push_back(candidates[i]);
      indices.push_back(i);
      keys.push_back(std::move(key));
    }
    std::optional<size_t> kept = known;
    if (!asked.empty() && !OutOfBudget()) {
      IRATE_ASSIGN_OR_RETURN(const std::vector<std::optional<bool>> answers, tester_.Ask(asked));
      for (size_t i = answers.size(); i-- > 0;) {
        if (!answers[i].has_value()) continue;
        ++progress_.tests;
        memory_.Remember(keys[i], *answers[i]);
        if (*answers[i]) kept = indices[i];
      }
    } else if (!asked.empty()) {
      return std::optional<size_t>();  // nothing is decided without the answers before it
    }
    if (kept.has_value()) IRATE_RETURN_IF_ERROR(Accept(std::move(candidates[*kept])));
    return kept;
  }

  absl::Status Accept(Case candidate) {
    weight_ = Weight(candidate);
    ++progress_.accepted;
    result_.reduced = std::move(candidate);
    if (result_.history.size() >= kMaxHistory) {
      result_.history.erase(result_.history.begin() + 1);
    }
    result_.history.push_back(result_.reduced);
    Report(progress_.phase);
    return memory_.KeepBest(result_.reduced);
  }

  void Report(const std::string& phase) {
    progress_.phase = phase;
    progress_.weight = weight_;
    progress_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    progress_.size = MeasureForReport(result_.reduced);
    if (options_.progress) options_.progress(progress_);
  }

  CaseTester& tester_;
  const FullReduceOptions& options_;
  ReductionMemory memory_;
  const Clock::time_point started_ = Clock::now();
  const Clock::time_point deadline_;
  int64_t weight_ = 0;
  FullReduceProgress progress_;
  FullReduceResult result_;
};

}  // namespace

CaseMeasure MeasureForReport(const Case& test_case) {
  CaseMeasure measure;
  measure.nodes = CountNodes(test_case.module());
  measure.passes = test_case.passes().steps_size();
  for (const Function& function : test_case.module().functions()) {
    VisitStmts(function, [&measure](const Stmt&) { ++measure.statements; });
  }
  return measure;
}

absl::StatusOr<FullReduceResult> FullReduce(const Case& test_case, CaseTester* tester,
                                            const FullReduceOptions& options) {
  IRATE_ASSIGN_OR_RETURN(ReductionMemory memory,
                         ReductionMemory::Open(options.state_folder, test_case));
  return Reduction(test_case, tester, options, std::move(memory)).Run();
}

}  // namespace irate
