#include <string>
#include <string_view>
#include <utility>

#include "targets/tvm/attributes.h"
#include "targets/tvm/function_lift.h"
#include "targets/tvm/llvm_intrinsics.h"
#include "targets/tvm/node_types.h"

namespace irate::tvm_target {
namespace {

struct Operator {
  std::string name;  // without dialect
  Op op = CALL;      // where it is an operator of the Case IR
};

// Operators are never released by the compiler.
const Operator& OperatorOf(const Object* op) {
  static auto& cache = *new absl::flat_hash_map<const Object*, Operator>();
  const auto found = cache.find(op);
  if (found != cache.end()) return found->second;
  std::string name = ToString(Get<"ir.Op", "name">(op));
  for (std::string_view dialect : {"tirx.", "prim."}) {
    if (name.starts_with(dialect)) {
      name.erase(0, dialect.size());
      break;
    }
  }
  Operator entry{.name = std::move(name)};
  if (entry.name == "if_then_else") entry.op = IF_THEN_ELSE;
  if (entry.name == "reinterpret") entry.op = REINTERPRET;
  if (entry.name == "buffer_data") entry.op = BUFFER_DATA;
  return cache.emplace(op, std::move(entry)).first->second;
}

}  // namespace

bool FunctionLift::LiftCall(const Object* node, Expr* result) {
  if (Elements(Ref<"ir.Call", "ty_args">(node)).size() != 0) {
    return Fail("ir.Call with type arguments");
  }
  if (!SetType(node, result)) return false;
  const Object* callee = Ref<"ir.Call", "op">(node);
  const Elements args(Ref<"ir.Call", "args">(node));
  switch (TypeOf(callee).kind) {
    case NodeKind::kGlobalVar:
      result->set_op(CALL);
      result->set_name("@" + ToString(Get<"ir.GlobalVar", "name_hint">(callee)));
      break;
    case NodeKind::kOp: {
      const Operator& op = OperatorOf(callee);
      result->set_op(op.op);
      if (op.op == BUFFER_DATA) {
        if (args.size() != 1 || !IsBuffer(ObjectOf(*args.begin()))) {
          return Fail("tirx.buffer_data of an expression");
        }
        uint32_t id = 0;
        if (!BufferId(ObjectOf(*args.begin()), &id)) return false;
        result->set_id(id);
        return true;
      }
      if (op.op == CALL) result->set_name(op.name);
      break;
    }
    default:
      return Fail("ir.Call of " + TypeKey(callee));
  }
  if (!LiftExprs(Ref<"ir.Call", "args">(node), result->mutable_args())) return false;
  if (IsLlvmCall(result->name()) && result->args_size() > 0 && result->args(0).op() == CONST) {
    const std::string intrinsic = LlvmIntrinsicName(result->args(0).int_value());
    result->mutable_args(0)->Clear();
    result->mutable_args(0)->set_op(STRING);
    result->mutable_args(0)->set_name(intrinsic);
  }
  return LiftLaunchParams(Ref<"ir.Call", "attrs">(node), result);
}

bool FunctionLift::LiftLaunchParams(const Object* attrs, Expr* call) {
  if (attrs == nullptr) return true;
  if (TypeOf(attrs).kind != NodeKind::kCallFFIKernelAttr) {
    return Fail("ir.Call with " + TypeKey(attrs));
  }
  Expr* params = call->add_args();
  params->set_op(CALL);
  params->set_type(HANDLE);
  params->set_name(kArrayCall);
  for (const Any& tag : Elements(Ref<"tirx.CallFFIKernelAttr", "launch_params">(attrs))) {
    params->add_args()->set_op(STRING);
    params->mutable_args(params->args_size() - 1)->set_name(ToString(tag));
  }
  return true;
}

}  // namespace irate::tvm_target
