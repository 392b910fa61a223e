#include "execution/sanitized_tier.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "execution/timer.h"
#include "ir/device_spec.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

bool RanNatively(const VariantObservation& variant) {
  return variant.failure().kind() == Failure::NONE && variant.outputs_size() != 0;
}

// What tier 1 cannot have seen: the compiler on AddressSanitizer's allocator, and a crash in
// generated code that tier 1 survived.
bool IsNews(const Failure& failure) {
  return failure.kind() == Failure::SIGNAL || failure.kind() == Failure::SANITIZER ||
         failure.kind() == Failure::HARNESS;
}

std::string Describe(const Failure& failure) {
  return absl::StrCat(Failure::Kind_Name(failure.kind()), " at ", Stage_Name(failure.stage()), ": ",
                      failure.message());
}

}  // namespace

absl::StatusOr<std::unique_ptr<SanitizedTier>> SanitizedTier::Create(
    Harness* base, const WorkerOptions& worker, const std::string& fault_rules) {
  std::unique_ptr<SanitizedTier> tier(new SanitizedTier(base, worker, fault_rules));
  IRATE_RETURN_IF_ERROR(tier->workers_.For(worker.target).status());
  return tier;
}

absl::Status SanitizedTier::AddVariant(const Case& test_case, VariantObservation* variant) {
  IRATE_ASSIGN_OR_RETURN(WorkerClient * client, workers_.For(variant->spec().target()));
  IRATE_ASSIGN_OR_RETURN(const PassSequence passes,
                         passes_.For(test_case, variant->spec(), *client));
  const Timer timer;
  const double worker_before = client->stats().worker_ms;
  IRATE_ASSIGN_OR_RETURN(
      VariantObservation sanitized,
      client->Run(
          test_case, variant->spec(), passes,
          {.lift = false, .run_native = false, .sanitize = true, .fault_rules = fault_rules_}));
  ++stats_.variants;
  stats_.wall_ms += timer.Ms();
  stats_.cpu_ms += client->stats().worker_ms - worker_before;
  stats_.run_ms += sanitized.run_ms();
  stats_.build_ms += sanitized.build_ms();
  variant->mutable_violations()->Swap(sanitized.mutable_violations());
  variant->mutable_faults()->MergeFrom(sanitized.faults());
  variant->set_not_sanitized(sanitized.not_sanitized());
  if (IsNews(sanitized.failure())) {
    *variant->mutable_failure() = sanitized.failure();
  } else if (sanitized.failure().kind() != Failure::NONE) {
    variant->set_not_sanitized(Describe(sanitized.failure()));
  }
  if (!variant->not_sanitized().empty()) ++stats_.not_sanitized;
  return absl::OkStatus();
}

absl::Status SanitizedTier::Add(const Case& test_case, Observation* observation) {
  for (VariantObservation& variant : *observation->mutable_variants()) {
    // A device's code is not the processor's.
    if (!DeviceOf(variant.spec()).empty()) continue;
    if (RanNatively(variant)) IRATE_RETURN_IF_ERROR(AddVariant(test_case, &variant));
  }
  return absl::OkStatus();
}

absl::StatusOr<Observation> SanitizedTier::Execute(const Case& test_case) {
  IRATE_ASSIGN_OR_RETURN(Observation observation, base_.Execute(test_case));
  IRATE_RETURN_IF_ERROR(Add(test_case, &observation));
  return observation;
}

absl::StatusOr<Observation> SanitizedTier::ExecuteAfter(std::span<const Case> earlier,
                                                        const Case& test_case) {
  workers_.RestartAll();
  IRATE_ASSIGN_OR_RETURN(Observation observation, base_.ExecuteAfter(earlier, test_case));
  IRATE_RETURN_IF_ERROR(Add(test_case, &observation));
  return observation;
}

}  // namespace irate
