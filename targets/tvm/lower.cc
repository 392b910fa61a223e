#include "targets/tvm/lower.h"

#include <string>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "targets/tvm/attributes.h"
#include "targets/tvm/function_attributes.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

Any MakeAttrs(const AnyMap& entries) {
  static const int64_t dict_attrs = [] {
    TVMFFIByteArray key = ffi::reflection::AsByteArray("ir.DictAttrs");
    int32_t index = 0;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&key, &index));
    return int64_t{index};
  }();
  return Native<"ffi.MakeObjectFromPackedArgs">(dict_attrs, ffi::String("__dict__"), entries);
}

}  // namespace

Any FunctionLowering::Lower() {
  AnyArray params;
  for (const Param& param : function_.params()) {
    params.push_back(param.kind() == PARAM_BUFFER ? Buffer(param.id()) : Variable(param.id()));
  }
  const Any body = LowerBody(function_.body());
  const Any result = function_.result() == VOID ? NoResult() : Any(TypeFor(function_.result(), 0));
  const AnyMap attrs =
      FunctionAttributesToNative(function_, [this](const Expr& expr) { return LowerExpr(expr); });
  const Any function = Native<"tirx.PrimFunc">(params, body, result, MakeAttrs(attrs), nullptr);
  if (!has_blocks_) return function;
  // Adds the root block and the access regions that blocks do not state.
  return Native<"script.Complete">(function, AnyArray(), true);
}

absl::StatusOr<Any> LowerModule(const Module& module) {
  try {
    std::unordered_map<std::string, Any> globals;
    for (const Function& function : module.functions()) {
      globals[function.name()] = Native<"ir.GlobalVar">(ffi::String(function.name()));
    }
    ffi::Map<Any, Any> functions;
    for (const Function& function : module.functions()) {
      try {
        functions.Set(globals.at(function.name()), FunctionLowering(function, globals).Lower());
      } catch (const ffi::Error& error) {
        return absl::InvalidArgumentError(
            absl::StrCat("function ", function.name(), ": ", error.kind(), ": ", error.message()));
      }
    }
    return Native<"ir.IRModule">(functions, nullptr, ffi::Map<Any, Any>());
  } catch (const ffi::Error& error) {
    return absl::InvalidArgumentError(absl::StrCat(error.kind(), ": ", error.message()));
  }
}

}  // namespace irate::tvm_target
