#include "targets/tvm/tvm_target.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "execution/timer.h"
#include "ir/device_spec.h"
#include "ir/status_macros.h"
#include "ir/visit.h"
#include "targets/tvm/analysis.h"
#include "targets/tvm/device_form.h"
#include "targets/tvm/device_run.h"
#include "targets/tvm/errors.h"
#include "targets/tvm/external_functions.h"
#include "targets/tvm/faults.h"
#include "targets/tvm/lift.h"
#include "targets/tvm/lower.h"
#include "targets/tvm/native.h"
#include "targets/tvm/pass_map.h"
#include "targets/tvm/pipeline.h"
#include "targets/tvm/run_function.h"
#include "targets/tvm/sanitize_code.h"
#include "targets/tvm/schedule_run.h"
#include "targets/tvm/sink_allocations.h"
#include "targets/tvm/step_checks.h"
#include "targets/tvm/tvm_library.h"

namespace irate {
namespace {

using tvm_target::Any;
using tvm_target::Lifter;
using tvm_target::Native;
using tvm_target::ScheduleRun;

// The pass that puts the buffers of blocks where they are used.
constexpr char kPlanAllocations[] = "s_tir.transform.PlanAndUpdateBufferAllocationLocation";
constexpr char kDefaultOptions[] = R"({"kind":"llvm"})";

void SetProgress(Stage stage, int32_t step, const std::string& pass, Progress* progress) {
  if (progress == nullptr) return;
  // Zero-terminated at all times: the parent may read it at any moment.
  const size_t length = std::min(pass.size(), sizeof(progress->pass) - 1);
  std::memcpy(progress->pass, pass.data(), length);
  std::memset(progress->pass + length, 0, sizeof(progress->pass) - length);
  progress->step.store(step);
  progress->stage.store(stage);
}

struct Targets {
  Any target;            // as in the spec: of the code generator
  Any host;              // of the host functions; the same if the code runs there
  Any bound;             // with its host: what BindTarget takes
  bool is_host = false;  // the code runs on this machine's processor
};

absl::StatusOr<Targets> MakeTargets(const TargetSpec& spec) {
  const std::string options = spec.options().empty() ? kDefaultOptions : CompilerOptions(spec);
  try {
    Targets targets;
    targets.target = Native<"target.Target">(tvm_target::ffi::String(options));
    targets.is_host = Native<"target.TargetGetDeviceType">(targets.target).cast<int>() == kDLCPU;
    targets.host = targets.is_host
                       ? targets.target
                       : Native<"target.Target">(tvm_target::ffi::String(kDefaultOptions));
    targets.bound = Native<"target.WithHost">(targets.target, targets.host);
    return targets;
  } catch (const tvm_target::ffi::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("TVM does not take the target '", options, "': ", error.message()));
  }
}

// The Case's module as the compiler's, in a form that runs where `spec` says.
absl::StatusOr<Any> LowerFor(const Case& test_case, const TargetSpec& spec) {
  if (DeviceOf(spec).empty()) return tvm_target::LowerModule(test_case.module());
  IRATE_ASSIGN_OR_RETURN(const Module module, tvm_target::ToDeviceForm(test_case));
  return tvm_target::LowerModule(module);
}

// One variant on its way through lowering, passes, code generation and a run.
class VariantRun {
 public:
  VariantRun(const Case& test_case, const PassSequence& passes, const TargetOptions& options,
             Progress* progress, VariantObservation* observation)
      : case_(test_case),
        passes_(passes),
        options_(options),
        progress_(progress),
        observation_(*observation),
        lifter_(test_case.module()),
        planned_(test_case.schedule().steps_size() == 0 && !BindsThreads(test_case.module())),
        checks_(options, test_case.module()) {
    const absl::StatusOr<PassMap>& map = TvmPassMap();
    if (map.ok() && passes.mode() == STRICT) walk_.emplace(*map);
  }

  void Run() {
    absl::StatusOr<tvm_target::FaultInjection> faults =
        tvm_target::FaultInjection::Create(case_, options_.fault_rules);
    if (!faults.ok()) return FailHarness(STAGE_LOWER, -1, "", faults.status());
    faults_ = *std::move(faults);
    RunSteps();
    faults_.Report(&observation_);
  }

