#include "targets/c/prelude_text.h"

namespace irate::c_target {

const std::string_view kPreludeHeader = R"(#define _GNU_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

)";

// UBSan calls these instead of its runtime's. Every kind's data starts with the place.
const std::string_view kCheckedHeader = R"(#if defined(__clang__)
struct irate_place { const char* file; uint32_t line, column; };
#define IRATE_HANDLER(name, kind)                                                           \
  __attribute__((visibility("hidden"), noreturn, no_sanitize("undefined"))) void name(      \
      const struct irate_place* place) {                                                    \
    fprintf(stderr, "line %u, column %u: %s\n", place->line, place->column, kind);          \
    fflush(stderr);                                                                         \
    _Exit(70);                                                                              \
  }
IRATE_HANDLER(__ubsan_handle_add_overflow_abort, "signed overflow in an addition")
IRATE_HANDLER(__ubsan_handle_sub_overflow_abort, "signed overflow in a subtraction")
IRATE_HANDLER(__ubsan_handle_mul_overflow_abort, "signed overflow in a multiplication")
IRATE_HANDLER(__ubsan_handle_negate_overflow_abort, "signed overflow in a negation")
IRATE_HANDLER(__ubsan_handle_divrem_overflow_abort, "division by zero or overflow in a division")
IRATE_HANDLER(__ubsan_handle_shift_out_of_bounds_abort, "shift out of range")
IRATE_HANDLER(__ubsan_handle_out_of_bounds_abort, "index out of bounds")
IRATE_HANDLER(__ubsan_handle_type_mismatch_v1_abort, "null or misaligned pointer")
IRATE_HANDLER(__ubsan_handle_alignment_assumption_abort, "a false alignment assumption")
IRATE_HANDLER(__ubsan_handle_float_cast_overflow_abort, "float out of the integer's range")
IRATE_HANDLER(__ubsan_handle_load_invalid_value_abort, "a bool that is neither 0 nor 1")
IRATE_HANDLER(__ubsan_handle_pointer_overflow_abort, "overflow in pointer arithmetic")
IRATE_HANDLER(__ubsan_handle_vla_bound_not_positive_abort, "array bound not positive")
IRATE_HANDLER(__ubsan_handle_invalid_builtin_abort, "zero passed to a bit count")
IRATE_HANDLER(__ubsan_handle_nonnull_arg_abort, "null argument")
IRATE_HANDLER(__ubsan_handle_function_type_mismatch_abort, "call through a wrong type")
IRATE_HANDLER(__ubsan_handle_builtin_unreachable, "unreachable code was reached")
IRATE_HANDLER(__ubsan_handle_missing_return, "no value was returned")
#endif

)";

namespace {

constexpr std::string_view kFail = R"(
static inline _Noreturn void irate_fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  fflush(stderr);
  _Exit(70);
}
)";

constexpr std::string_view kAssume = R"(
static inline void irate_assume(bool condition) {
  if (!condition) irate_fail("a false assumption");
}
)";

constexpr std::string_view kStep = R"(
static inline int64_t irate_step(int64_t step) {
  if (step <= 0) irate_fail("a loop whose step is not positive");
  return step;
}
)";

constexpr std::string_view kMemory = R"(
static inline void* irate_allocate(int64_t bytes) {
  void* memory = NULL;
  if (bytes < 0 || posix_memalign(&memory, 64, bytes == 0 ? 1 : (size_t)bytes) != 0)
    irate_fail("an allocation failed");
  return memory;
}
static inline void irate_release(void* slot) {
  free(*(void**)slot);
}
)";

constexpr std::string_view kIndex = R"(
static inline int64_t irate_index(int64_t index, int64_t extent, const char* dimension) {
  if (index >= 0 && index < extent) return index;
  fprintf(stderr, "index %lld out of [0, %lld): %s\n", (long long)index, (long long)extent,
          dimension);
  fflush(stderr);
  _Exit(70);
}
)";

