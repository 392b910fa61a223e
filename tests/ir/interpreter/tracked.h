// A float value in three forms, for checking bounds: the interpreter's cell, the exact real value
// (MPFR, 200 bits), and what an adversarial but legal machine computes.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <random>
#include <utility>

#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/math_ops.h"

namespace irate::interp {

class Exact {
 public:
  Exact() { mpfr_init2(value_, 200); }
  explicit Exact(double x) : Exact() { mpfr_set_d(value_, x, MPFR_RNDN); }
  Exact(const Exact& other) : Exact() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Exact& operator=(const Exact& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  double ToDouble() const { return mpfr_get_d(value_, MPFR_RNDN); }
  // |x - this|, rounded up.
  double Distance(double x) const {
    Exact d(x);
    mpfr_sub(d.value_, d.value_, value_, MPFR_RNDA);
    return std::fabs(mpfr_get_d(d.value_, MPFR_RNDA));
  }

 private:
  mpfr_t value_;
};

struct Tracked {
  Cell cell;
  Exact exact;
  double machine = 0;
};

// Makes and combines tracked values of one type.
class Tracker {
 public:
  Tracker(ScalarType type, uint64_t seed) : facts_(FloatFactsOf(type)), random_(seed) {}

  const FloatFacts& facts() const { return facts_; }
  std::mt19937_64& random() { return random_; }
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int Pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }

  // An input: exact, whole or not.
  Tracked Leaf(double scale) {
    const double x = Pick(3) == 0 ? std::round(Uniform(-8, 8)) : Uniform(-scale, scale);
    const double value = RoundToType(facts_.type, x);
    Tracked out;
    SetFloatLeaf(value, 0, &out.cell);
    out.exact = Exact(value);
    out.machine = value;
    return out;
  }

  // What a machine may make of a result that is exact to within double: rounded to the type, or,
  // where it computes in f32 what is narrower, to f32 only.
  double Round(double x) {
    const bool wide = facts_.type != F32 && facts_.type != F64 && Pick(3) == 0;
    return wide ? RoundToType(F32, x) : RoundToType(facts_.type, x);
  }

  Tracked Add(const Tracked& a, const Tracked& b) {
    Tracked out;
    AddFloat(facts_, a.cell, b.cell, &out.cell);
    mpfr_add(out.exact.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
    out.machine = Round(a.machine + b.machine);
    return out;
  }
  Tracked Sub(const Tracked& a, const Tracked& b) {
    Tracked out;
    SubFloat(facts_, a.cell, b.cell, &out.cell);
    mpfr_sub(out.exact.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
    out.machine = Round(a.machine - b.machine);
    return out;
  }
  Tracked Mul(const Tracked& a, const Tracked& b) {
    Tracked out;
    MulFloat(facts_, a.cell, b.cell, &out.cell);
    mpfr_mul(out.exact.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
    out.machine = Round(a.machine * b.machine);
    return out;
  }
  Tracked Div(const Tracked& a, const Tracked& b) {
    Tracked out;
    DivFloat(facts_, a.cell, b.cell, &out.cell);
    mpfr_div(out.exact.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
    // As a product with the reciprocal, half of the time.
    out.machine =
        Pick(2) == 0 ? Round(a.machine / b.machine) : Round(a.machine * Round(1 / b.machine));
    return out;
  }
  Tracked Fma(const Tracked& a, const Tracked& b, const Tracked& c) {
    Tracked out;
    FmaFloat(facts_, a.cell, b.cell, c.cell, &out.cell);
    mpfr_fma(out.exact.get(), a.exact.get(), b.exact.get(), c.exact.get(), MPFR_RNDN);
    out.machine = Pick(2) == 0 ? Round(std::fma(a.machine, b.machine, c.machine))
                               : Round(Round(a.machine * b.machine) + c.machine);
    return out;
  }
  Tracked MinMax(Op op, const Tracked& a, const Tracked& b) {
    Tracked out;
    MinMaxFloat(op, facts_, a.cell, b.cell, &out.cell);
    const auto choose = op == MIN ? mpfr_min : mpfr_max;
    choose(out.exact.get(), a.exact.get(), b.exact.get(), MPFR_RNDN);
    out.machine = op == MIN ? std::min(a.machine, b.machine) : std::max(a.machine, b.machine);
    return out;
  }

  // A value with errors of its own, of size around `scale`: a few operations on leaves.
  Tracked Operand(double scale) {
    Tracked x = Leaf(scale);
    for (int steps = Pick(4); steps > 0; --steps) {
      switch (Pick(4)) {
        case 0:
          x = Add(x, Leaf(scale));
          break;
        case 1:
          x = Sub(Leaf(scale), x);
          break;
        case 2:
          x = Mul(x, Leaf(1));
          break;
        default:
          x = MinMax(Pick(2) == 0 ? MIN : MAX, x, Leaf(scale));
          break;
      }
    }
    return x;
  }

 private:
  const FloatFacts& facts_;
  std::mt19937_64 random_;
};

}  // namespace irate::interp
