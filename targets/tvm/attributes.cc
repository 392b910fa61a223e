#include "targets/tvm/attributes.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ir/types.h"
#include "targets/tvm/node_types.h"

namespace irate::tvm_target {
namespace {

void SetConst(ScalarType type, int64_t value, Expr* result) {
  result->set_op(CONST);
  result->set_type(type);
  result->set_int_value(value);
}

void SetString(std::string text, Expr* result) {
  result->set_op(STRING);
  result->set_name(std::move(text));
}

void SetCall(const char* name, Expr* result) {
  result->set_op(CALL);
  result->set_type(HANDLE);
  result->set_name(name);
}

}  // namespace

Any AttributeToNative(const Expr& value, const std::function<Any(const Expr&)>& lower_expr) {
  if (value.op() == STRING) return ffi::String(value.name());
  if (value.op() == CONST && value.lanes() == 0) {
    if (value.type() == BOOL) return value.int_value() != 0;
    if (value.type() == I32) return value.int_value();
    if (value.type() == F64) return value.float_value();
  }
  if (value.op() == CALL && value.name() == kArrayCall) {
    AnyArray array;
    for (const Expr& element : value.args())
      array.push_back(AttributeToNative(element, lower_expr));
    return array;
  }
  if (value.op() == CALL && value.name() == kMapCall) {
    AnyMap map;
    for (int i = 0; i + 1 < value.args_size(); i += 2) {
      map.Set(value.args(i).name(), AttributeToNative(value.args(i + 1), lower_expr));
    }
    return map;
  }
  return lower_expr(value);
}

bool AttributeFromNative(const Any& value,
                         const std::function<bool(const Object*, Expr*)>& lift_expr, Expr* result,
                         std::string* construct) {
  switch (value.type_index()) {
    case ffi::TypeIndex::kTVMFFIBool:
      SetConst(BOOL, value.cast<bool>() ? 1 : 0, result);
      return true;
    case ffi::TypeIndex::kTVMFFIInt: {
      const auto number = value.cast<int64_t>();
      SetConst(number >= MinValue(I32) && number <= MaxValue(I32) ? I32 : I64, number, result);
      return true;
    }
    case ffi::TypeIndex::kTVMFFIFloat:
      result->set_op(CONST);
      result->set_type(F64);
      result->set_float_value(value.cast<double>());
      return true;
    case ffi::TypeIndex::kTVMFFISmallStr:
    case ffi::TypeIndex::kTVMFFIStr:
      SetString(ToString(value), result);
      return true;
    case ffi::TypeIndex::kTVMFFIArray:
      SetCall(kArrayCall, result);
      for (const Any& element : Elements(ObjectOf(value))) {
        if (!AttributeFromNative(element, lift_expr, result->add_args(), construct)) return false;
      }
      return true;
    case ffi::TypeIndex::kTVMFFIMap: {
      std::vector<std::pair<std::string, Any>> entries;
      for (const auto& [key, entry] : value.cast<ffi::Map<Any, Any>>()) {
        if (!key.as<ffi::String>().has_value()) {
          *construct = "ffi.Map with keys of " + key.GetTypeKey();
          return false;
        }
        entries.emplace_back(ToString(key), entry);
      }
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      SetCall(kMapCall, result);
      for (const auto& [key, entry] : entries) {
        SetString(key, result->add_args());
        if (!AttributeFromNative(entry, lift_expr, result->add_args(), construct)) return false;
      }
      return true;
    }
    default:
      break;
  }
  const Object* object = ObjectOf(value);
  if (object != nullptr && TypeOf(object).kind != NodeKind::kOther) {
    if (lift_expr(object, result)) return true;
    *construct = TypeKey(object);
    return false;
  }
  *construct = value.GetTypeKey();
  return false;
}

}  // namespace irate::tvm_target
