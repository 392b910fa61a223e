// Scalar types of the Case IR and types of TVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

DLDataType ToDataType(ScalarType type, uint32_t lanes);

// The type of an expression, a variable or a buffer's elements.
struct ValueType {
  ScalarType type = VOID;
  uint32_t lanes = 0;  // as in Expr: 0 for a scalar
  // Of a HANDLE to memory of one type.
  ScalarType pointee = VOID;
  std::string scope = {};
};

// nullopt: no Case IR type (scalable vectors, 4-bit types, ...).
std::optional<ValueType> FromDataType(DLDataType dtype);

// Of an ir.Type object: prim types, pointers, and the empty tuple (VOID).
std::optional<ValueType> FromType(const Object* type);

// ir.PrimType; cached.
const Any& PrimType(ScalarType type, uint32_t lanes);
// ir.PointerType to `pointee` (VOID: untyped) in `scope` ("" is "global").
Any PointerType(ScalarType pointee, const std::string& scope);
// PrimType, or the untyped pointer for HANDLE.
Any TypeFor(ScalarType type, uint32_t lanes);
// The empty tuple: what a function or call without a result has for a type.
const Any& NoResult();

// "global" is spelt "" in the Case IR.
std::string ScopeFromNative(std::string scope);
std::string ScopeToNative(const std::string& scope);

}  // namespace irate::tvm_target
