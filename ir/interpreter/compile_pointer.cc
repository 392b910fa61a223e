// Calls about memory: addresses, TVM's structures, stack and workspace memory, packed calls.
#include <utility>

#include "fmt/format.h"
#include "ir/external.h"
#include "ir/interpreter/compiler.h"
#include "ir/interpreter/packed_api.h"

namespace irate::interp {
namespace {

constexpr std::string_view kPackedPrefix = "__tvm_ffi_";

}  // namespace

Reg FunctionCompiler::CompileArg(const Expr& expr, int index) {
  const Reg reg = CompileExpr(expr.args(index));
  if (reg.lanes != 1) Fail(fmt::format("{} of a vector", expr.name()));
  return reg;
}

bool FunctionCompiler::CompilePointer(const Expr& expr, Reg* out) {
  const std::string& name = expr.name();
  const auto handle_arg = [&](int index) {
    const Reg reg = CompileArg(expr, index);
    if (reg.type != HANDLE) Fail(fmt::format("{} of something that is no pointer", name));
    return reg.index;
  };
  const auto int_arg = [&](int index) {
    const Reg reg = CompileArg(expr, index);
    if (!IsInteger(reg.type)) Fail(fmt::format("{} of something that is no integer", name));
    return reg.index;
  };
  if (name == "address_of") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 1, 1)) return true;
    if (expr.args(0).op() == LOAD) {
      *out = CompileLoad(expr.args(0), Code::kAddressOf);
    } else {
      Fail("address_of something that is no load");
    }
    return true;
  }
  if (name == "handle_add_byte_offset" || name == "ptr_byte_offset") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 2, 3)) return true;
    const uint32_t handle = handle_arg(0);
    const uint32_t bytes = int_arg(1);
    Emit({.code = Code::kAddByteOffset, .dst = out->index, .a = handle, .b = bytes});
    return true;
  }
  if (name == "tvm_access_ptr") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 5, 5)) return true;
    const uint32_t handle = handle_arg(1);
    const uint32_t offset = int_arg(2);
    // The first argument stands for the type of an element.
    const uint32_t size =
        static_cast<uint32_t>(ByteSize(expr.args(0).type())) * Lanes(expr.args(0).lanes());
    Emit({.code = Code::kAccessPointer, .dst = out->index, .a = handle, .b = offset, .c = size});
    return true;
  }
  if (name == "isnullptr") {
    *out = NewReg(BOOL, 1);
    if (!Arity(expr, 1, 1)) return true;
    Emit({.code = Code::kIsNull, .dst = out->index, .a = handle_arg(0)});
    return true;
  }
  if (name == "TVMBackendAllocWorkspace") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 5, 5)) return true;
    Emit({.code = Code::kWorkspace, .dst = out->index, .a = int_arg(2)});
    return true;
  }
  if (name == "TVMBackendFreeWorkspace") {
    *out = NewReg(I32, 1);
    if (!Arity(expr, 3, 3)) return true;
    Emit({.code = Code::kFreeWorkspace, .dst = out->index, .a = handle_arg(2)});
    return true;
  }
  if (name == "tvm_throw_last_error") {
    EmitTrap(Trap::kReturnCode, "tvm_throw_last_error");
    *out = Nothing(expr);
    return true;
  }
  return false;
}

bool FunctionCompiler::CompileStruct(const Expr& expr, Reg* out) {
  const std::string& name = expr.name();
  if (name == "tvm_stack_alloca") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 2, 2)) return true;
    const std::string& kind = expr.args(0).name();
    const bool known = kind == "shape" || kind == "tvm_ffi_any" || kind == "array";
    const Reg count = CompileArg(expr, 1);
    if (!IsInteger(count.type)) Fail("tvm_stack_alloca of a count that is no integer");
    if (!known) EmitTrap(Trap::kUnsupported, fmt::format("tvm_stack_alloca of {}", kind));
    const StackKind stack = kind == "shape"   ? StackKind::kShape
                            : kind == "array" ? StackKind::kArray
                                              : StackKind::kAny;
    Emit({.code = Code::kStackAlloca,
          .dst = out->index,
          .a = count.index,
          .c = static_cast<uint32_t>(stack)});
    return true;
  }
  if (name == "tvm_stack_make_shape") {
    *out = NewReg(HANDLE, 1);
    std::vector<uint32_t> extents;
    for (int i = 0; i < expr.args_size(); ++i) {
      const Reg extent = CompileArg(expr, i);
      if (!IsInteger(extent.type)) Fail("tvm_stack_make_shape of something that is no integer");
      extents.push_back(extent.index);
    }
    Emit({.code = Code::kMakeShape,
          .dst = out->index,
          .b = static_cast<uint32_t>(extents.size()),
          .c = AddList(extents)});
    return true;
  }
  if (name == "tvm_stack_make_array") {
    *out = NewReg(HANDLE, 1);
    if (!Arity(expr, 6, 6)) return true;
    std::vector<uint32_t> parts;
    for (int i : {0, 1, 2, 3, 5}) parts.push_back(CompileArg(expr, i).index);
    Emit({.code = Code::kMakeArray,
          .type = expr.args(4).type(),
          .dst = out->index,
          .b = Lanes(expr.args(4).lanes()),
          .c = AddList(parts)});
    return true;
  }
  const bool is_get = name == "tvm_struct_get";
  if (!is_get && name != "tvm_struct_set") return false;
  *out = Nothing(expr);
  if (!Arity(expr, is_get ? 3 : 4, 4)) return true;
  const Reg handle = CompileArg(expr, 0);
  const Reg index = CompileArg(expr, 1);
  if (handle.type != HANDLE || !IsInteger(index.type) || expr.args(2).op() != CONST ||
      out->lanes != 1) {
    Fail(fmt::format("{} of other types than a pointer and integers", name));
    return true;
  }
  const int64_t kind = expr.args(2).int_value();
  if (is_get && kind == kTensorAddress) {
    *out = NewReg(HANDLE, 1);
    Emit({.code = Code::kAccessPointer,
          .dst = out->index,
          .a = handle.index,
          .b = index.index,
          .c = kTensorSize});
    return true;
  }
  const std::optional<StructField> field = FindStructField(kind);
  if (!field) {
    EmitTrap(Trap::kUnsupported, fmt::format("{} of field {}", name, kind));
    return true;
  }
  if (is_get) {
    const Reg read = NewReg(field->type == VOID ? expr.type() : field->type, 1);
    Emit({.code = Code::kStructGet,
          .type = read.type,
          .dst = read.index,
          .a = handle.index,
          .b = index.index,
          .c = static_cast<uint32_t>(kind)});
    if (read.type == expr.type()) {
      *out = read;
    } else if (IsInteger(read.type) && IsInteger(expr.type())) {
      Emit({.code = Code::kCast,
            .type = expr.type(),
            .aux = static_cast<uint16_t>(read.type),
            .dst = out->index,
            .a = read.index});
    } else {
      EmitTrap(Trap::kUnsupported,
               fmt::format("field {} of a structure as {}", kind, TypeName(expr.type())));
    }
    return true;
  }
  const Reg value = CompileArg(expr, 3);
  Emit({.code = Code::kStructSet,
        .type = field->type == VOID ? value.type : field->type,
        .aux = static_cast<uint16_t>(kind),
        .a = handle.index,
        .b = index.index,
        .c = AddList({value.index})});
  const bool fits = field->type == VOID || field->type == value.type ||
                    (IsInteger(field->type) && IsInteger(value.type));
  if (!fits) Fail(fmt::format("tvm_struct_set of field {} to {}", kind, TypeName(value.type)));
  return true;
}

