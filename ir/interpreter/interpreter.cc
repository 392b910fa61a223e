#include "ir/interpreter.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/interpreter/compiler.h"
#include "ir/interpreter/entry.h"
#include "ir/interpreter/rebind.h"
#include "ir/interpreter/vm.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

using interp::Trap;

Interpretation::Status StatusOf(Trap trap) {
  switch (trap) {
    case Trap::kNone:
      return Interpretation::DEFINED;
    case Trap::kFuel:
    case Trap::kMemory:
      return Interpretation::OUT_OF_FUEL;
    case Trap::kUnsupported:
      return Interpretation::UNSUPPORTED;
    default:
      return Interpretation::UNDEFINED;
  }
}

void SetTrap(Trap trap, const std::string& detail, const std::string& place,
             Interpretation* result) {
  result->set_status(StatusOf(trap));
  std::string reason(interp::TrapText(trap));
  if (!detail.empty()) reason += ": " + detail;
  result->set_reason(reason);
  result->set_place(place);
}

void ReadOutputs(const std::vector<interp::BoundArgument>& arguments, const Function& described,
                 interp::Vm* vm, Interpretation* result) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_scalar) continue;
    int64_t poisoned = -1;
    *result->add_outputs() =
        interp::ReadOutput(arguments[i], vm->global_flags(), &vm->memory(), &poisoned);
    if (poisoned < 0 || result->status() != Interpretation::DEFINED) continue;
    const uint32_t id = described.params(static_cast<int>(i)).id();
    SetTrap(Trap::kPoisonUse,
            fmt::format("element {} of output {}", poisoned,
                        described.buffers(static_cast<int>(id)).name()),
            "the end", result);
  }
}

}  // namespace

absl::StatusOr<Interpretation> Interpret(const Module& module, const Inputs& original_inputs,
                                         const InterpretOptions& options) {
  IRATE_ASSIGN_OR_RETURN(const interp::Program program, interp::CompileModule(module));
  const Function& entry = module.functions(0);
  const bool packed = options.signature != nullptr && interp::IsPackedEntry(entry);
  const Function& described = packed ? *options.signature : entry;
  Inputs inputs = original_inputs;
  if (options.signature != nullptr && !packed) {
    IRATE_ASSIGN_OR_RETURN(inputs,
                           interp::RebindInputs(*options.signature, original_inputs, entry));
  }
  interp::Vm vm(program, options);
  absl::StatusOr<std::vector<interp::BoundArgument>> arguments =
      interp::BindArguments(described, inputs, &vm.memory());
  Interpretation result;
  if (absl::IsResourceExhausted(arguments.status())) {
    SetTrap(Trap::kMemory, std::string(arguments.status().message()), "the start", &result);
    return result;
  }
  if (!arguments.ok()) return arguments.status();
  const bool finished = packed ? interp::RunPacked(*arguments, interp::DeviceTypeOf(entry), &vm)
                               : interp::RunDirect(*arguments, described, inputs, &vm);
  result.set_steps(vm.steps());
  result.set_status(Interpretation::DEFINED);
  if (finished) {
    ReadOutputs(*arguments, described, &vm, &result);
  } else {
    SetTrap(vm.trap(), vm.detail(), vm.place(), &result);
  }
  return result;
}

}  // namespace irate
