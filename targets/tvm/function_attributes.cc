#include "targets/tvm/function_attributes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "targets/tvm/attributes.h"
#include "targets/tvm/node_types.h"
#include "targets/tvm/target_json.h"

namespace irate::tvm_target {
namespace {

constexpr char kGlobalSymbol[] = "global_symbol";
constexpr char kSTir[] = "s_tir";
constexpr char kTarget[] = "target";
constexpr char kNoalias[] = "noalias";
constexpr char kNativeNoalias[] = "tirx.noalias";

// The JSON of a target. A module's functions share few target objects from step to step, so the
// last ones are remembered.
const std::string& TargetJson(const Any& target) {
  static auto& cache = *new std::unordered_map<const Object*, std::pair<Any, std::string>>();
  constexpr size_t kMaxTargets = 64;
  const auto found = cache.find(ObjectOf(target));
  if (found != cache.end()) return found->second.second;
  if (cache.size() == kMaxTargets) cache.clear();
  std::string json = TargetToJson(target);
  return cache.emplace(ObjectOf(target), std::pair(target, std::move(json))).first->second.second;
}

}  // namespace

AnyMap FunctionAttributesToNative(const Function& function,
                                  const std::function<Any(const Expr&)>& lower_expr) {
  AnyMap result;
  if (!function.is_private()) result.Set(kGlobalSymbol, ffi::String(function.name()));
  for (const Attribute& attribute : function.attrs()) {
    if (attribute.key() == kTarget && attribute.value().op() == STRING) {
      result.Set(kTarget, Native<"target.Target">(ffi::String(attribute.value().name())));
      continue;
    }
    result.Set(attribute.key() == kNoalias ? kNativeNoalias : attribute.key(),
               AttributeToNative(attribute.value(), lower_expr));
  }
  result.Set(kSTir, true);
  return result;
}

bool FunctionAttributesFromNative(const ffi::Map<Any, Any>& attrs,
                                  const std::function<bool(const Object*, Expr*)>& lift_expr,
                                  Function* function, std::string* construct) {
  std::vector<std::pair<std::string, Any>> entries;
  bool is_private = true;
  for (const auto& [native_key, value] : attrs) {
    std::string key = ToString(native_key);
    if (key == kSTir) continue;
    if (key == kNativeNoalias) key = kNoalias;
    if (key == kGlobalSymbol) {
      is_private = false;
      if (ToString(value) == function->name()) continue;
    }
    entries.emplace_back(std::move(key), value);
  }
  function->set_is_private(is_private);
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, value] : entries) {
    Attribute* attribute = function->add_attrs();
    attribute->set_key(key);
    const Object* object = ObjectOf(value);
    if (object != nullptr && TypeOf(object).kind == NodeKind::kTarget) {
      attribute->mutable_value()->set_op(STRING);
      attribute->mutable_value()->set_name(TargetJson(value));
    } else if (!AttributeFromNative(value, lift_expr, attribute->mutable_value(), construct)) {
      return false;
    }
  }
  return true;
}

}  // namespace irate::tvm_target
