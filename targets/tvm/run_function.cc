#include "targets/tvm/run_function.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "execution/timer.h"
#include "targets/tvm/call_arguments.h"
#include "targets/tvm/errors.h"
#include "targets/tvm/target_json.h"

namespace irate::tvm_target {
namespace {

void SetFailure(Failure::Kind kind, Stage stage, std::string message,
                VariantObservation* observation) {
  Failure* failure = observation->mutable_failure();
  failure->set_kind(kind);
  failure->set_stage(stage);
  failure->set_step(-1);
  failure->set_message(std::move(message));
}

void SetStage(Stage stage, Progress* progress) {
  if (progress == nullptr) return;
  progress->step.store(-1);
  progress->stage.store(stage);
}

}  // namespace

bool IsReadyForCodegen(const google::protobuf::RepeatedPtrField<StepObservation>& steps) {
  bool packed = false;
  bool builtins = false;
  bool intrinsics = false;
  for (const StepObservation& step : steps) {
    if (step.outcome() != StepObservation::CHANGED &&
        step.outcome() != StepObservation::UNCHANGED) {
      continue;
    }
    if (step.pass() == "tirx.transform.MakePackedAPI") packed = true;
    if (step.pass() == "tirx.transform.LowerTVMBuiltin") builtins = packed;
    if (step.pass() == "tirx.transform.LowerIntrin") intrinsics = packed;
  }
  return packed && builtins && intrinsics;
}

void BuildAndRun(const Case& test_case, const Any& module, const Any& target, Progress* progress,
                 VariantObservation* observation) {
  const Function& function = test_case.module().functions(0);
  absl::StatusOr<CallArguments> arguments = MakeCallArguments(function, test_case.inputs());
  if (!arguments.ok()) {
    SetFailure(Failure::HARNESS, STAGE_RUN, std::string(arguments.status().message()), observation);
    return;
  }
  Stage stage = STAGE_BUILD;
  try {
    SetStage(stage, progress);
    const CpuTimer build_timer;
    const std::string kind = TargetKind(target);
    const Any library = ffi::Function::GetGlobalRequired("target.build." + kind)(module, target);
    if (kind != "llvm") {
      observation->set_build_ms(build_timer.Ms());
      return;
    }
    // Compiles: the library is made at the first look at it.
    const Any entry = Native<"ffi.ModuleGetFunction">(library, ffi::String(function.name()), true);
    observation->set_build_ms(build_timer.Ms());

    stage = STAGE_RUN;
    SetStage(stage, progress);
    const CpuTimer run_timer;
    Any result;
    entry.cast<ffi::Function>().CallPacked(arguments->values.data(),
                                           static_cast<int32_t>(arguments->values.size()), &result);
    observation->set_run_ms(run_timer.Ms());
  } catch (const ffi::Error& error) {
    *observation->mutable_failure() = DescribeError(error, stage, -1, "");
    return;
  }
  for (const std::unique_ptr<TensorArgument>& tensor : arguments->tensors) {
    if (std::string violation = tensor->Violation(); !violation.empty()) {
      SetFailure(Failure::SANITIZER, STAGE_RUN, std::move(violation), observation);
      observation->mutable_failure()->set_error_kind("out-of-bounds-write");
      return;
    }
  }
  for (const std::unique_ptr<TensorArgument>& tensor : arguments->tensors) {
    *observation->add_outputs() = tensor->Collect();
  }
}

}  // namespace irate::tvm_target
