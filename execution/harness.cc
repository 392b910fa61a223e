#include "execution/harness.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "execution/case_passes.h"
#include "execution/protocol.pb.h"
#include "execution/step_features.h"
#include "execution/timer.h"
#include "execution/worker_pool.h"
#include "ir/device_spec.h"
#include "ir/interpreter.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

// From this pass on, barriers between threads are those that the program has. Those for dynamic
// shared memory come last.
bool PutsInBarriers(const Module& source, const PassStep& step) {
  if (!step.name().ends_with(".ThreadSync") || step.args_size() != 1) return false;
  bool dynamic = false;
  for (const Function& function : source.functions()) {
    dynamic |= std::ranges::any_of(
        function.buffers(), [](const Buffer& buffer) { return buffer.scope() == "shared.dyn"; });
  }
  return step.args(0).name() == (dynamic ? "shared.dyn" : "shared");
}

// Interprets the lifted modules of one Case.
class LiftedInterpreter {
 public:
  LiftedInterpreter(const Case& test_case, uint64_t fuel, HarnessStats* stats)
      : test_case_(test_case), fuel_(fuel), stats_(stats) {}

  void InterpretSteps(const PassSequence& passes, VariantObservation* variant) {
    implicit_barriers_ = true;
    for (StepObservation& step : *variant->mutable_schedule_steps()) Interpret(&step);
    const StepObservation* lifted = nullptr;
    for (StepObservation& step : *variant->mutable_steps()) {
      if (step.index() >= 0 && PutsInBarriers(test_case_.module(), passes.steps(step.index()))) {
        implicit_barriers_ = false;
        if (lifted != nullptr) InterpretWithoutBarriers(lifted->lifted(), &step);
      }
      Interpret(&step);
      if (step.has_lifted()) lifted = &step;
    }
  }

 private:
  void Interpret(StepObservation* step) {
    if (step->has_lifted()) *step->mutable_interpretation() = Result(step->lifted());
  }

  // A pass that should have put in barriers and did nothing has changed the meaning of its input if
  // that needs some.
  void InterpretWithoutBarriers(const Module& input, StepObservation* step) {
    if (step->outcome() != StepObservation::UNCHANGED) return;
    if (Result(input).status() != Interpretation::UNDEFINED) return;
    *step->mutable_lifted() = input;
    step->set_outcome(StepObservation::CHANGED);
  }

  const Interpretation& Result(const Module& lifted) {
    const auto [entry, is_new] =
        results_.try_emplace({implicit_barriers_, lifted.SerializeAsString()});
    if (!is_new) {
      ++stats_->reused;
      return entry->second;
    }
    const CpuTimer timer;
    InterpretOptions options;
    options.mode = InterpretOptions::Mode::kPassResult;
    options.fuel = fuel_;
    options.implicit_barriers = implicit_barriers_;
    options.signature = &test_case_.module().functions(0);
    absl::StatusOr<Interpretation> result = irate::Interpret(lifted, test_case_.inputs(), options);
    if (result.ok()) {
      entry->second = *std::move(result);
    } else {
      entry->second.set_status(Interpretation::UNSUPPORTED);
      entry->second.set_reason(std::string(result.status().message()));
    }
    ++stats_->interpretations;
    stats_->interpret_ms += timer.Ms();
    return entry->second;
  }

  const Case& test_case_;
  const uint64_t fuel_;
  HarnessStats* const stats_;
  bool implicit_barriers_ = true;
  // By the meaning of barriers and the serialised module.
  std::map<std::pair<bool, std::string>, Interpretation> results_;
};

bool IsWild(const Case& test_case) { return test_case.passes().mode() == WILD; }

// A worker program beside the plain one.
WorkerOptions Sibling(WorkerOptions options, const char* name) {
  options.executable = std::filesystem::path(options.executable).replace_filename(name).string();
  return options;
}

// What is bound to hardware threads for the device only goes through the default pipeline, with the
// Case's options: its sequence is one for the processor.
Case ForDevice(const Case& test_case) {
  Case result = test_case;
  if (!BindsThreads(test_case.module())) result.mutable_passes()->clear_steps();
  return result;
}

