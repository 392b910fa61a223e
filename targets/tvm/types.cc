#include "targets/tvm/types.h"

#include <array>
#include <map>
#include <utility>

#include "ir/types.h"
#include "targets/tvm/node_types.h"

namespace irate::tvm_target {
namespace {

struct Code {
  ScalarType type;
  uint8_t code;
  uint8_t bits;
};

constexpr std::array<Code, 17> kCodes = {{
    {VOID, kDLOpaqueHandle, 0},
    {BOOL, kDLBool, 8},
    {I8, kDLInt, 8},
    {I16, kDLInt, 16},
    {I32, kDLInt, 32},
    {I64, kDLInt, 64},
    {U8, kDLUInt, 8},
    {U16, kDLUInt, 16},
    {U32, kDLUInt, 32},
    {U64, kDLUInt, 64},
    {F16, kDLFloat, 16},
    {BF16, kDLBfloat, 16},
    {F32, kDLFloat, 32},
    {F64, kDLFloat, 64},
    {F8E4M3FN, kDLFloat8_e4m3fn, 8},
    {F8E5M2, kDLFloat8_e5m2, 8},
    {HANDLE, kDLOpaqueHandle, 64},
}};

}  // namespace

DLDataType ToDataType(ScalarType type, uint32_t lanes) {
  const Code& code = kCodes[static_cast<size_t>(type) < kCodes.size() ? type : VOID];
  const uint32_t count = code.type == VOID ? 0 : Lanes(lanes);
  return DLDataType{code.code, code.bits, static_cast<uint16_t>(count)};
}

std::optional<ValueType> FromDataType(DLDataType dtype) {
  // A scalable vector has a negative number of lanes.
  if (static_cast<int16_t>(dtype.lanes) < 0) return std::nullopt;
  for (const Code& code : kCodes) {
    if (code.code != dtype.code || code.bits != dtype.bits) continue;
    return ValueType{.type = code.type, .lanes = dtype.lanes <= 1U ? 0U : dtype.lanes};
  }
  return std::nullopt;
}

std::optional<ValueType> FromType(const Object* type) {
  if (type == nullptr) return std::nullopt;
  switch (TypeOf(type).kind) {
    case NodeKind::kPrimType:
      return FromDataType(Plain<DLDataType, "ir.PrimType", "dtype">(type));
    case NodeKind::kPointerType: {
      const std::optional<ValueType> element =
          FromType(Ref<"ir.PointerType", "element_type">(type));
      if (!element.has_value() || element->lanes != 0 || element->type == HANDLE) {
        return ValueType{.type = HANDLE};
      }
      std::string scope = ScopeFromNative(ToString(Get<"ir.PointerType", "storage_scope">(type)));
      return ValueType{.type = HANDLE, .pointee = element->type, .scope = std::move(scope)};
    }
    case NodeKind::kTupleType:
      if (Elements(Ref<"ir.TupleType", "fields">(type)).size() == 0) return ValueType{};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

const Any& PrimType(ScalarType type, uint32_t lanes) {
  static auto& cache = *new std::map<std::pair<ScalarType, uint32_t>, Any>();
  Any& entry = cache[{type, Lanes(lanes)}];
  if (entry == nullptr) entry = Native<"ir.PrimType">(ToDataType(type, lanes));
  return entry;
}

Any PointerType(ScalarType pointee, const std::string& scope) {
  return Native<"ir.PointerType">(PrimType(pointee, 0), ffi::String(ScopeToNative(scope)));
}

Any TypeFor(ScalarType type, uint32_t lanes) {
  if (type == HANDLE) return PointerType(VOID, "");
  return PrimType(type, lanes);
}

const Any& NoResult() {
  static const auto& type = *new Any(Native<"ir.TupleType">(AnyArray(), nullptr));
  return type;
}

std::string ScopeFromNative(std::string scope) { return scope == "global" ? "" : scope; }
std::string ScopeToNative(const std::string& scope) { return scope.empty() ? "global" : scope; }

}  // namespace irate::tvm_target
