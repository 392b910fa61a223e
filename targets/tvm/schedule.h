// Applies the steps of a Case's schedule with TVM's Schedule (s_tir.schedule.*), as Python would
// (tvm.s_tir.Schedule): a traced schedule of the entry function.
#pragma once

#include <string>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/schedule.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class Scheduler {
 public:
  // `module` is an ir.IRModule, `function` the name of its entry. Throws tvm::ffi::Error.
  Scheduler(const Any& module, const std::string& function);

  // Whether schedules have anything to hold on to: TVM makes none for a function without blocks.
  static bool IsSchedulable(const Any& module, const std::string& function);

  // Throws tvm::ffi::Error. One of the kind "ScheduleError" is TVM's refusal, or ours where the
  // step names a block or a loop that is not there: the module is then as before.
  void Apply(const PrimitiveInfo& primitive, const std::vector<StepArgument>& arguments);

  Any Module() const;

 private:
  Any Block(const std::string& name) const;
  Any Loop(const std::string& block, int64_t number) const;
  AnyArray Loops(const StepArgument& argument) const;
  // A loop, a block, or an array of blocks.
  Any Target(const StepArgument& argument) const;
  Any IndexMapOf(const std::string& text, const Any& block, int inputs_wanted) const;
  Any RegionsOf(const std::string& text, const Any& block) const;
  // The native arguments that one of ours stands for.
  void Append(const std::vector<StepArgument>& arguments, size_t index, AnyArray* natives) const;
  Any PadMap(const StepArgument& pad, const StepArgument& map, const Any& block) const;

  int IterCount(const Any& block) const;
  int BufferRank(const Any& block, const StepArgument& buffer) const;
  // Preconditions that TVM documents and does not check, or checks with an internal error.
  void CheckPreconditions(const PrimitiveInfo& primitive,
                          const std::vector<StepArgument>& arguments) const;
  void RequireAnnotation(const Any& target, const std::string& key) const;
  void RequireParts(const Any& loop, size_t parts) const;

  Any schedule_;
};

}  // namespace irate::tvm_target