 private:
  void RunSteps() {
    absl::StatusOr<Targets> targets = MakeTargets(observation_.spec());
    if (!targets.ok()) return FailHarness(STAGE_LOWER, -1, "", targets.status());
    if (!Lower()) return;
    if (!Schedule()) return;
    try {
      const tvm_target::PassContext context(passes_.config());
      for (int i = 0; i < passes_.steps_size(); ++i) {
        if (!Step(i, targets->bound)) return;
      }
      if (!tvm_target::IsReadyForCodegen(observation_.steps())) return;
      if (!options_.run_native && !options_.sanitize) return;
      if (!InjectBeforeCodegen()) return;
      if (!targets->is_host) return RunOnDevice(*targets);
      if (options_.run_native) {
        tvm_target::BuildAndRun(case_, module_, targets->target, progress_, &observation_);
        if (options_.repeat && observation_.failure().kind() == Failure::NONE) {
          VariantObservation again;
          tvm_target::BuildAndRun(case_, module_, targets->target, progress_, &again);
          observation_.mutable_outputs_again()->Swap(again.mutable_outputs());
        }
      }
      if (options_.sanitize && observation_.failure().kind() == Failure::NONE) {
        tvm_target::SanitizeCode(case_, module_, targets->target, progress_, &observation_);
      }
    } catch (const tvm_target::ffi::Error& error) {
      FailHarness(STAGE_PASS, -1, "",
                  absl::InvalidArgumentError(
                      absl::StrCat("configuration of the passes: ", error.message())));
    }
  }

  void RunOnDevice(const Targets& targets) {
    const std::string device = DeviceOf(observation_.spec());
    if (device.empty() || !options_.run_native) return;
    tvm_target::BuildAndRunOnDevice(case_, module_, targets.target, targets.host, device, progress_,
                                    &observation_);
    if (!options_.repeat || observation_.failure().kind() != Failure::NONE) return;
    VariantObservation again;
    tvm_target::BuildAndRunOnDevice(case_, module_, targets.target, targets.host, device, progress_,
                                    &again);
    observation_.mutable_outputs_again()->Swap(again.mutable_outputs());
  }

  // False if a seeded fault ends the variant here.
  bool InjectBeforeCodegen() {
    if (faults_.empty()) return true;
    SetProgress(STAGE_BUILD, -1, "", progress_);
    try {
      module_ = faults_.After(rewrite::kAtCodegen, -1, module_, module_);
      return true;
    } catch (const tvm_target::ffi::Error& error) {
      *observation_.mutable_failure() = tvm_target::DescribeError(error, STAGE_BUILD, -1, "");
      return false;
    }
  }

  bool Lower() {
    SetProgress(STAGE_LOWER, -1, "", progress_);
    const CpuTimer timer;
    absl::StatusOr<Any> lowered = LowerFor(case_, observation_.spec());
    if (lowered.status().code() == absl::StatusCode::kUnimplemented) {
      // No program for a device; the Case's other variants go on.
      observation_.set_not_sanitized(std::string(lowered.status().message()));
      return false;
    }
    observation_.set_lower_ms(timer.Ms());
    if (!lowered.ok()) {
      FailHarness(STAGE_LOWER, -1, "", lowered.status());
      return false;
    }
    module_ = faults_.After(rewrite::kAtLowering, -1, *lowered, *lowered);
    StepObservation* step = observation_.add_steps();
    step->set_index(-1);
    step->set_outcome(StepObservation::CHANGED);
    Lift(step);
    return true;
  }

  // False if the variant ends here.
  bool Schedule() {
    if (case_.schedule().steps_size() == 0) return true;
    ScheduleRun run(case_, &module_);
    for (int i = 0; i < case_.schedule().steps_size(); ++i) {
      const std::string name = tvm_target::StepName(case_.schedule().steps(i));
      SetProgress(STAGE_SCHEDULE, i, name, progress_);
      StepObservation* step = observation_.add_schedule_steps();
      step->set_index(i);
      step->set_pass(name);
      step->set_outcome(StepObservation::FAILED);
      const CpuTimer timer;
      Failure failure = run.Apply(i, step);
      step->set_compiler_ms(timer.Ms());
      if (failure.kind() != Failure::NONE) {
        *observation_.mutable_failure() = std::move(failure);
        return false;
      }
      // A step that was refused must have left the module alone.
      const bool refused = step->outcome() == StepObservation::SKIPPED;
      Lift(step);
      if (!refused) continue;
      step->set_input_mutated(options_.lift && step->outcome() != StepObservation::UNCHANGED);
      step->set_outcome(StepObservation::SKIPPED);
    }
    return true;
  }

