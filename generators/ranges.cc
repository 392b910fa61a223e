#include "generators/ranges.h"

#include <algorithm>

#include "ir/types.h"

namespace irate {
namespace {

// Forms with larger coefficients or bounds are of no use to a generator and are given up.
constexpr int64_t kFormMax = int64_t{1} << 40;

AffineForm OpaqueForm(const Interval& interval) {
  AffineForm form;
  form.lo = interval.lo;
  form.hi = interval.hi;
  return form;
}

void AddTerm(AffineForm* form, uint32_t variable, int64_t coefficient) {
  for (auto it = form->terms.begin(); it != form->terms.end(); ++it) {
    if (it->first != variable) continue;
    it->second += coefficient;
    if (it->second == 0) form->terms.erase(it);
    return;
  }
  form->terms.emplace_back(variable, coefficient);
}

// form += factor * other; false where the result is too large to keep.
bool AddScaled(AffineForm* form, const AffineForm& other, int64_t factor) {
  if (std::abs(factor) > kFormMax || std::abs(other.lo) > kFormMax ||
      std::abs(other.hi) > kFormMax) {
    return false;
  }
  __extension__ using Wide = __int128;
  const auto fits = [](Wide value) { return value <= kFormMax && value >= -kFormMax; };
  const Wide lo = static_cast<Wide>(factor >= 0 ? other.lo : other.hi) * factor + form->lo;
  const Wide hi = static_cast<Wide>(factor >= 0 ? other.hi : other.lo) * factor + form->hi;
  if (!fits(lo) || !fits(hi)) return false;
  for (const auto& [variable, coefficient] : other.terms) {
    if (!fits(static_cast<Wide>(coefficient) * factor)) return false;
  }
  if (factor == 0) return true;
  form->lo = static_cast<int64_t>(lo);
  form->hi = static_cast<int64_t>(hi);
  for (const auto& [variable, coefficient] : other.terms) {
    AddTerm(form, variable, coefficient * factor);
  }
  return true;
}

bool IsConstant(const AffineForm& form) { return form.terms.empty() && form.lo == form.hi; }

bool IsLinear(const Expr& expr) {
  return expr.lanes() == 0 && IsInteger(expr.type()) &&
         (expr.op() == ADD || expr.op() == SUB || expr.op() == MUL);
}

bool IsWideSigned(ScalarType type) { return type == I32 || type == I64; }

Op Negation(Op op) {
  switch (op) {
    case EQ:
      return NE;
    case NE:
      return EQ;
    case LT:
      return GE;
    case LE:
      return GT;
    case GT:
      return LE;
    case GE:
      return LT;
    default:
      return OP_INVALID;
  }
}

}  // namespace

RangeAnalysis::VariableFacts& RangeAnalysis::Define(uint32_t variable) {
  if (variable >= facts_.size()) facts_.resize(variable + 1);
  facts_[variable] = VariableFacts();
  facts_[variable].order = next_order_++;
  return facts_[variable];
}

const RangeAnalysis::VariableFacts* RangeAnalysis::Find(uint32_t variable) const {
  if (variable >= facts_.size() || facts_[variable].order == 0) return nullptr;
  return &facts_[variable];
}

void RangeAnalysis::DefineInterval(uint32_t variable, const Interval& interval) {
  VariableFacts& facts = Define(variable);
  facts.interval = interval;
  facts.lowers.push_back(OpaqueForm(Interval::Point(interval.lo)));
  facts.uppers.push_back(OpaqueForm(Interval::Point(interval.hi)));
}

void RangeAnalysis::DefineLoop(uint32_t variable, const Expr& min, const Expr& extent,
                               int64_t step) {
  const AffineForm lower = FormOf(min);
  AffineForm upper = lower;
  const Interval min_interval = Of(min);
  const Interval extent_interval = Of(extent);
  bool symbolic = AddScaled(&upper, FormOf(extent), 1);
  upper.lo -= 1;
  upper.hi -= 1;
  // With a constant number of iterations the last one is known exactly.
  if (extent_interval.IsPoint() && extent_interval.lo > 0) {
    upper = lower;
    upper.lo += (extent_interval.lo - 1) / step * step;
    upper.hi += (extent_interval.lo - 1) / step * step;
    symbolic = true;
  }
  VariableFacts& facts = Define(variable);
  facts.lowers.push_back(lower);
  if (symbolic) {
    facts.uppers.push_back(upper);
  } else {
    facts.uppers.push_back(OpaqueForm(
        Interval::Point(TransferBinary(ADD, I64, min_interval, extent_interval).hi - 1)));
  }
  AffineForm self;
  self.terms.emplace_back(variable, 1);
  const int64_t lo = Extreme(self, false);
  Interval interval = Interval::Bounds(lo, std::max(lo, Extreme(self, true)));
  if (step > 1 && min_interval.IsPoint() && interval.lo == min_interval.lo &&
      interval.hi > interval.lo) {
    interval.stride = step;
    interval.hi = interval.lo + (interval.hi - interval.lo) / step * step;
    interval.magnitude = interval.MaxAbs();
    if (interval.IsPoint()) interval.stride = 0;
  }
  facts_[variable].interval = interval;
}

void RangeAnalysis::DefineLet(uint32_t variable, const Expr& value, const Interval& known) {
  const Interval found = Of(value);
  // Keep whichever knows more; both are right.
  const bool narrower = known.lo > found.lo || known.hi < found.hi;
  const Interval interval = narrower ? known : found;
  std::optional<AffineForm> form;
  if (IsWideSigned(value.type()) && value.lanes() == 0 && !narrower) form = FormOf(value);
  VariableFacts& facts = Define(variable);
  facts.interval = interval;
  facts.value = std::move(form);
  if (!facts.value) {
    facts.lowers.push_back(OpaqueForm(Interval::Point(interval.lo)));
    facts.uppers.push_back(OpaqueForm(Interval::Point(interval.hi)));
  }
}

void RangeAnalysis::SetContents(uint32_t buffer, const Interval& contents) {
  if (buffer >= contents_.size()) contents_.resize(buffer + 1);
  contents_[buffer] = contents;
}

const Interval& RangeAnalysis::Contents(uint32_t buffer) const { return contents_.at(buffer); }

AffineForm RangeAnalysis::FormOf(const Expr& expr) const {
  if (expr.lanes() == 0) {
    switch (expr.op()) {
      case CONST:
        if (IsInteger(expr.type()) && std::abs(expr.int_value()) <= kFormMax) {
          return OpaqueForm(Interval::Point(expr.int_value()));
        }
        break;
      case VAR: {
        const VariableFacts* facts = Find(expr.id());
        if (facts == nullptr || !IsInteger(expr.type())) break;
        if (facts->value) return *facts->value;
        AffineForm form;
        form.terms.emplace_back(expr.id(), 1);
        return form;
      }
      case CAST:
        // Between types that both hold the value.
        if (IsWideSigned(expr.type()) && IsWideSigned(expr.args(0).type())) {
          const Interval inner = Structural(expr.args(0), false);
          if (inner.Within(MinValue(I32), MaxValue(I32))) return FormOf(expr.args(0));
        }
        break;
      case ADD:
      case SUB: {
        if (!IsInteger(expr.type())) break;
        AffineForm form = FormOf(expr.args(0));
        if (AddScaled(&form, FormOf(expr.args(1)), expr.op() == ADD ? 1 : -1)) return form;
        break;
      }
      case MUL: {
        if (!IsInteger(expr.type())) break;
        const AffineForm a = FormOf(expr.args(0));
        const AffineForm b = FormOf(expr.args(1));
        AffineForm form;
        if (IsConstant(b) && AddScaled(&form, a, b.lo)) return form;
        form = AffineForm();
        if (IsConstant(a) && AddScaled(&form, b, a.lo)) return form;
        break;
      }
      default:
        break;
    }
  }
  return OpaqueForm(Structural(expr, false));
}

// The largest (smallest) value of the form: puts the latest variable's bounds in, tries each.
int64_t RangeAnalysis::Extreme(AffineForm form, bool upper) const {
  if (form.terms.empty()) return upper ? form.hi : form.lo;
  size_t latest = 0;
  for (size_t i = 1; i < form.terms.size(); ++i) {
    if (Find(form.terms[i].first)->order > Find(form.terms[latest].first)->order) latest = i;
  }
  const auto [variable, coefficient] = form.terms[latest];
  form.terms.erase(form.terms.begin() + static_cast<std::ptrdiff_t>(latest));
  const VariableFacts& facts = *Find(variable);
  const Forms& bounds = (coefficient > 0) == upper ? facts.uppers : facts.lowers;
  int64_t best = upper ? kIntervalMax : -kIntervalMax;
  for (const AffineForm& bound : bounds) {
    AffineForm substituted = form;
    // Only the matching end of the bound counts; the other is brought along unread.
    if (!AddScaled(&substituted, bound, coefficient)) continue;
    const int64_t value = Extreme(std::move(substituted), upper);
    best = upper ? std::min(best, value) : std::max(best, value);
  }
  return best;
}

Interval RangeAnalysis::Bound(const AffineForm& form) const {
  return Interval::Bounds(Extreme(form, false), Extreme(form, true));
}

Interval RangeAnalysis::Structural(const Expr& expr, bool refine) const {
  Interval result;
  switch (expr.op()) {
    case CONST:
      if (IsFloat(expr.type())) {
        return Interval::Bounds(static_cast<int64_t>(expr.float_value()),
                                static_cast<int64_t>(expr.float_value()));
      }
      return Interval::Point(expr.int_value());
    case VAR: {
      const VariableFacts* facts = Find(expr.id());
      return facts == nullptr ? Interval::OfType(expr.type()) : facts->interval;
    }
    case LOAD:
      return expr.id() < contents_.size() ? contents_[expr.id()] : Interval::OfType(expr.type());
    case SELECT:
    case IF_THEN_ELSE:
      return Join(Structural(expr.args(1), refine), Structural(expr.args(2), refine));
    case CAST:
      return TransferCast(expr.type(), expr.args(0).type(), Structural(expr.args(0), refine));
    case BROADCAST:
      return Structural(expr.args(0), refine);
    case RAMP: {
      const Interval lanes = Interval::Bounds(0, static_cast<int64_t>(expr.lanes()) - 1);
      const Interval steps =
          TransferBinary(MUL, expr.type(), Structural(expr.args(1), refine), lanes);
      return TransferBinary(ADD, expr.type(), Structural(expr.args(0), refine), steps);
    }
    case LET:
      // The variable's facts were given when it was defined.
      return Structural(expr.args(1), refine);
    case NOT:
    case BIT_NOT:
      return TransferUnary(expr.op(), expr.type(), Structural(expr.args(0), refine));
    default:
      break;
  }
  if (expr.args_size() != 2 || expr.op() == CALL) return Interval::OfType(expr.type());
  const bool linear = IsLinear(expr);
  const bool inner = refine && !linear;
  result = TransferBinary(expr.op(), expr.type(), Structural(expr.args(0), inner),
                          Structural(expr.args(1), inner));
  if (refine && linear) {
    const Interval affine = Bound(FormOf(expr));
    result = Clip(result, affine.lo, affine.hi);
  }
  return result;
}

Interval RangeAnalysis::Of(const Expr& expr) const { return Structural(expr, true); }

bool RangeAnalysis::ProvesInBounds(const Expr& index, const Expr& extent) const {
  const Interval structural = Of(index);
  if (structural.lo < 0) return false;
  if (structural.hi < Of(extent).lo) return true;
  AffineForm slack = FormOf(extent);
  return AddScaled(&slack, FormOf(index), -1) && Extreme(std::move(slack), false) >= 1;
}

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
  const Op op = holds ? condition.op() : Negation(condition.op());
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
