#include "targets/tvm/sanitize_code.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "execution/api/sanitizer.h"
#include "execution/api/target.h"
#include "execution/timer.h"
#include "targets/tvm/errors.h"
#include "targets/tvm/target_json.h"

namespace irate::tvm_target {
namespace {

Any AtLevelZero(const Any& target) {
  auto fields = Native<"target.TargetExport">(target).cast<ffi::Map<ffi::String, Any>>();
  fields.Set("opt-level", 0);
  return Native<"target.Target">(fields);
}

EmittedCode Emit(const Case& test_case, const Any& module, const Any& target, bool optimised) {
  EmittedCode code;
  const Any library = Native<"target.build.llvm">(module, target);
  code.llvm_ir = ToString(Native<"ffi.ModuleInspectSource">(library, ffi::String("ll")));
  code.entry = absl::StrCat("__tvm_ffi_", test_case.module().functions(0).name());
  code.optimised = optimised;
  return code;
}

void SetStage(Stage stage, Progress* progress) {
  if (progress == nullptr) return;
  progress->step.store(-1);
  progress->stage.store(stage);
}

}  // namespace

void SanitizeCode(const Case& test_case, const Any& module, const Any& target, Progress* progress,
                  VariantObservation* observation) {
  if (ProcessSanitizer() == nullptr) {
    observation->set_not_sanitized(
        "this worker has no sanitizer: it is irate-worker-asan that has");
    return;
  }
  if (const std::string kind = TargetKind(target); kind != "llvm") {
    observation->set_not_sanitized(absl::StrCat("code of kind ", kind, " is not LLVM IR"));
    return;
  }
  std::vector<EmittedCode> forms;
  try {
    SetStage(STAGE_BUILD, progress);
    const Timer timer;
    forms.push_back(Emit(test_case, module, AtLevelZero(target), false));
    if (test_case.inputs().seed() % kOptimisedOneIn == 0) {
      forms.push_back(Emit(test_case, module, target, true));
    }
    observation->set_build_ms(observation->build_ms() + timer.Ms());
  } catch (const ffi::Error& error) {
    *observation->mutable_failure() = DescribeError(error, STAGE_BUILD, -1, "");
    return;
  }
  SetStage(STAGE_RUN, progress);
  const Timer timer;
  ProcessSanitizer()->Run(test_case, forms, observation);
  observation->set_run_ms(observation->run_ms() + timer.Ms());
}

}  // namespace irate::tvm_target
