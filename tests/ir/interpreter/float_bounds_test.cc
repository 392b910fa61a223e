// Float bounds against MPFR: no value, the interpreter's or a legal machine's, is further from the
// exact real value than the bound says.
//
// IRATE_BOUND_VALUES sets the number of values per operator and type (1000000 for the long run).
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "gtest/gtest.h"
#include "ir/types.h"
#include "tests/ir/interpreter/tracked.h"

namespace irate::interp {
namespace {

constexpr ScalarType kTypes[] = {F32, F64, F16, BF16, F8E4M3FN, F8E5M2};

int Values() {
  const char* value = std::getenv("IRATE_BOUND_VALUES");
  return value == nullptr ? 1'000 : std::atoi(value);
}

struct Tally {
  int judged = 0;
  int violations = 0;
  double worst = 0;  // largest share of its bound that an error took
};

void Check(const Tracked& value, Tally* tally) {
  if ((value.cell.flags & kDoubt) != 0) return;
  ++tally->judged;
  const double bound = Bound(value.cell);
  const double error =
      std::max(value.exact.Distance(value.cell.f), value.exact.Distance(value.machine));
  if (error == 0) return;
  tally->worst = std::max(tally->worst, bound == 0 ? INFINITY : error / bound);
  if (error > bound) {
    ++tally->violations;
    ADD_FAILURE() << "value " << value.cell.f << ", machine " << value.machine << ", exact "
                  << value.exact.ToDouble() << ", bound " << bound;
  }
}

double ScaleOf(ScalarType type) { return type == F8E4M3FN || type == F8E5M2 ? 2 : 8; }

// At least this share of values must be judged, or the check would be empty.
void Report(std::string_view name, ScalarType type, const Tally& tally, int values,
            double least_share) {
  EXPECT_EQ(tally.violations, 0) << name << " " << TypeName(type);
  EXPECT_GE(tally.judged, least_share * values) << name << " " << TypeName(type);
  ::testing::Test::RecordProperty(std::string(name) + "_" + std::string(TypeName(type)),
                                  std::to_string(tally.worst));
}

// A test of its own for each type, so that a long run can be split.
class FloatBoundsOfType : public testing::TestWithParam<ScalarType> {};
INSTANTIATE_TEST_SUITE_P(All, FloatBoundsOfType, testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(TypeName(info.param)); });

TEST(FloatBounds, Arithmetic) {
  using Apply = std::function<Tracked(Tracker&, double)>;
  const std::map<std::string, Apply> operators = {
      {"add", [](Tracker& t, double s) { return t.Add(t.Operand(s), t.Operand(s)); }},
      {"sub", [](Tracker& t, double s) { return t.Sub(t.Operand(s), t.Operand(s)); }},
      {"mul", [](Tracker& t, double s) { return t.Mul(t.Operand(s), t.Operand(s)); }},
      {"div", [](Tracker& t, double s) { return t.Div(t.Operand(s), t.Operand(s)); }},
      {"fma", [](Tracker& t, double s) { return t.Fma(t.Operand(s), t.Operand(s), t.Operand(s)); }},
      {"min", [](Tracker& t, double s) { return t.MinMax(MIN, t.Operand(s), t.Operand(s)); }},
      {"max", [](Tracker& t, double s) { return t.MinMax(MAX, t.Operand(s), t.Operand(s)); }},
  };
  const int values = Values();
  for (ScalarType type : kTypes) {
    for (const auto& [name, apply] : operators) {
      Tracker tracker(type, 17);
      Tally tally;
      for (int i = 0; i < values && tally.violations == 0; ++i) {
        Check(apply(tracker, ScaleOf(type)), &tally);
      }
      Report(name, type, tally, values, name == "div" ? 0.3 : 0.7);
    }
  }
}

TEST(FloatBounds, DeepExpressions) {
  const int values = Values();
  for (ScalarType type : kTypes) {
    Tracker tracker(type, 23);
    Tally tally;
    for (int i = 0; i < values && tally.violations == 0; ++i) {
      Tracked x = tracker.Operand(ScaleOf(type));
      for (int depth = 0; depth < 6; ++depth) {
        const Tracked y = tracker.Operand(2);
        switch (tracker.Pick(5)) {
          case 0:
            x = tracker.Mul(x, y);
            break;
          case 1:
            x = tracker.Div(x, y);
            break;
          case 2:
            x = tracker.Fma(x, y, x);
            break;
          case 3:
            x = tracker.Sub(x, y);
            break;
          default:
            x = tracker.Add(y, x);
            break;
        }
        Check(x, &tally);
      }
    }
    Report("deep", type, tally, values, 0.5);
  }
}

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

int Sigmoid(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_neg(out, x, round);
  mpfr_exp(out, out, round);
  mpfr_add_ui(out, out, 1, round);
  return mpfr_ui_div(out, 1, out, round);
}
int Floor(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_floor(out, x); }
int Ceil(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_ceil(out, x); }
int Trunc(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_trunc(out, x); }
int Round(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_rint(out, x, MPFR_RNDN); }

const std::map<std::string, MpfrFunction>& Functions() {
  static const std::map<std::string, MpfrFunction> functions = {
      {"exp", mpfr_exp},        {"exp2", mpfr_exp2},   {"exp10", mpfr_exp10}, {"log", mpfr_log},
      {"log2", mpfr_log2},      {"log10", mpfr_log10}, {"log1p", mpfr_log1p}, {"sqrt", mpfr_sqrt},
      {"rsqrt", mpfr_rec_sqrt}, {"sigmoid", Sigmoid},  {"sin", mpfr_sin},     {"cos", mpfr_cos},
      {"tan", mpfr_tan},        {"asin", mpfr_asin},   {"acos", mpfr_acos},   {"atan", mpfr_atan},
      {"sinh", mpfr_sinh},      {"cosh", mpfr_cosh},   {"tanh", mpfr_tanh},   {"asinh", mpfr_asinh},
      {"acosh", mpfr_acosh},    {"atanh", mpfr_atanh}, {"erf", mpfr_erf},     {"fabs", mpfr_abs},
      {"floor", Floor},         {"ceil", Ceil},        {"trunc", Trunc},      {"round", Round},
      {"nearbyint", Round},
  };
  return functions;
}

// What a machine may give for an exact result: off by up to the stated accuracy.
double Perturb(Tracker& t, const MathFunction& f, double exact) {
  const double ulp = std::max(2 * t.facts().u * std::fabs(exact), t.facts().tiny);
  return t.Round(exact + t.Uniform(-0.4, 0.4) * f.ulps * ulp);
}

TEST_P(FloatBoundsOfType, MathFunctions) {
  const ScalarType type = GetParam();
  const int values = Values();
  for (const auto& [name, mpfr] : Functions()) {
    const MathFunction* function = FindMathFunction(name);
    ASSERT_NE(function, nullptr) << name;
    Tracker tracker(type, 29);
    Tally tally;
    const bool is_step = function->kind == MathFunction::Kind::kRounding;
    const bool unit = name == "asin" || name == "acos" || name == "atanh";
    for (int i = 0; i < values && tally.violations == 0; ++i) {
      const Tracked x = tracker.Operand(unit ? 0.4 : 4);
      Tracked y;
      ApplyMath(*function, tracker.facts(), x.cell, x.cell, &y.cell);
      mpfr(y.exact.get(), x.exact.get(), MPFR_RNDN);
      Exact at_machine(x.machine);
      mpfr(at_machine.get(), at_machine.get(), MPFR_RNDN);
      y.machine = is_step || name == "fabs" ? at_machine.ToDouble()
                                            : Perturb(tracker, *function, at_machine.ToDouble());
      Check(y, &tally);
    }
    // Domains cut away a part, and near ties much of what has errors in narrow types.
    Report(name, type, tally, values, 0.1);
  }
}

// An error of an f64 is about as small as the spacing of doubles, in which it is computed.
TEST(FloatBounds, ErrorsNearTheSpacingOfDoublesAreNotRoundedAway) {
  const FloatFacts& facts = FloatFactsOf(F64);
  const double x = 91.6;
  const double spacing = std::nextafter(x, INFINITY) - x;
  for (double spacings : {0.3, 0.45, 1.1, 1.4, 2.3}) {
    Cell operand;
    SetFloatTerm(x, spacings * spacing, 0, &operand);
    Cell power;
    ApplyMath(*FindMathFunction("exp"), facts, operand, operand, &power);
    EXPECT_GE(Bound(power), std::exp(x) * std::expm1(spacings * spacing)) << spacings;
    // Four spacings above a whole number: a machine's value may be below it.
    SetFloatTerm(64 + 4 * spacing, spacings * spacing, 0, &operand);
    Cell whole;
    ApplyMath(*FindMathFunction("floor"), facts, operand, operand, &whole);
    EXPECT_EQ((whole.flags & kDoubt) != 0, spacings > 2) << spacings;
  }
}

TEST_P(FloatBoundsOfType, BinaryFunctions) {
  const ScalarType type = GetParam();
  using Mpfr = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  const std::map<std::string, Mpfr> functions = {
      {"pow", mpfr_pow}, {"atan2", mpfr_atan2}, {"hypot", mpfr_hypot}, {"fmod", mpfr_fmod}};
  const int values = Values();
  for (const auto& [name, mpfr] : functions) {
    const MathFunction& function = *FindMathFunction(name);
    Tracker tracker(type, 31);
    Tally tally;
    for (int i = 0; i < values && tally.violations == 0; ++i) {
      Tracked x = tracker.Operand(3);
      if (name == "pow" && tracker.Pick(2) == 0) x = tracker.MinMax(MAX, x, tracker.Leaf(2));
      const Tracked y = tracker.Operand(2);
      Tracked z;
      ApplyMath(function, tracker.facts(), x.cell, y.cell, &z.cell);
      mpfr(z.exact.get(), x.exact.get(), y.exact.get(), MPFR_RNDN);
      Exact at_machine(x.machine);
      const Exact second(y.machine);
      mpfr(at_machine.get(), at_machine.get(), second.get(), MPFR_RNDN);
      z.machine = name == "fmod" ? tracker.Round(at_machine.ToDouble())
                                 : Perturb(tracker, function, at_machine.ToDouble());
      Check(z, &tally);
    }
    Report(name, type, tally, values, 0.1);
  }
}

// All of f16, as the C library computes it in f32 and in f64.
TEST(FloatBounds, EveryHalf) {
  const FloatFacts& facts = FloatFactsOf(F16);
  for (const auto& [name, mpfr] : Functions()) {
    const MathFunction& function = *FindMathFunction(name);
    int judged = 0;
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      Cell x;
      SetFloatLeaf(DecodeFloat(F16, bits), 0, &x);
      if (!std::isfinite(x.f)) continue;
      Cell y;
      ApplyMath(function, facts, x, x, &y);
      if ((y.flags & kDoubt) != 0) continue;
      ++judged;
      Exact exact(x.f);
      mpfr(exact.get(), exact.get(), MPFR_RNDN);
      ASSERT_LE(exact.Distance(y.f), Bound(y)) << name << "(" << x.f << ") = " << y.f;
      ASSERT_EQ(y.f, RoundToType(F16, y.f));
      // The correctly rounded result is among those that are accepted, and so is its neighbour.
      const double rounded = RoundToType(F16, exact.ToDouble());
      ASSERT_LE(std::fabs(rounded - y.f), 2 * Bound(y) + 0.0) << name << "(" << x.f << ")";
    }
    EXPECT_GT(judged, name == "acosh" || name == "exp10" || name == "atanh" ? 2'000 : 10'000)
        << name;
  }
}

TEST(FloatBounds, CastsBetweenTypes) {
  const int values = Values();
  for (ScalarType from : kTypes) {
    for (ScalarType to : kTypes) {
      Tracker tracker(from, 37);
      Tally tally;
      for (int i = 0; i < values && tally.violations == 0; ++i) {
        const Tracked x = tracker.Operand(ScaleOf(to));
        Tracked y;
        CastFloat(tracker.facts(), FloatFactsOf(to), x.cell, &y.cell);
        y.exact = x.exact;
        y.machine = RoundToType(to, x.machine);
        Check(y, &tally);
      }
      Report("cast_" + std::string(TypeName(from)), to, tally, values, 0.5);
    }
  }
}

}  // namespace
}  // namespace irate::interp
