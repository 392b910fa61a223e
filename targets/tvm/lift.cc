#include "targets/tvm/lift.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/wire.h"
#include "targets/tvm/function_attributes.h"
#include "targets/tvm/function_lift.h"
#include "targets/tvm/node_types.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

// What a tirx.PrimFunc consists of. Passes often make a new function object with the old parts.
std::vector<Any> PartsOf(const Object* prim_func) {
  const Object* attrs = Ref<"ir.BaseFunc", "attrs">(prim_func);
  return {Get<"tirx.PrimFunc", "params">(prim_func), Get<"tirx.PrimFunc", "body">(prim_func),
          Get<"tirx.PrimFunc", "ret_type">(prim_func),
          attrs == nullptr ? Any() : Get<"ir.DictAttrs", "__dict__">(attrs)};
}

bool SameParts(const std::vector<Any>& a, const std::vector<Any>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Any& x, const Any& y) { return x.same_as(y); });
}

}  // namespace

bool FunctionLift::Lift(const Object* prim_func) {
  if (TypeOf(prim_func).kind != NodeKind::kPrimFunc) return Fail(TypeKey(prim_func));
  for (const Any& entry : Elements(Ref<"tirx.PrimFunc", "params">(prim_func))) {
    const Object* var = ObjectOf(entry);
    uint32_t id = 0;
    Param* param = function_->add_params();
    if (IsBuffer(var)) {
      if (!BufferId(var, &id)) return false;
    } else {
      if (!VariableId(var, &id)) return false;
      param->set_kind(PARAM_SCALAR);
    }
    param->set_id(id);
  }
  const std::optional<ValueType> result = FromType(Ref<"tirx.PrimFunc", "ret_type">(prim_func));
  if (!result.has_value()) return Fail("tirx.PrimFunc with a result of an unknown type");
  function_->set_result(result->type);
  if (const Object* attrs = Ref<"ir.BaseFunc", "attrs">(prim_func); attrs != nullptr) {
    const auto lift_expr = [this](const Object* node, Expr* expr) { return LiftExpr(node, expr); };
    std::string construct;
    if (!FunctionAttributesFromNative(
            Get<"ir.DictAttrs", "__dict__">(attrs).cast<ffi::Map<Any, Any>>(), lift_expr, function_,
            &construct)) {
      return Fail(construct);
    }
  } else {
    function_->set_is_private(true);
  }
  const Object* body = Ref<"tirx.PrimFunc", "body">(prim_func);
  if (IsImplicitRoot(body)) {
    body = Ref<"s_tir.SBlock", "body">(Ref<"s_tir.SBlockRealize", "block">(body));
  }
  return LiftBody(body, function_->mutable_body());
}

Lifter::Lifter(const Module& source) {
  for (const Function& function : source.functions()) order_.push_back(function.name());
}

std::vector<std::pair<std::string, Any>> Lifter::FunctionsOf(const Any& module) const {
  std::map<std::string, Any> natives;
  const Any functions = Get<"ir.IRModule", "functions">(ObjectOf(module));
  for (const auto& [global, function] : functions.cast<ffi::Map<Any, Any>>()) {
    natives[ToString(Get<"ir.GlobalVar", "name_hint">(ObjectOf(global)))] = function;
  }
  std::vector<std::pair<std::string, Any>> result;
  for (const std::string& name : order_) {
    const auto found = natives.find(name);
    if (found == natives.end()) continue;
    result.emplace_back(*found);
    natives.erase(found);
  }
  result.insert(result.end(), natives.begin(), natives.end());
  return result;
}

Lifter::Outcome Lifter::Lift(const Any& module, Module* result, std::string* construct) {
  const std::vector<std::pair<std::string, Any>> natives = FunctionsOf(module);
  std::vector<std::string> present;
  bool changed = false;
  bool failed = false;
  for (const auto& [name, native] : natives) {
    present.push_back(name);
    Function* lifted = result->add_functions();
    LiftedFunction& known = functions_[name];
    const bool is_function = TypeOf(ObjectOf(native)).kind == NodeKind::kPrimFunc;
    std::vector<Any> parts = is_function ? PartsOf(ObjectOf(native)) : std::vector<Any>{native};
    if (!SameParts(parts, known.parts)) {
      known.parts = std::move(parts);
      lifted->set_name(name);
      FunctionLift lift(lifted);
      std::string bytes;
      if (lift.Lift(ObjectOf(native))) bytes = lifted->SerializeAsString();
      changed = changed || bytes.empty() || bytes != known.bytes;
      known.bytes = std::move(bytes);
      known.construct = lift.construct();
    }
    if (known.bytes.empty()) {
      failed = true;
      *construct = known.construct;
    }
  }
  if (!changed && present == present_) return Outcome::kUnchanged;
  present_ = std::move(present);
  if (failed) return Outcome::kFailed;
  for (int i = 0; i < result->functions_size(); ++i) {
    Function* function = result->mutable_functions(i);
    // A function that the pass left alone is the one of the last module.
    if (!function->name().empty()) continue;
    if (!ParseMessage(functions_[present_[static_cast<size_t>(i)]].bytes, function)) {
      *construct = "a function nested too deep";
      return Outcome::kFailed;
    }
  }
  return Outcome::kChanged;
}

}  // namespace irate::tvm_target
