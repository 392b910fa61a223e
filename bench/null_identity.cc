#include "bench/null_identity.h"

#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace irate {
namespace {

// What a run says about identity, if it ended early or could not be lifted.
absl::Status Refusal(const VariantObservation& seen) {
  const Failure& failure = seen.failure();
  if (failure.kind() == Failure::DIAGNOSTIC || failure.kind() == Failure::HARNESS) {
    return absl::UnimplementedError(
        fmt::format("{} {}: {}", seen.spec().target(), failure.pass(), failure.message()));
  }
  if (failure.kind() != Failure::NONE) {
    return absl::InternalError(fmt::format("{} in {}: {}", Failure::Kind_Name(failure.kind()),
                                           failure.pass(), failure.message()));
  }
  for (const StepObservation& step : seen.steps()) {
    if (!step.lift_failure().empty()) {
      return absl::UnimplementedError(fmt::format("lifting: {}", step.lift_failure()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Module>> RunIdentity(Target* target, const TargetSpec& spec,
                                                const PassSequence& passes, const Case& original) {
  Case test_case = original;
  test_case.clear_schedule();
  Progress progress;
  const VariantObservation seen =
      target->Run(test_case, spec, passes, {.lift = true, .run_native = false}, &progress);
  if (absl::Status refusal = Refusal(seen); !refusal.ok()) return refusal;
  std::vector<Module> modules;
  for (const StepObservation& step : seen.steps()) {
    if (step.has_lifted()) modules.push_back(step.lifted());
  }
  return modules;
}

}  // namespace

std::function<absl::StatusOr<Identity>()> TargetIdentity(
    std::function<std::unique_ptr<Target>()> make, std::vector<std::string> passes) {
  PassSequence sequence;
  for (std::string& name : passes) sequence.add_steps()->set_name(std::move(name));
  return [make = std::move(make), sequence]() -> absl::StatusOr<Identity> {
    const std::shared_ptr<Target> target = make();
    if (absl::Status loaded = target->Load(); !loaded.ok()) return loaded;
    const std::vector<TargetSpec> specs = target->DefaultSpecs();
    if (specs.empty()) return absl::NotFoundError("the target has no default");
    return Identity([target, spec = specs[0], sequence](const Case& one) {
      return RunIdentity(target.get(), spec, sequence, one);
    });
  };
}

}  // namespace irate
