// Tier 1: code generation and a run of the result on guarded buffers.
#pragma once

#include "execution/api/target.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// Whether a module that went through `steps` is what code generation expects: the packed API made,
// then built-ins and intrinsics lowered.
bool IsReadyForCodegen(const google::protobuf::RepeatedPtrField<StepObservation>& steps);

// Builds `module` for `target` and runs the entry function of the Case on its inputs. Sets outputs,
// build_ms and run_ms, or the failure. A target whose code cannot run here (kind "c") is built
// only.
//
// Parameters touch the inaccessible page behind them and before them by turns, beginning with the
// seed's parity.
void BuildAndRun(const Case& test_case, const Any& module, const Any& target, Progress* progress,
                 VariantObservation* observation);

}  // namespace irate::tvm_target
