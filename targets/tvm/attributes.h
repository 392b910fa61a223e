// Values of attributes and annotations: TVM keeps them as plain values, not as expressions.
//
//   Case IR              TVM
//   CONST BOOL           bool
//   CONST I32            int
//   CONST F64            float
//   STRING               str
//   CALL "array"         Array of such values; of type HANDLE
//   CALL "map"           Map from str: key, value, key, value, ...; of type HANDLE
//   any other            an expression
//
// An int that does not fit I32 lifts to CONST I64; the rest reads back as it was.
#pragma once

#include <functional>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

inline constexpr char kArrayCall[] = "array";
inline constexpr char kMapCall[] = "map";
// The value of an attribute on a reducer, with the reducer (ir/intrinsics.cc).
inline constexpr char kReducerCall[] = "comm_reducer";

Any AttributeToNative(const Expr& value, const std::function<Any(const Expr&)>& lower_expr);

// False if the value, or an expression that `lift_expr` refuses, has no Case IR; `value`'s type key
// is then in `construct`.
bool AttributeFromNative(const Any& value,
                         const std::function<bool(const Object*, Expr*)>& lift_expr, Expr* result,
                         std::string* construct);

}  // namespace irate::tvm_target
