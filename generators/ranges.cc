#include "generators/ranges.h"

#include <algorithm>

#include "ir/types.h"

namespace irate {
namespace {

bool IsLinear(const Expr& expr) {
  return expr.lanes() == 0 && IsInteger(expr.type()) &&
         (expr.op() == ADD || expr.op() == SUB || expr.op() == MUL);
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
        if (IsInteger(expr.type()) && std::abs(expr.int_value()) <= kAffineMax) {
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
        if (b.IsConstant() && AddScaled(&form, a, b.lo)) return form;
        form = AffineForm();
        if (a.IsConstant() && AddScaled(&form, b, a.lo)) return form;
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

}  // namespace irate
