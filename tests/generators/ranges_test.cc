// Proven ranges against brute force: random expressions over a few small loops, evaluated at every
// iteration.
#include "generators/ranges.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "generators/choice.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "ir/types.h"

namespace irate {
namespace {

using build::Binary;
using build::I32Const;

using Values = std::map<uint32_t, int64_t>;

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// nullopt where the expression is undefined.
std::optional<int64_t> Evaluate(const Expr& expr, const Values& values) {
  std::vector<int64_t> args;
  for (const Expr& arg : expr.args()) {
    const std::optional<int64_t> value = Evaluate(arg, values);
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  const bool divides = expr.op() >= TRUNC_DIV && expr.op() <= FLOOR_MOD;
  if (divides && args[1] == 0) return std::nullopt;
  switch (expr.op()) {
    case CONST:
      return expr.int_value();
    case VAR:
      return values.at(expr.id());
    case ADD:
      return args[0] + args[1];
    case SUB:
      return args[0] - args[1];
    case MUL:
      return args[0] * args[1];
    case TRUNC_DIV:
      return args[0] / args[1];
    case TRUNC_MOD:
      return args[0] % args[1];
    case FLOOR_DIV:
      return FloorDiv(args[0], args[1]);
    case FLOOR_MOD:
      return args[0] - FloorDiv(args[0], args[1]) * args[1];
    case MIN:
      return std::min(args[0], args[1]);
    case MAX:
      return std::max(args[0], args[1]);
    case BIT_AND:
      return args[0] & args[1];
    case BIT_OR:
      return args[0] | args[1];
    case BIT_XOR:
      return args[0] ^ args[1];
    case BIT_NOT:
      return ~args[0];
    case SHL:
      return args[0] * (int64_t{1} << args[1]);
    case SHR:
      return args[0] >> args[1];
    case LT:
      return args[0] < args[1];
    case LE:
      return args[0] <= args[1];
    case GT:
      return args[0] > args[1];
    case GE:
      return args[0] >= args[1];
    case EQ:
      return args[0] == args[1];
    case NE:
      return args[0] != args[1];
    case AND:
      return args[0] != 0 && args[1] != 0;
    case OR:
      return args[0] != 0 || args[1] != 0;
    case NOT:
      return args[0] == 0;
    case SELECT:
      return args[0] != 0 ? args[1] : args[2];
    default:
      ADD_FAILURE() << OpName(expr.op());
      return std::nullopt;
  }
}

struct Loop {
  uint32_t variable;
  Expr min;
  Expr extent;
  int64_t step;
};

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : choices_(seed) {
    const int64_t count = choices_.Range(1, 3);
    for (int64_t i = 0; i < count; ++i) AddLoop();
    if (choices_.Chance(1, 2)) condition_ = Condition(2);
  }

  const RangeAnalysis& ranges() {
    if (condition_) ranges_.Assume(*condition_);
    return ranges_;
  }
  Function& function() { return function_; }

  Expr Expression(int depth) {
    if (depth == 0 || choices_.Chance(1, 5)) return Leaf();
    switch (choices_.Range(0, 9)) {
      case 0:
      case 1:
      case 2:
        return Binary(choices_.Chance(1, 2) ? ADD : SUB, Expression(depth - 1),
                      Expression(depth - 1));
      case 3:
        return Binary(MUL, Expression(depth - 1), I32Const(choices_.Range(-3, 4)));
      case 4: {
        constexpr Op kOps[] = {TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD};
        const int64_t divisor = choices_.Range(1, 6);
        return Binary(kOps[choices_.Range(0, 3)], Expression(depth - 1),
                      choices_.Chance(1, 5) ? Expression(0)
                                            : I32Const(choices_.Chance(1, 3) ? -divisor : divisor));
      }
      case 5:
        return Binary(choices_.Chance(1, 2) ? MIN : MAX, Expression(depth - 1),
                      Expression(depth - 1));
      case 6: {
        constexpr Op kOps[] = {BIT_AND, BIT_OR, BIT_XOR};
        return Binary(kOps[choices_.Range(0, 2)], Expression(depth - 1), Expression(depth - 1));
      }
      case 7:
        return Binary(choices_.Chance(1, 2) ? SHL : SHR, Expression(depth - 1),
                      I32Const(choices_.Range(0, 4)));
      case 8:
        return build::Select(Condition(1), Expression(depth - 1), Expression(depth - 1));
      default:
        return Binary(MUL, Expression(depth - 1), Expression(depth - 1));
    }
  }

  // Calls `visit` at every iteration in which the condition holds.
  void ForEach(const std::function<void(const Values&)>& visit) const {
    Values values;
    Visit(0, &values, visit);
  }

 private:
  void AddLoop() {
    Loop loop;
    const bool triangular = !loops_.empty() && choices_.Chance(1, 3);
    Expr outer = triangular ? build::Var(function_, loops_.back().variable) : I32Const(0);
    loop.variable = build::AddVariable(&function_, "i", I32);
    loop.min = I32Const(choices_.Range(-4, 4));
    loop.extent = I32Const(choices_.Range(1, 6));
    loop.step = choices_.Chance(1, 5) ? choices_.Range(2, 3) : 1;
    if (triangular) {
      switch (choices_.Range(0, 2)) {
        case 0:
          loop.min = outer;
          break;
        case 1:
          loop.extent = Binary(ADD, outer, I32Const(choices_.Range(1, 5)));
          break;
        default:
          loop.extent = Binary(SUB, I32Const(choices_.Range(3, 8)), outer);
          break;
      }
      loop.step = 1;
    }
    ranges_.DefineLoop(loop.variable, loop.min, loop.extent, loop.step);
    loops_.push_back(loop);
  }

  Expr Leaf() {
    if (choices_.Chance(1, 4)) return I32Const(choices_.Range(-9, 9));
    const auto picked =
        static_cast<size_t>(choices_.Range(0, static_cast<int64_t>(loops_.size()) - 1));
    return build::Var(function_, loops_[picked].variable);
  }

  Expr Condition(int depth) {
    if (depth > 0 && choices_.Chance(1, 3)) {
      switch (choices_.Range(0, 2)) {
        case 0:
          return build::Unary(NOT, Condition(depth - 1));
        case 1:
          return Binary(AND, Condition(depth - 1), Condition(depth - 1));
        default:
          return Binary(OR, Condition(depth - 1), Condition(depth - 1));
      }
    }
    constexpr Op kOps[] = {LT, LE, GT, GE, EQ, NE};
    Expr a = choices_.Chance(1, 3) ? Binary(MUL, Leaf(), I32Const(choices_.Range(-3, 3))) : Leaf();
    Expr b = choices_.Chance(1, 3) ? Binary(ADD, Leaf(), I32Const(choices_.Range(-3, 3))) : Leaf();
    return Binary(kOps[choices_.Range(0, 5)], std::move(a), std::move(b));
  }

  void Visit(size_t depth, Values* values, const std::function<void(const Values&)>& visit) const {
    if (depth == loops_.size()) {
      if (!condition_ || Evaluate(*condition_, *values).value_or(0) != 0) visit(*values);
      return;
    }
    const Loop& loop = loops_[depth];
    const int64_t min = Evaluate(loop.min, *values).value_or(0);
    const int64_t end = min + Evaluate(loop.extent, *values).value_or(0);
    for (int64_t i = min; i < end; i += loop.step) {
      (*values)[loop.variable] = i;
      Visit(depth + 1, values, visit);
    }
  }

  ChoiceSource choices_;
  Function function_;
  RangeAnalysis ranges_;
  std::vector<Loop> loops_;
  std::optional<Expr> condition_;
};

TEST(Ranges, HoldAtEveryIterationOfRandomPrograms) {
  int64_t checked = 0;
  int64_t tight = 0;
  int64_t expressions = 0;
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    RandomProgram program(seed);
    const Expr expr = program.Expression(3);
    const Interval interval = program.ranges().Of(expr);
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    program.ForEach([&](const Values& values) {
      const std::optional<int64_t> value = Evaluate(expr, values);
      if (!value) return;
      ++checked;
      least = std::min(least, *value);
      most = std::max(most, *value);
      ASSERT_TRUE(interval.Contains(*value))
          << "seed " << seed << ": " << PrintExpr(program.function(), expr) << " is " << *value
          << ", not in [" << interval.lo << ", " << interval.hi << "] by " << interval.stride;
      ASSERT_GE(interval.magnitude, std::abs(*value));
    });
    if (HasFatalFailure()) return;
    if (least > most) continue;
    ++expressions;
    tight += interval.lo == least && interval.hi == most ? 1 : 0;
  }
  EXPECT_GT(checked, 200'000);
  // An analysis that says "anything" would hold too.
  EXPECT_GT(static_cast<double>(tight) / static_cast<double>(expressions), 0.5);
}

class NestTest : public testing::Test {
 protected:
  NestTest() {
    n_ = build::AddVariable(&function_, "n", I32);
    i_ = build::AddVariable(&function_, "i", I32);
    j_ = build::AddVariable(&function_, "j", I32);
    ranges_.DefineInterval(n_, Interval::Bounds(1, 1000));
    ranges_.DefineLoop(i_, I32Const(0), Var(n_));
    ranges_.DefineLoop(j_, I32Const(0), Binary(ADD, Var(i_), I32Const(1)));
  }
  Expr Var(uint32_t id) const { return build::Var(function_, id); }

