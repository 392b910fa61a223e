// Attributes of functions: their names in the Case IR and in TVM.
//
//   Case IR                  TVM
//   name, unless is_private  "global_symbol", unless an attribute of that name says otherwise
//   (always)                 "s_tir": True
//   "noalias"                "tirx.noalias"
//   "target" (STRING, JSON)  "target": target.Target
//   any other                the same name
#pragma once

#include <functional>
#include <string>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

AnyMap FunctionAttributesToNative(const Function& function,
                                  const std::function<Any(const Expr&)>& lower_expr);

// Sets `attrs` (sorted by key) and `is_private`; `function->name()` is set. False as in
// AttributeFromNative.
bool FunctionAttributesFromNative(const ffi::Map<Any, Any>& attrs,
                                  const std::function<bool(const Object*, Expr*)>& lift_expr,
                                  Function* function, std::string* construct);

}  // namespace irate::tvm_target