// The steps that came before the one at which the worker was lost; those that can be had again.
int StepsBefore(const Failure& failure, const PassSequence& passes) {
  switch (failure.stage()) {
    case STAGE_PASS:
    case STAGE_LIFT:
      return std::clamp(failure.step(), 0, passes.steps_size());
    case STAGE_BUILD:
    case STAGE_RUN:
      return passes.steps_size();
    default:
      return 0;
  }
}

// The same of the schedule.
int ScheduleBefore(const Failure& failure, const Schedule& schedule) {
  if (failure.stage() == STAGE_LOWER || failure.stage() == STAGE_NONE) return 0;
  if (failure.stage() != STAGE_SCHEDULE) return schedule.steps_size();
  return std::clamp(failure.step(), 0, schedule.steps_size());
}

class HarnessImpl : public Harness {
 public:
  explicit HarnessImpl(HarnessOptions options)
      : options_(std::move(options)),
        workers_(options_.worker),
        simulated_workers_(Sibling(options_.worker, "irate-worker-device")),
        gpu_workers_(Sibling(options_.worker, "irate-worker-gpu")) {}

  absl::Status Start() {
    IRATE_ASSIGN_OR_RETURN(worker_, workers_.For(options_.worker.target));
    return absl::OkStatus();
  }

  absl::StatusOr<Observation> Execute(const Case& test_case) override;
  absl::StatusOr<Observation> ExecuteAfter(std::span<const Case> earlier,
                                           const Case& test_case) override;
  WorkerHistory History(uint32_t variant) const override {
    return variant < histories_.size() ? histories_[variant] : WorkerHistory();
  }
  WorkerClient& worker() override { return *worker_; }
  const HarnessStats& stats() const override { return stats_; }

 private:
  // `passes`: what was run.
  absl::StatusOr<VariantObservation> RunVariant(const Case& test_case, const TargetSpec& spec,
                                                PassSequence* passes);
  WorkerPool& WorkersFor(const TargetSpec& spec) {
    const std::string device = DeviceOf(spec);
    if (device.empty()) return workers_;
    return device == kSimulatedDevice ? simulated_workers_ : gpu_workers_;
  }
  absl::Status ReplayPrefix(const Case& test_case, const TargetSpec& spec,
                            const PassSequence& passes, WorkerClient& client,
                            VariantObservation* observation);

  const HarnessOptions options_;
  WorkerPool workers_;
  WorkerPool simulated_workers_;    // for variants on the simulated device
  WorkerPool gpu_workers_;          // for variants on a device of a driver
  WorkerClient* worker_ = nullptr;  // of options_.worker
  CasePasses passes_;
  std::vector<WorkerHistory> histories_;  // of the last Execute, by variant
  HarnessStats stats_;
};

absl::Status HarnessImpl::ReplayPrefix(const Case& test_case, const TargetSpec& spec,
                                       const PassSequence& passes, WorkerClient& client,
                                       VariantObservation* observation) {
  const Failure& failure = observation->failure();
  const int count = StepsBefore(failure, passes);
  const int scheduled = ScheduleBefore(failure, test_case.schedule());
  if (count > 0 || scheduled > 0) {
    PassSequence prefix = passes;
    prefix.mutable_steps()->DeleteSubrange(count, passes.steps_size() - count);
    Case prefix_case = test_case;
    auto* schedule = prefix_case.mutable_schedule()->mutable_steps();
    schedule->DeleteSubrange(scheduled, schedule->size() - scheduled);
    ++stats_.prefix_replays;
    TargetOptions options = options_.target;
    options.run_native = false;
    IRATE_ASSIGN_OR_RETURN(VariantObservation before,
                           client.Run(prefix_case, spec, prefix, options));
    observation->mutable_steps()->Swap(before.mutable_steps());
    observation->mutable_schedule_steps()->Swap(before.mutable_schedule_steps());
    observation->set_lower_ms(before.lower_ms());
  }
  if (failure.stage() == STAGE_SCHEDULE && scheduled < test_case.schedule().steps_size()) {
    StepObservation* step = observation->add_schedule_steps();
    step->set_index(scheduled);
    step->set_pass(failure.pass());
    step->set_outcome(StepObservation::FAILED);
  }
  if (failure.stage() == STAGE_PASS && count < passes.steps_size() &&
      (observation->steps_size() == 0 ||
       observation->steps(observation->steps_size() - 1).index() < count)) {
    StepObservation* step = observation->add_steps();
    step->set_index(count);
    step->set_pass(failure.pass());
    step->set_outcome(StepObservation::FAILED);
  }
  return absl::OkStatus();
}