  Function function_;
  RangeAnalysis ranges_;
  uint32_t n_ = 0;
  uint32_t i_ = 0;
  uint32_t j_ = 0;
};

TEST_F(NestTest, SymbolicBoundsAreProvenForEverySize) {
  EXPECT_TRUE(ranges_.ProvesInBounds(Var(i_), Var(n_)));
  EXPECT_TRUE(
      ranges_.ProvesInBounds(Binary(SUB, Binary(SUB, Var(n_), I32Const(1)), Var(i_)), Var(n_)));
  EXPECT_FALSE(ranges_.ProvesInBounds(Binary(ADD, Var(i_), I32Const(1)), Var(n_)));
  EXPECT_TRUE(
      ranges_.ProvesInBounds(Binary(ADD, Var(i_), I32Const(1)), Binary(ADD, Var(n_), I32Const(1))));
}

TEST_F(NestTest, TriangularLoopsKeepTheirRelation) {
  EXPECT_TRUE(ranges_.ProvesInBounds(Binary(SUB, Var(i_), Var(j_)), Var(n_)));
  EXPECT_FALSE(ranges_.ProvesNonNegative(Binary(SUB, Var(j_), Var(i_))));
  EXPECT_TRUE(ranges_.Of(Binary(SUB, Var(i_), Var(i_))).IsPoint());
}

TEST_F(NestTest, AssumptionsHoldUntilRestored) {
  const Expr shifted = Binary(SUB, Var(i_), I32Const(2));
  const size_t mark = ranges_.Mark();
  ranges_.Assume(build::Call("likely", BOOL, {Binary(GE, Var(i_), I32Const(2))}));
  EXPECT_TRUE(ranges_.ProvesNonNegative(shifted));
  ranges_.Restore(mark);
  EXPECT_FALSE(ranges_.ProvesNonNegative(shifted));
  ranges_.Assume(Binary(LT, Var(i_), I32Const(2)), false);
  EXPECT_TRUE(ranges_.ProvesNonNegative(shifted));
}

TEST_F(NestTest, LetsStandForTheirValues) {
  const uint32_t x = build::AddVariable(&function_, "x", I32);
  ranges_.DefineLet(x, Binary(MUL, Var(i_), I32Const(2)));
  EXPECT_TRUE(ranges_.Of(Binary(SUB, Var(x), Binary(ADD, Var(i_), Var(i_)))).IsPoint());
}

}  // namespace
}  // namespace irate