  // False if the variant ends here.
  bool Step(int index, const Any& target) {
    const PassStep& pass = passes_.steps(index);
    SetProgress(STAGE_PASS, index, pass.name(), progress_);
    StepObservation* step = observation_.add_steps();
    step->set_index(index);
    step->set_pass(pass.name());
    step->set_outcome(StepObservation::FAILED);
    const absl::StatusOr<Any> native = tvm_target::MakePass(pass, target);
    if (!native.ok()) {
      FailHarness(STAGE_PASS, index, pass.name(), native.status());
      return false;
    }
    checks_.Before(module_);
    const CpuTimer timer;
    try {
      Any result = Native<"transform.RunPass">(*native, module_);
      step->set_compiler_ms(timer.Ms());
      result = faults_.After(pass.name(), index, module_, std::move(result));
      step->set_outcome(StepObservation::CHANGED);
      planned_ |= pass.name() == kPlanAllocations;
      checks_.After(*native, result, &faults_, step);
      module_ = std::move(result);
    } catch (const tvm_target::ffi::Error& error) {
      step->set_compiler_ms(timer.Ms());
      Failure failure = tvm_target::DescribeError(error, STAGE_PASS, index, pass.name());
      if (passes_.mode() == WILD && failure.kind() != Failure::OUT_OF_MEMORY) {
        step->set_outcome(StepObservation::SKIPPED);
        step->set_skip_reason(absl::StrCat(failure.error_kind(), ": ", failure.message()));
        return true;
      }
      if (RefusesByDesign(pass, failure)) {
        step->set_outcome(StepObservation::SKIPPED);
        step->set_skip_reason(absl::StrCat(failure.error_kind(), ": ", failure.message()));
        return true;
      }
      *observation_.mutable_failure() = std::move(failure);
      return false;
    }
    Lift(step);
    Promise(pass, step);
    return true;
  }

  // The pass map lists what a pass declines: then it does not apply here, and the walk goes on.
  bool RefusesByDesign(const PassStep& pass, const Failure& failure) const {
    const absl::StatusOr<PassMap>& map = TvmPassMap();
    const PassRule* rule = map.ok() && passes_.mode() == STRICT ? map->Find(pass.name()) : nullptr;
    return rule != nullptr &&
           std::ranges::any_of(rule->refuses, [&failure](const std::string& part) {
             return absl::StrContains(failure.message(), part);
           });
  }

  // From the first step on that the map does not allow where it stands, nothing is promised. What
  // was promised of this very module already is not said again.
  void Promise(const PassStep& pass, StepObservation* step) {
    if (walk_.has_value() && !walk_->Allows(pass)) walk_.reset();
    if (!walk_.has_value()) return;
    walk_->Take(pass);
    if (step->outcome() != StepObservation::UNCHANGED) promised_.clear();
    for (std::string& promise : walk_->Promises(pass)) {
      if (promised_.insert(promise).second || promise == kIdempotent) {
        step->add_promises(std::move(promise));
      }
    }
  }

  void Lift(StepObservation* step) {
    if (!options_.lift) return;
    SetProgress(STAGE_LIFT, step->index(), step->pass(), progress_);
    const CpuTimer timer;
    std::string construct;
    switch (lifter_.Lift(module_, step->mutable_lifted(), &construct)) {
      case Lifter::Outcome::kUnchanged:
        step->clear_lifted();
        step->set_outcome(StepObservation::UNCHANGED);
        break;
      case Lifter::Outcome::kChanged:
        if (!planned_) tvm_target::SinkAllocations(step->mutable_lifted());
        break;
      case Lifter::Outcome::kFailed:
        step->clear_lifted();
        step->set_lift_failure(construct);
        break;
    }
    step->set_lift_ms(timer.Ms());
  }