// False: no external function of that name.
bool FunctionCompiler::CompileExternalCall(const Expr& expr, bool is_lowered, Reg* out) {
  const ExternalFunction* function = FindExternalFunction(expr.args(0).name());
  if (function == nullptr) return false;
  *out = Nothing(expr);
  const bool has_value =
      expr.type() == VOID || (IsInteger(expr.type()) && Lanes(expr.lanes()) == 1);
  if (!has_value) {
    EmitTrap(Trap::kUnsupported, fmt::format("a value of {}", function->name));
    return true;
  }
  if (expr.type() != VOID) *out = NewReg(expr.type(), 1);
  std::vector<uint32_t> parts;
  const int end = is_lowered ? 4 : expr.args_size();
  for (int i = 1; i < end; ++i) {
    const Reg part = CompileArg(expr, i);
    if (!is_lowered && part.type != HANDLE) {
      EmitTrap(Trap::kInvalidArgument, fmt::format("argument {} of {}", i - 1, function->name));
      return true;
    }
    parts.push_back(part.index);
  }
  if (!is_lowered && static_cast<int>(parts.size()) != function->arity()) {
    EmitTrap(Trap::kInvalidArgument, fmt::format("{} reads {} arguments, {} are passed",
                                                 function->name, function->arity(), parts.size()));
    return true;
  }
  Emit({.code = Code::kCallExternal,
        .type = expr.type(),
        .aux = static_cast<uint16_t>(is_lowered ? 1 : 0),
        .dst = out->index,
        .a = static_cast<uint32_t>(parts.size()),
        .b = static_cast<uint32_t>(function - ExternalFunctions().data()),
        .c = AddList(parts)});
  return true;
}

// Calls of functions of the module by their packed interface, and of external functions; any other
// is unknown here.
bool FunctionCompiler::CompilePackedCall(const Expr& expr, Reg* out) {
  const std::string& name = expr.name();
  if (name == "tvm_call_packed" && expr.args_size() > 0 &&
      expr.args(0).name() == "__tvm_set_device") {
    *out = Nothing(expr);
    return true;
  }
  if (name == "tvm_call_packed" || name == "tvm_call_cpacked") {
    return expr.args_size() > 0 && CompileExternalCall(expr, /*is_lowered=*/false, out);
  }
  if (name != "tvm_call_cpacked_lowered" && name != "tvm_call_packed_lowered") return false;
  *out = Nothing(expr);
  if (!Arity(expr, 4, 5)) return true;
  const std::string& callee = expr.args(0).name();
  for (int i = 0; i < module_.functions_size(); ++i) {
    const Function& function = module_.functions(i);
    std::string_view symbol = function.name();
    if (symbol.starts_with(kPackedPrefix)) symbol.remove_prefix(kPackedPrefix.size());
    const bool is_kernel = IsKernel(function);
    if (symbol != callee || (!is_kernel && !HasPackedParameters(function))) continue;
    std::vector<uint32_t> parts;
    for (int k = 1; k < 4; ++k) parts.push_back(CompileArg(expr, k).index);
    for (uint32_t dim : LaunchDimensions(function)) parts.push_back(dim);
    Emit({.code = is_kernel ? Code::kCallPackedKernel : Code::kCallPacked,
          .type = expr.type(),
          .aux = static_cast<uint16_t>(parts.size() - 3),
          .dst = out->index,
          .b = static_cast<uint32_t>(i),
          .c = AddList(parts)});
    return true;
  }
  if (CompileExternalCall(expr, /*is_lowered=*/true, out)) return true;
  // The one device is the one that the program runs on.
  if (callee == "__tvm_set_device") return true;
  EmitTrap(Trap::kUnsupported, fmt::format("a packed call of {}", callee));
  return true;
}

}  // namespace irate::interp