// Of the positive value n * 2^(e - m) the bits are ((e + bias - 1) << m) + n, both for normal
// values (n >= 2^m) and for subnormal ones (e = 1 - bias), and a carry out of n is right in both.
constexpr std::string_view kEncode = R"(
static inline uint32_t irate_encode(double value, int fraction_bits, int bias, uint32_t largest,
                                    uint32_t overflow, uint32_t nan) {
  if (value != value) return nan;
  const double magnitude = __builtin_fabs(value);
  if (magnitude == 0) return 0;
  if (magnitude > 0x1p200) return overflow;
  int exponent = magnitude < 0x1p-200 ? -200 : ilogb(magnitude);
  if (exponent < 1 - bias) exponent = 1 - bias;
  const double steps = nearbyint(ldexp(magnitude, fraction_bits - exponent));
  const uint32_t bits = ((uint32_t)(exponent + bias - 1) << fraction_bits) + (uint32_t)steps;
  return bits > largest ? overflow : bits;
}
)";

constexpr std::string_view kDecode = R"(
static inline double irate_decode(uint32_t bits, int fraction_bits, int bias, uint32_t largest,
                                  bool has_infinity) {
  if (bits > largest)
    return has_infinity && bits == largest + 1 ? __builtin_inf() : __builtin_nan("");
  const uint32_t exponent = bits >> fraction_bits;
  const uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  return exponent == 0 ? ldexp(fraction, 1 - bias - fraction_bits)
                       : ldexp(fraction + (1u << fraction_bits),
                               (int)exponent - bias - fraction_bits);
}
)";

constexpr std::string_view kBf16 = R"(
static inline uint16_t irate_from_double_bf16(double value) {
  const uint32_t bits = irate_encode(value, 7, 127, 0x7f7f, 0x7f80, 0x7fc0);
  return (uint16_t)(bits | (__builtin_signbit(value) ? 0x8000u : 0u));
}
static inline double irate_to_double_bf16(uint16_t bits) {
  const double value = irate_decode(bits & 0x7fffu, 7, 127, 0x7f7f, true);
  return bits & 0x8000u ? -value : value;
}
)";

constexpr std::string_view kE4m3fn = R"(
static inline uint8_t irate_from_double_f8e4m3fn(double value) {
  const uint32_t bits = irate_encode(value, 3, 7, 0x7e, 0x7f, 0x7f);
  return (uint8_t)(bits | (__builtin_signbit(value) ? 0x80u : 0u));
}
static inline double irate_to_double_f8e4m3fn(uint8_t bits) {
  const double value = irate_decode(bits & 0x7fu, 3, 7, 0x7e, false);
  return bits & 0x80u ? -value : value;
}
)";

constexpr std::string_view kE5m2 = R"(
static inline uint8_t irate_from_double_f8e5m2(double value) {
  const uint32_t bits = irate_encode(value, 2, 15, 0x7b, 0x7c, 0x7e);
  return (uint8_t)(bits | (__builtin_signbit(value) ? 0x80u : 0u));
}
static inline double irate_to_double_f8e5m2(uint8_t bits) {
  const double value = irate_decode(bits & 0x7fu, 2, 15, 0x7b, true);
  return bits & 0x80u ? -value : value;
}
)";

}  // namespace

std::span<const PreludePiece> PreludePieces() {
  static const auto* const kPieces = new std::vector<PreludePiece>{
      {"fail", {}, kFail},
      {"assume", {"fail"}, kAssume},
      {"step", {"fail"}, kStep},
      {"memory", {"fail"}, kMemory},
      {"index", {}, kIndex},
      {"encode", {}, kEncode},
      {"decode", {}, kDecode},
      {"bf16", {"encode", "decode"}, kBf16},
      {"f8e4m3fn", {"encode", "decode"}, kE4m3fn},
      {"f8e5m2", {"encode", "decode"}, kE5m2},
  };
  return *kPieces;
}

}  // namespace irate::c_target