  void FailHarness(Stage stage, int step, const std::string& pass, const absl::Status& status) {
    Failure* failure = observation_.mutable_failure();
    failure->set_kind(Failure::HARNESS);
    failure->set_stage(stage);
    failure->set_step(step);
    failure->set_pass(pass);
    failure->set_message(std::string(status.message()));
  }

  const Case& case_;
  const PassSequence& passes_;
  const TargetOptions& options_;
  Progress* progress_;
  VariantObservation& observation_;
  Lifter lifter_;
  tvm_target::FaultInjection faults_;
  bool planned_ = false;
  std::optional<StageWalk> walk_;  // through the pass map, as long as the steps keep to it
  std::unordered_set<std::string> promised_;  // of module_
  tvm_target::StepChecks checks_;
  Any module_;
};

class TvmTarget : public Target {
 public:
  std::string Name() const override { return "tvm"; }
  std::string Version() const override { return version_; }

  absl::Status Load() override {
    IRATE_RETURN_IF_ERROR(tvm_target::LoadLibrary());
    version_ = tvm_target::LibraryVersion();
    try {
      tvm_target::RegisterExternalFunctions();
    } catch (const tvm_target::ffi::Error& error) {
      return absl::InternalError(error.what());
    }
    return absl::OkStatus();
  }

  std::vector<TargetSpec> DefaultSpecs() const override {
    TargetSpec spec;
    spec.set_target("tvm");
    spec.set_options(kDefaultOptions);
    return {spec};
  }

  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                             const PassConfig& config) const override {
    IRATE_ASSIGN_OR_RETURN(const Targets targets, MakeTargets(spec));
    return targets.is_host ? tvm_target::DefaultPipeline(config)
                           : tvm_target::DevicePipeline(config);
  }

  absl::StatusOr<AnalysisBatchAnswers> Analyze(const AnalysisBatch& batch,
                                               Progress* progress) override {
    return tvm_target::AskAnalyzer(batch, progress);
  }

  VariantObservation Run(const Case& test_case, const TargetSpec& spec, const PassSequence& passes,
                         const TargetOptions& options, Progress* progress) override {
    VariantObservation observation;
    *observation.mutable_spec() = spec;
    observation.set_compiler_version(version_);
    try {
      VariantRun(test_case, passes, options, progress, &observation).Run();
    } catch (const tvm_target::ffi::Error& error) {
      *observation.mutable_failure() = tvm_target::DescribeError(error, STAGE_LIFT, -1, "");
      observation.mutable_failure()->set_kind(Failure::HARNESS);
    } catch (const std::exception& error) {
      Failure* failure = observation.mutable_failure();
      failure->set_kind(Failure::HARNESS);
      failure->set_step(-1);
      failure->set_message(error.what());
    }
    return observation;
  }

  absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec& spec,
                                          const PassSequence& passes, int steps) override {
    IRATE_ASSIGN_OR_RETURN(const Targets targets, MakeTargets(spec));
    IRATE_ASSIGN_OR_RETURN(Any module, LowerFor(test_case, spec));
    if (test_case.schedule().steps_size() != 0) {
      IRATE_RETURN_IF_ERROR(tvm_target::ApplySchedule(test_case, &module));
    }
    std::string pass_name;
    try {
      const tvm_target::PassContext context(passes.config());
      for (int i = 0; i < std::min(steps, passes.steps_size()); ++i) {
        pass_name = passes.steps(i).name();
        IRATE_ASSIGN_OR_RETURN(const Any pass,
                               tvm_target::MakePass(passes.steps(i), targets.bound));
        try {
          module = Native<"transform.RunPass">(pass, module);
        } catch (const tvm_target::ffi::Error&) {
          if (passes.mode() != WILD) throw;
        }
      }
      return tvm_target::ToString(Native<"node.TVMScriptPrinterScript">(module, nullptr));
    } catch (const tvm_target::ffi::Error& error) {
      return absl::FailedPreconditionError(
          absl::StrCat(pass_name, ": ", error.kind(), ": ", error.message()));
    }
  }

 private:
  std::string version_;
};

}  // namespace

std::unique_ptr<Target> MakeTvmTarget() { return std::make_unique<TvmTarget>(); }

}  // namespace irate
