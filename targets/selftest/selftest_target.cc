#include "targets/selftest/selftest_target.h"

#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "ir/interpreter.h"
#include "ir/text.h"
#include "targets/selftest/faults.h"
#include "targets/selftest/passes.h"

namespace irate {
namespace {

using selftest::Fault;
using selftest::FaultPlan;

constexpr char kVersion[] = "1";

double MsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// What a machine does with a program that leaves its buffers.
void HitGuardPage() {
  void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

// One request: lower, pass after pass, build, run.
class Compilation {
 public:
  Compilation(const TargetOptions& options, uint64_t request, Progress* progress)
      : options_(options), request_(request), progress_(progress) {}

  VariantObservation Run(const Case& test_case, const std::string& spec_options,
                         const PassSequence& passes) {
    absl::StatusOr<FaultPlan> plan = FaultPlan::Parse(spec_options);
    if (!plan.ok()) {
      Fail(Failure::DIAGNOSTIC, "ValueError", std::string(plan.status().message()));
      return std::move(observation_);
    }
    plan_ = *plan;
    module_ = test_case.module();
    if (!Lower()) return std::move(observation_);
    for (int i = 0; i < passes.steps_size(); ++i) {
      if (!ApplyStep(i, passes.steps(i).name())) return std::move(observation_);
    }
    if (options_.run_native) BuildAndRun(test_case.inputs());
    return std::move(observation_);
  }

 private:
  bool Lower() {
    if (!Enter(STAGE_LOWER, -1, "")) return false;
    StepObservation* step = observation_.add_steps();
    step->set_index(-1);
    step->set_outcome(StepObservation::CHANGED);
    if (options_.lift) *step->mutable_lifted() = module_;
    return true;
  }

  bool ApplyStep(int index, const std::string& pass) {
    StepObservation* step = observation_.add_steps();
    step->set_index(index);
    step->set_pass(pass);
    step->set_outcome(StepObservation::FAILED);
    if (!Enter(STAGE_PASS, index, pass)) return false;
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<bool> changed = selftest::ApplyPass(pass, &module_);
    if (!changed.ok()) {
      Fail(Failure::DIAGNOSTIC, "ValueError", std::string(changed.status().message()));
      return false;
    }
    if (plan_.fault == Fault::kWrongPass && plan_.IsDueAt(STAGE_PASS, index, request_)) {
      *changed |= selftest::PlantWrongStore(&module_);
    }
    if (plan_.fault == Fault::kBrokenPromise && plan_.IsDueAt(STAGE_PASS, index, request_)) {
      *changed |= selftest::PlantVectorizedLoop(&module_);
    }
    for (std::string& promise : selftest::PromisesOf(pass)) step->add_promises(std::move(promise));
    step->set_compiler_ms(MsSince(start));
    step->set_outcome(*changed ? StepObservation::CHANGED : StepObservation::UNCHANGED);
    if (*changed && options_.lift) *step->mutable_lifted() = module_;
    return true;
  }

  void BuildAndRun(const Inputs& inputs) {
    if (!Enter(STAGE_BUILD, -1, "") || !Enter(STAGE_RUN, -1, "")) return;
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<Interpretation> result =
        Interpret(module_, inputs, {.mode = InterpretOptions::Mode::kPassResult});
    if (!result.ok()) {
      Fail(Failure::DIAGNOSTIC, "ValueError", std::string(result.status().message()));
      return;
    }
    if (result->status() == Interpretation::UNDEFINED) HitGuardPage();
    if (result->status() != Interpretation::DEFINED) {
      Fail(Failure::DIAGNOSTIC, "RuntimeError", result->reason());
      return;
    }
    for (const InterpretedTensor& output : result->outputs()) {
      *observation_.add_outputs() = output.tensor();
    }
    observation_.set_run_ms(MsSince(start));
    const bool due = observation_.outputs_size() != 0 && request_ >= plan_.after;
    if (due && plan_.fault == Fault::kWrongResult) {
      selftest::PlantWrongElement(observation_.mutable_outputs(0));
    }
    // A second run computes the same, but for a fault that is in the first alone.
    if (options_.repeat) *observation_.mutable_outputs_again() = observation_.outputs();
    if (due && plan_.fault == Fault::kNondeterminism && request_ % 2 == 1) {
      selftest::PlantWrongElement(observation_.mutable_outputs(0));
    }
  }

  // Tells where it is, then commits what is planted there. False if that ends the compilation.
  bool Enter(Stage stage, int step, const std::string& pass) {
    std::strncpy(progress_->pass, pass.c_str(), sizeof(progress_->pass) - 1);
    progress_->step.store(step);
    progress_->stage.store(stage);
    if (!plan_.IsDueAt(stage, step, request_)) return true;
    if (plan_.fault == Fault::kInternalError) {
      Fail(Failure::INTERNAL_ERROR, "InternalError", "Check failed: (planted) is false");
      return false;
    }
    if (plan_.fault == Fault::kDiagnostic) {
      Fail(Failure::DIAGNOSTIC, "ValueError", "the planted program is refused");
      return false;
    }
    selftest::Commit(plan_);
    return true;
  }

  void Fail(Failure::Kind kind, const char* error_kind, const std::string& message) {
    Failure* failure = observation_.mutable_failure();
    failure->set_kind(kind);
    failure->set_error_kind(error_kind);
    failure->set_message(message);
    const auto stage = static_cast<Stage>(progress_->stage.load());
    failure->set_stage(stage);
    failure->set_step(stage == STAGE_PASS ? progress_->step.load() : -1);
    if (stage == STAGE_PASS) failure->set_pass(progress_->pass);
  }

  const TargetOptions& options_;
  const uint64_t request_;
  Progress* const progress_;
  FaultPlan plan_;
  Module module_;
  VariantObservation observation_;
};

class SelftestTarget : public Target {
 public:
  std::string Name() const override { return "selftest"; }
  std::string Version() const override { return kVersion; }
  absl::Status Load() override { return absl::OkStatus(); }

  std::vector<TargetSpec> DefaultSpecs() const override {
    TargetSpec spec;
    spec.set_target("selftest");
    return {spec};
  }

  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                             const PassConfig& config) const override {
    if (absl::StatusOr<FaultPlan> plan = FaultPlan::Parse(spec.options()); !plan.ok()) {
      return plan.status();
    }
    PassSequence passes = selftest::DefaultPasses();
    *passes.mutable_config() = config;
    return passes;
  }

  VariantObservation Run(const Case& test_case, const TargetSpec& spec, const PassSequence& passes,
                         const TargetOptions& options, Progress* progress) override {
    return Compilation(options, requests_++, progress).Run(test_case, spec.options(), passes);
  }

  absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec&,
                                          const PassSequence& passes, int steps) override {
    Module module = test_case.module();
    for (int i = 0; i < steps && i < passes.steps_size(); ++i) {
      if (auto changed = selftest::ApplyPass(passes.steps(i).name(), &module); !changed.ok()) {
        return changed.status();
      }
    }
    return PrintModule(module);
  }

 private:
  uint64_t requests_ = 0;
};

}  // namespace

std::unique_ptr<Target> MakeSelftestTarget() { return std::make_unique<SelftestTarget>(); }

}  // namespace irate
