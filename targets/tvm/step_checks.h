// What is looked at around one pass beside its result: whether it does the same twice, whether it
// leaves its input alone, how much memory it takes, and what TVM's own check says of its result.
#pragma once

#include <cstdint>

#include "execution/api/target.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/faults.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class StepChecks {
 public:
  StepChecks(const TargetOptions& options, const Module& module);

  // Before the pass runs on `module`, which is held until After.
  void Before(const Any& module);
  // After it made `result`, seeded faults included: sets input_mutated and nondeterministic (with
  // TargetOptions::repeat: the pass, with its faults, is applied once more to its input, in the
  // PassContext that is in force), memory_growth, and ill_formed (with check_well_formed,
  // where the check applies: tirx.analysis.VerifyWellFormed takes no module with blocks, so not
  // before s_tir.transform.LowerOpaqueBlock;
  // and only where the check accepted the module before: a Case may have from the start what it
  // refuses).
  void After(const Any& pass, const Any& result, FaultInjection* faults, StepObservation* step);

 private:
  bool IsRepeated(const Any& pass, const Any& result, FaultInjection* faults,
                  const StepObservation& step) const;

  const bool repeat_;
  const bool check_well_formed_;
  bool has_blocks_;
  bool is_first_ = true;
  bool accepted_ = false;  // the last module that the check could be asked about
  Any before_;
  int64_t hash_ = 0;
  int64_t peak_ = 0;
};

}  // namespace irate::tvm_target
