// What conditions say about variables.
#include "generators/ranges.h"
#include "ir/ops.h"
#include "ir/types.h"

namespace irate {
void RangeAnalysis::Restore(size_t mark) {
  while (undo_.size() > mark) {
    facts_[undo_.back().first] = std::move(undo_.back().second);
    undo_.pop_back();
  }
}

void RangeAnalysis::AddBound(uint32_t variable, bool upper, const AffineForm& bound) {
  VariableFacts& facts = facts_[variable];
  // A few bounds are enough; each one multiplies the work of every query.
  Forms& bounds = upper ? facts.uppers : facts.lowers;
  if (bounds.size() >= 3) return;
  undo_.emplace_back(variable, facts);
  bounds.push_back(bound);
  AffineForm self;
  self.terms.emplace_back(variable, 1);
  const Interval affine = Bound(self);
  facts.interval = Clip(facts.interval, affine.lo, affine.hi);
}

// form <= 0, put as a bound on the latest variable whose coefficient allows it.
void RangeAnalysis::AssumeNonPositive(const AffineForm& form) {
  if (form.terms.empty()) return;
  size_t latest = 0;
  for (size_t i = 1; i < form.terms.size(); ++i) {
    if (Find(form.terms[i].first)->order > Find(form.terms[latest].first)->order) latest = i;
  }
  const auto [variable, coefficient] = form.terms[latest];
  AffineForm rest = form;
  rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(latest));
  // c*v + rest <= 0 holds at least for the smallest value that rest's interval allows.
  if (coefficient == 1 || coefficient == -1) {
    AffineForm bound;
    if (!AddScaled(&bound, rest, -coefficient)) return;
    const int64_t end = coefficient == 1 ? bound.hi : bound.lo;
    bound.lo = end;
    bound.hi = end;
    AddBound(variable, coefficient == 1, bound);
    return;
  }
  if (!rest.terms.empty()) return;
  const Interval quotient = TransferBinary(FLOOR_DIV, I64, Interval::Point(-rest.lo),
                                           Interval::Point(std::abs(coefficient)));
  AddBound(variable, coefficient > 0,
           OpaqueForm(Interval::Point(coefficient > 0 ? quotient.lo : -quotient.lo)));
}

void RangeAnalysis::Assume(const Expr& condition, bool holds) {
  if (condition.lanes() != 0) return;
  switch (condition.op()) {
    case NOT:
      return Assume(condition.args(0), !holds);
    case AND:
    case OR:
      // Both parts are known only where AND holds or OR does not.
      if ((condition.op() == AND) != holds) return;
      Assume(condition.args(0), holds);
      Assume(condition.args(1), holds);
      return;
    case CALL:
      if (condition.name() == "likely") Assume(condition.args(0), holds);
      return;
    default:
      break;
  }
  const Op op = holds ? condition.op() : NegatedComparison(condition.op());
  if (op < EQ || op > GE || op == NE || !IsWideSigned(condition.args(0).type())) return;
  AffineForm difference = FormOf(condition.args(0));
  if (!AddScaled(&difference, FormOf(condition.args(1)), -1)) return;
  AffineForm reverse;
  if (!AddScaled(&reverse, difference, -1)) return;
  if (op == LT || op == GT) {
    for (AffineForm* form : {&difference, &reverse}) {
      ++form->lo;
      ++form->hi;
    }
  }
  if (op == LT || op == LE || op == EQ) AssumeNonPositive(difference);
  if (op == GT || op == GE || op == EQ) AssumeNonPositive(reverse);
}

}  // namespace irate
