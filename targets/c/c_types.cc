#include "targets/c/c_types.h"

#include <cmath>
#include <limits>

#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "ir/types.h"

namespace irate::c_target {
namespace {

std::string_view ScalarCType(ScalarType type) {
  switch (type) {
    case BOOL:
      return "bool";
    case I8:
      return "int8_t";
    case I16:
      return "int16_t";
    case I32:
      return "int32_t";
    case I64:
      return "int64_t";
    case U8:
    case F8E4M3FN:
    case F8E5M2:
      return "uint8_t";
    case U16:
    case BF16:
      return "uint16_t";
    case U32:
      return "uint32_t";
    case U64:
      return "uint64_t";
    case F16:
      return "_Float16";
    case F32:
      return "float";
    case F64:
      return "double";
    case HANDLE:
      return "void*";
    default:
      return "void";
  }
}

std::string Readable(std::string_view name) {
  std::string result;
  for (const char c : name) result += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const bool starts_badly = result.empty() ||
                            absl::ascii_isdigit(static_cast<unsigned char>(result[0])) ||
                            result.rfind("irate_", 0) == 0;
  return starts_badly ? "v" + result : result;
}

}  // namespace

std::string TypeSuffix(ScalarType type, uint32_t lanes) {
  return Lanes(lanes) == 1 ? std::string(TypeName(type))
                           : fmt::format("{}x{}", TypeName(type), lanes);
}

std::string CType(ScalarType type, uint32_t lanes) {
  if (Lanes(lanes) == 1) return std::string(ScalarCType(type));
  return "irate_" + TypeSuffix(type, lanes);
}

bool IsBitPattern(ScalarType type) { return type == BF16 || type == F8E4M3FN || type == F8E5M2; }

std::string CInteger(ScalarType type, int64_t value) {
  switch (type) {
    case BOOL:
      return value != 0 ? "true" : "false";
    case I32:
      return value == std::numeric_limits<int32_t>::min() ? "(-2147483647 - 1)"
                                                          : fmt::to_string(value);
    case I64:
      if (value == std::numeric_limits<int64_t>::min())
        return "(-INT64_C(9223372036854775807) - 1)";
      return value < 0 ? fmt::format("(-INT64_C({}))", -value) : fmt::format("INT64_C({})", value);
    case U32:
      return fmt::format("{}u", static_cast<uint32_t>(value));
    case U64:
      return fmt::format("UINT64_C({})", static_cast<uint64_t>(value));
    default:
      return fmt::format("({}){}", ScalarCType(type), value);
  }
}

std::string CFloat(ScalarType type, double value) {
  if (IsBitPattern(type)) {
    return fmt::format("irate_from_double_{}({})", TypeName(type), CFloat(F64, value));
  }
  std::string text;
  if (std::isnan(value)) {
    text = "__builtin_nan(\"\")";
  } else if (std::isinf(value)) {
    text = value < 0 ? "(-__builtin_inf())" : "__builtin_inf()";
  } else {
    text = fmt::format("{:a}", value);
    if (std::signbit(value)) text = "(" + text + ")";
  }
  return type == F64 ? text : fmt::format("(({}){})", ScalarCType(type), text);
}

std::string CVariableName(std::string_view name, uint32_t id) {
  return fmt::format("{}_{}", Readable(name), id);
}

std::string CBufferName(std::string_view name, uint32_t id) {
  return fmt::format("{}_b{}", Readable(name), id);
}

std::string CFunctionName(std::string_view name, uint32_t id) {
  return fmt::format("{}_f{}", Readable(name), id);
}

}  // namespace irate::c_target
