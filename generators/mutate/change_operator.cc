// An operator becomes another that takes the same operands: + becomes max, < becomes <=, // becomes
// a truncated division, exp becomes sin.
#include <algorithm>
#include <array>
#include <string>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr auto kMathOfOne = std::to_array<std::string_view>(
    {"exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sigmoid", "sin", "cos", "tanh", "atan", "erf",
     "floor", "ceil", "trunc", "round", "nearbyint", "fabs"});

bool IsMathOfOne(const Expr& expr) {
  return expr.op() == CALL && IsFloat(expr.type()) && expr.args_size() == 1 &&
         std::ranges::count(kMathOfOne, expr.name()) != 0;
}

// Operators with the same types, the expression's own among them.
std::vector<Op> Alternatives(const Expr& expr) {
  switch (expr.op()) {
    case ADD:
    case SUB:
    case MUL:
    case MIN:
    case MAX:
      if (IsInteger(expr.type())) return {ADD, SUB, MUL, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR};
      return {ADD, SUB, MUL, MIN, MAX};
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      if (expr.type() == BOOL) return {};
      return {BIT_AND, BIT_OR, BIT_XOR, ADD, MIN, MAX};
    case TRUNC_DIV:
    case TRUNC_MOD:
    case FLOOR_DIV:
    case FLOOR_MOD:
      return {TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD};
    case EQ:
    case NE:
    case LT:
    case LE:
    case GT:
    case GE:
      if (expr.args(0).type() == BOOL) return {EQ, NE};
      return {EQ, NE, LT, LE, GT, GE};
    case AND:
    case OR:
      return {AND, OR};
    case SHL:
    case SHR:
      return {SHL, SHR};
    case SELECT:
    case IF_THEN_ELSE:
      if (expr.lanes() != 0) return {};
      return {SELECT, IF_THEN_ELSE};
    default:
      return {};
  }
}

class ChangeOperator : public Mutator {
 public:
  std::string_view Name() const override { return "change-operator"; }
  int Weight() const override { return 12; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return p.role != Role::kInIndex && (!Alternatives(*p.expr).empty() || IsMathOfOne(*p.expr));
    });
    if (place == nullptr) return false;
    if (place->expr->op() == CALL) {
      const std::string before = place->expr->name();
      place->expr->set_name(
          std::string(kMathOfOne[static_cast<size_t>(PickIndex(kMathOfOne.size(), choices))]));
      return place->expr->name() != before;
    }
    std::vector<Op> others = Alternatives(*place->expr);
    const Op* other = Pick(others, choices, [place](Op op) { return op != place->expr->op(); });
    if (other == nullptr) return false;
    place->expr->set_op(*other);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeOperator() { return std::make_unique<ChangeOperator>(); }

}  // namespace irate