absl::StatusOr<VariantObservation> HarnessImpl::RunVariant(const Case& test_case,
                                                           const TargetSpec& spec,
                                                           PassSequence* passes) {
  ++stats_.variants;
  const bool on_device = !DeviceOf(spec).empty();
  IRATE_ASSIGN_OR_RETURN(WorkerClient * client, WorkersFor(spec).For(spec.target()));
  IRATE_ASSIGN_OR_RETURN(*passes,
                         passes_.For(on_device ? ForDevice(test_case) : test_case, spec, *client));
  const bool wild = IsWild(test_case);
  TargetOptions options = options_.target;
  options.lift &= !wild;
  options.run_native &= !wild;
  IRATE_ASSIGN_OR_RETURN(VariantObservation observation,
                         client->Run(test_case, spec, *passes, options));
  histories_.push_back(client->history());
  // A worker that was lost has told of no step, one that answered of at least the first.
  if (!wild && observation.steps_size() == 0 && observation.failure().kind() != Failure::NONE) {
    IRATE_RETURN_IF_ERROR(ReplayPrefix(test_case, spec, *passes, *client, &observation));
  }
  return observation;
}

absl::StatusOr<Observation> HarnessImpl::ExecuteAfter(std::span<const Case> earlier,
                                                      const Case& test_case) {
  workers_.RestartAll();
  simulated_workers_.RestartAll();
  gpu_workers_.RestartAll();
  for (const Case& before : earlier) {
    PassSequence passes;
    IRATE_RETURN_IF_ERROR(RunVariant(before, before.targets(0), &passes).status());
  }
  return Execute(test_case);
}

absl::StatusOr<Observation> HarnessImpl::Execute(const Case& test_case) {
  if (test_case.module().functions_size() == 0) {
    return absl::InvalidArgumentError("the Case has no function");
  }
  ++stats_.cases;
  histories_.clear();
  Observation observation;
  uint64_t fuel = 0;
  if (!IsWild(test_case)) {
    const CpuTimer timer;
    IRATE_ASSIGN_OR_RETURN(
        *observation.mutable_reference(),
        Interpret(test_case.module(), test_case.inputs(), {.fuel = options_.fuel}));
    stats_.reference_ms += timer.Ms();
    if (observation.reference().status() != Interpretation::DEFINED) {
      ++stats_.dropped;
      return observation;
    }
    fuel = std::min(options_.fuel, 10 * observation.reference().steps() + kFuelFloor);
  }
  google::protobuf::RepeatedPtrField<TargetSpec> specs = test_case.targets();
  if (specs.empty()) specs = worker().hello().default_specs();
  LiftedInterpreter lifted(test_case, fuel, &stats_);
  for (const TargetSpec& spec : specs) {
    PassSequence passes;
    IRATE_ASSIGN_OR_RETURN(VariantObservation variant, RunVariant(test_case, spec, &passes));
    lifted.InterpretSteps(passes, &variant);
    const CpuTimer timer;
    AddStepFeatures(&variant);
    stats_.features_ms += timer.Ms();
    *observation.add_variants() = std::move(variant);
  }
  return observation;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Harness>> Harness::Create(const HarnessOptions& options) {
  auto harness = std::make_unique<HarnessImpl>(options);
  IRATE_RETURN_IF_ERROR(harness->Start());
  return harness;
}

}  // namespace irate
