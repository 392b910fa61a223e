#include "targets/c/intrinsics.h"

#include <array>
#include <set>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/scalar_ops.h"

namespace irate::c_target {
namespace {

// Intrinsics whose C function has the same name and only float arguments.
bool IsLibraryFunction(std::string_view name) {
  static const std::set<std::string_view> kFunctions = {
      "exp",  "exp2",  "exp10", "log",       "log2",  "log10", "log1p",    "sqrt",
      "sin",  "cos",   "tan",   "asin",      "acos",  "atan",  "sinh",     "cosh",
      "tanh", "asinh", "acosh", "atanh",     "erf",   "floor", "ceil",     "trunc",
      "pow",  "fabs",  "fmod",  "nearbyint", "atan2", "hypot", "copysign", "fma"};
  return kFunctions.count(name) > 0;
}

bool ComputesInFloat(ScalarType type) { return type == F16 || type == F32; }

std::string Suffixed(std::string_view function, ScalarType type) {
  return fmt::format("{}{}", function, ComputesInFloat(type) ? "f" : "");
}

std::string Unsigned(ScalarType type) { return fmt::format("uint{}_t", BitWidth(type)); }

// The neighbour of `a` towards `b` in the type's own format.
std::string NextAfterBody(Prelude* prelude, ScalarType type) {
  const std::string a = Widened(prelude, type, "a0");
  const std::string b = Widened(prelude, type, "a1");
  const int bytes = ByteSize(type);
  return fmt::format(
      "const double a = {0}, b = {1}; uint{2}_t bits; "
      "if (a != a || b != b) return a != a ? a0 : a1; if (a == b) return a1; "
      "memcpy(&bits, &a0, {3}); "
      "if (a == 0) bits = (uint{2}_t)((b < 0 ? (uint{2}_t)1 << {4} : 0) | 1); "
      "else bits = (uint{2}_t)((a < b) == (a > 0) ? bits + 1 : bits - 1); "
      "memcpy(&a0, &bits, {3}); return a0;",
      a, b, bytes * 8, bytes, bytes * 8 - 1);
}

std::string FloatIntrinsic(Prelude* prelude, std::string_view name, ScalarType type,
                           const std::vector<std::string>& operands) {
  std::vector<std::string> wide;
  for (const std::string& operand : operands) wide.push_back(Widened(prelude, type, operand));
  const std::string_view one = ComputesInFloat(type) ? "1.0f" : "1.0";
  std::string value;
  if (name == "rsqrt") {
    value = fmt::format("({} / {}({}))", one, Suffixed("sqrt", type), wide[0]);
  } else if (name == "sigmoid") {
    value = fmt::format("({0} / ({0} + {1}(-{2})))", one, Suffixed("exp", type), wide[0]);
  } else if (name == "round") {
    // Halves go to even, as TVM defines it; C's round takes them away from zero.
    value = fmt::format("{}({})", Suffixed("nearbyint", type), wide[0]);
  } else if (IsLibraryFunction(name)) {
    value = fmt::format("{}({})", Suffixed(name, type), fmt::join(wide, ", "));
  }
  return value.empty() ? value : Narrowed(prelude, type, value);
}

// x * y * 2^(s - q), rounded to nearest, halves up.
constexpr std::string_view kMultiplyShift =
    "const int left = a3 > 0 ? a3 : 0, right = a2 + (a3 > 0 ? 0 : -a3); "
    "const __int128 product = (__int128)a0 * ((__int128)1 << left) * a1; "
    "return (int32_t)((product + ((__int128)1 << (right - 1))) >> right);";

std::string IntegerIntrinsic(Prelude* prelude, std::string_view name, ScalarType result,
                             ScalarType type, const std::vector<std::string>& operands) {
  const int bits = BitWidth(type);
  if (name == "popcount" || name == "ctpop") {
    return fmt::format("(({})__builtin_popcountll(({})({})))", CType(result, 0), Unsigned(type),
                       operands[0]);
  }
  if (name == "clz") {
    const std::string helper = prelude->Function(
        fmt::format("irate_clz_{}_{}", TypeName(type), TypeName(result)), {result, 0}, {{type, 0}},
        [&] {
          return fmt::format("return ({})(a0 == 0 ? {} : __builtin_clzll(({})a0) - {});",
                             CType(result, 0), bits, Unsigned(type), 64 - bits);
        });
    return fmt::format("{}({})", helper, operands[0]);
  }
  if (name == "q_multiply_shift" && type == I32) {
    const std::string helper = prelude->Function("irate_q_multiply_shift", {I32, 0},
                                                 {{I32, 0}, {I32, 0}, {I32, 0}, {I32, 0}},
                                                 [] { return std::string(kMultiplyShift); });
    return fmt::format("{}({})", helper, fmt::join(operands, ", "));
  }
  return "";
}

}  // namespace

absl::StatusOr<std::string> ScalarIntrinsic(Prelude* prelude, std::string_view name,
                                            ScalarType result, const std::vector<ScalarType>& types,
                                            const std::vector<std::string>& operands) {
  const ScalarType type = types.empty() ? VOID : types[0];
  std::string value;
  if (IsFloat(type)) {
    if (name == "isnan" || name == "isinf" || name == "isfinite") {
      return fmt::format("(__builtin_{}({}) != 0)", name, Widened(prelude, type, operands[0]));
    }
    if (name == "nextafter") {
      const std::string helper =
          prelude->Function(fmt::format("irate_nextafter_{}", TypeName(type)), {type, 0},
                            {{type, 0}, {type, 0}}, [&] { return NextAfterBody(prelude, type); });
      return fmt::format("{}({}, {})", helper, operands[0], operands[1]);
    }
    if (name == "ldexp") {
      const std::string exponent =
          IsFloat(types[1]) ? Widened(prelude, types[1], operands[1]) : operands[1];
      return Narrowed(prelude, type,
                      fmt::format("{}({}, (int){})", Suffixed("ldexp", type),
                                  Widened(prelude, type, operands[0]), exponent));
    }
    value = FloatIntrinsic(prelude, name, type, operands);
  } else if (IsInteger(type)) {
    value = IntegerIntrinsic(prelude, name, result, type, operands);
  }
  if (value.empty()) {
    return absl::UnimplementedError(
        fmt::format("the C printer has no {} on {}", name, TypeName(type)));
  }
  return value;
}

}  // namespace irate::c_target
