#include "generators/equivalent/equivalent.h"

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "generators/equivalent/rewrite.h"
#include "ir/measure.h"
#include "ir/status_macros.h"
#include "ir/verify.h"

namespace irate {
namespace {

constexpr int64_t kMostNodes = 4'000;

bool IsSmall(const Module& module) {
  const Measure measure = MeasureModule(module);
  return measure.depth <= kMaxDepth / 2 && measure.nodes <= 4 * kMostNodes &&
         CountNodes(module) <= kMostNodes;
}

}  // namespace

std::string FormatStep(const RewriteStep& step) {
  return fmt::format("{}@{}#{}", step.rewrite, step.site, step.seed);
}

absl::StatusOr<RewriteStep> ParseStep(std::string_view text) {
  const size_t at = text.rfind('@');
  const size_t hash = text.rfind('#');
  RewriteStep step;
  if (at != std::string_view::npos && hash != std::string_view::npos && at < hash) {
    step.rewrite = std::string(text.substr(0, at));
    if (absl::SimpleAtoi(std::string(text.substr(at + 1, hash - at - 1)), &step.site) &&
        absl::SimpleAtoi(std::string(text.substr(hash + 1)), &step.seed)) {
      return step;
    }
  }
  return absl::InvalidArgumentError(
      fmt::format("{} is no step: they look like split-loop@3#17", text));
}

absl::Status ApplyStep(const RewriteStep& step, Module* module) {
  const Rewrite* rewrite = FindRewrite(step.rewrite);
  if (rewrite == nullptr) return absl::NotFoundError(fmt::format("no rule {}", step.rewrite));
  const int sites = rewrite->CountSites(*module);
  if (step.site < 0 || step.site >= sites) {
    return absl::OutOfRangeError(
        fmt::format("{} has {} places here, not place {}", step.rewrite, sites, step.site));
  }
  ChoiceSource choices(step.seed);
  rewrite->ApplyAt(module, step.site, choices);
  return absl::OkStatus();
}

Case RewriteCase(const Case& original, uint64_t seed, int count, std::vector<RewriteStep>* steps) {
  Case rewritten = original;
  rewritten.clear_schedule();
  ChoiceSource choices(seed);
  for (int i = 0; i < count; ++i) {
    std::vector<RewriteStep> candidates;  // a rule that applies and its number of places
    for (const std::unique_ptr<Rewrite>& rewrite : Rewrites()) {
      const int sites = rewrite->CountSites(rewritten.module());
      if (sites > 0) candidates.push_back({std::string(rewrite->Name()), sites, 0});
    }
    if (candidates.empty()) break;
    RewriteStep step = candidates[static_cast<size_t>(
        choices.Range(0, static_cast<int64_t>(candidates.size()) - 1))];
    step.site = static_cast<int>(choices.Range(0, step.site - 1));
    step.seed = static_cast<uint64_t>(choices.Range(0, 1'000'000));
    Module next = rewritten.module();
    if (!ApplyStep(step, &next).ok() || !IsSmall(next)) break;
    rewritten.mutable_module()->Swap(&next);
    if (steps != nullptr) steps->push_back(std::move(step));
  }
  return rewritten;
}

}  // namespace irate
