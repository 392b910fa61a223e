#include "triage/finding_harness.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <utility>

#include "execution/sanitized_tier.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

// Tier 2 with the harness that it stands on.
class OwningTier : public Harness {
 public:
  OwningTier(std::unique_ptr<Harness> base, std::unique_ptr<SanitizedTier> tier)
      : base_(std::move(base)), tier_(std::move(tier)) {}
  absl::StatusOr<Observation> Execute(const Case& test_case) override {
    return tier_->Execute(test_case);
  }
  absl::StatusOr<Observation> ExecuteAfter(std::span<const Case> earlier,
                                           const Case& test_case) override {
    return tier_->ExecuteAfter(earlier, test_case);
  }
  WorkerHistory History(uint32_t variant) const override { return tier_->History(variant); }
  WorkerClient& worker() override { return tier_->worker(); }
  const HarnessStats& stats() const override { return tier_->stats(); }

 private:
  std::unique_ptr<Harness> base_;
  std::unique_ptr<SanitizedTier> tier_;
};

}  // namespace

bool NeedsSanitizedRun(std::string_view oracle_or_signature) {
  // The oracles that read VariantObservation.violations (oracles/violations.h).
  constexpr auto kOracles = std::to_array<std::string_view>(
      {"memory-error", "value-error", "contract-violation", "abi-violation", "wrong-call"});
  return std::ranges::any_of(
      kOracles, [&](std::string_view oracle) { return oracle_or_signature.starts_with(oracle); });
}

absl::StatusOr<std::unique_ptr<Harness>> CreateFindingHarness(const HarnessOptions& options,
                                                              bool sanitized) {
  if (!sanitized) return Harness::Create(options);
  WorkerOptions asan = options.worker;
  asan.executable =
      (std::filesystem::path(options.worker.executable).parent_path() / "irate-worker-asan")
          .string();
  std::error_code error;
  if (!std::filesystem::exists(asan.executable, error)) {
    return absl::NotFoundError(fmt::format(
        "there is no {}, which this finding needs: it showed in a sanitized run", asan.executable));
  }
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<Harness> base, Harness::Create(options));
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<SanitizedTier> tier,
                         SanitizedTier::Create(base.get(), asan, options.target.fault_rules));
  return std::make_unique<OwningTier>(std::move(base), std::move(tier));
}

}  // namespace irate
