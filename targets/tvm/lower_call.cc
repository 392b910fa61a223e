#include <string>
#include <unordered_map>
#include <unordered_set>

#include "targets/tvm/attributes.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/literals.h"
#include "targets/tvm/llvm_intrinsics.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

// The ir.Op of an intrinsic; the operators' dialect is not part of its name in the Case IR.
const Any& FindOperator(const std::string& name) {
  static auto& known = *new std::unordered_set<std::string>([] {
    std::unordered_set<std::string> names;
    const Any list = Native<"ir.ListOpNames">();
    for (const Any& entry : Elements(ObjectOf(list))) names.insert(ToString(entry));
    return names;
  }());
  static auto& cache = *new std::unordered_map<std::string, Any>();
  Any& op = cache[name];
  if (op != nullptr) return op;
  for (const char* dialect : {"tirx.", "prim.", ""}) {
    if (!known.contains(dialect + name)) continue;
    op = Native<"ir.GetOp">(ffi::String(dialect + name));
    return op;
  }
  TVM_FFI_THROW(ValueError) << "TVM has no operator named '" << name << "'";
}

}  // namespace

Any FunctionLowering::LowerCall(const Expr& expr, const Any* pointer_type) {
  if (expr.name().starts_with('@')) {
    const auto global = globals_.find(expr.name().substr(1));
    if (global == globals_.end()) {
      TVM_FFI_THROW(ValueError) << "call of '" << expr.name() << "', which the module lacks";
    }
    const Any type = expr.type() == VOID ? NoResult() : TypeFor(expr.type(), expr.lanes());
    return MakeCall(type, global->second, LowerExprs(expr.args()));
  }
  const Any type = CallType(expr, pointer_type);
  if (expr.op() == IF_THEN_ELSE) {
    return MakeCall(
        type, FindOperator("if_then_else"),
        {LowerExpr(expr.args(0)), LowerExpr(expr.args(1), &type), LowerExpr(expr.args(2), &type)});
  }
  if (expr.op() == REINTERPRET) {
    return MakeCall(type, FindOperator("reinterpret"), LowerExprs(expr.args()));
  }
  if (IsLlvmCall(expr.name()) && expr.args_size() > 0 && expr.args(0).op() == STRING) {
    AnyArray args{IntImm(U32, LlvmIntrinsicId(expr.args(0).name()))};
    for (const Any& arg : LowerExprs(expr.args(), 1)) args.push_back(arg);
    return MakeCall(type, FindOperator(expr.name()), args);
  }
  const int last = expr.args_size() - 1;
  if (expr.name() == "call_ffi_kernel" && last >= 0 && expr.args(last).name() == kArrayCall) {
    AnyArray tags;
    for (const Expr& tag : expr.args(last).args()) tags.push_back(ffi::String(tag.name()));
    const Exprs args(expr.args().begin(), expr.args().begin() + last);
    return MakeCall(type, FindOperator(expr.name()), LowerExprs(args),
                    Native<"tirx.CallFFIKernelAttr">(tags));
  }
  return MakeCall(type, FindOperator(expr.name()), LowerExprs(expr.args()));
}

Any FunctionLowering::CallType(const Expr& expr, const Any* pointer_type) {
  if (expr.type() != HANDLE) return PrimType(expr.type(), expr.lanes());
  if (expr.name() == "address_of" && expr.args_size() == 1 && expr.args(0).op() == LOAD) {
    return DataType(expr.args(0).id());
  }
  return pointer_type != nullptr ? *pointer_type : PointerType(VOID, "");
}

Any FunctionLowering::MakeCall(const Any& type, const Any& op, const AnyArray& args,
                               const Any& attrs) {
  return Native<"ir.Call">(type, op, args, attrs, AnyArray(), nullptr);
}

}  // namespace irate::tvm_target
