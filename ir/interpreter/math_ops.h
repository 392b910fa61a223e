// Math functions with error bounds: docs/semantics.md, "Math functions", names the source of each
// stated accuracy.
#pragma once

#include <string_view>

#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/value.h"

namespace irate::interp {

struct MathFunction {
  enum class Kind : uint8_t {
    kMonotone,  // the ends of an interval map to the ends of its image
    kSine,      // slope at most 1, values in [-1, 1]
    kCosh,
    kTan,
    kAbs,
    kRounding,  // a step function: inconclusive within the bound of a step
    kTest,      // isnan, isinf, isfinite: the result is BOOL
    kBinary,
  };
  std::string_view name;
  Kind kind = Kind::kMonotone;
  double (*value)(double) = nullptr;
  double ulps = 0;      // stated accuracy of an implementation, in units of the last place
  double absolute = 0;  // besides: in unit roundoffs, where terms of size 1 cancel
  double low = -1e308;  // domain
  double high = 1e308;
};

// A function of one or two floats, by TVM's operator name ("exp"); nullptr if there is none. fma
// and ldexp are not among them.
const MathFunction* FindMathFunction(std::string_view name);
// The same by the C library's name ("exp", "expf") or LLVM's without its dialect, whose round takes
// halves away from zero where TVM's takes them to even.
const MathFunction* FindLibraryFunction(std::string_view name);

// `b` is read for kBinary only. The result is a float of the operands' type, or BOOL for kTest.
void ApplyMath(const MathFunction& function, const FloatFacts& t, const Cell& a, const Cell& b,
               Cell* out);

// a * 2^exponent.
void LdexpFloat(const FloatFacts& t, const Cell& a, const Cell& exponent, Cell* out);

}  // namespace irate::interp
