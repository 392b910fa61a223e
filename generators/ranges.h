// Proves facts about integer expressions: indices in bounds, divisors that are not zero, no
// overflow.
//
// Two analyses that correct each other. Structurally, an expression has the strided interval of
// generators/interval.h. And every expression is an affine form, c1*v1 + c2*v2 + ... + [lo, hi],
// where what is not affine goes into the interval. A variable has *symbolic* bounds, affine forms
// in variables defined before it (of a loop, its minimum and its last value), so a form is bounded
// by putting those in for its variables, latest first. That keeps i - i at 0, i - j positive in a
// triangular nest, and n - 1 - i at least 0 whatever n is.
//
// Facts hold where control is: inside a loop that runs at least once, inside a guard that is true.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "generators/affine.h"
#include "generators/interval.h"
#include "ir/irate.pb.h"

namespace irate {

class RangeAnalysis {
 public:
  // Every method on a variable takes it as defined after all variables before.
  void DefineInterval(uint32_t variable, const Interval& interval);
  // `step` is 1 where the loop has none; the variable takes min, min + step, ... < min + extent.
  void DefineLoop(uint32_t variable, const Expr& min, const Expr& extent, int64_t step = 1);
  void DefineLet(uint32_t variable, const Expr& value) { DefineLet(variable, value, Of(value)); }
  // Where more is known about the value than the expression tells.
  void DefineLet(uint32_t variable, const Expr& value, const Interval& known);
  // What any element of the buffer may hold.
  void SetContents(uint32_t buffer, const Interval& contents);
  const Interval& Contents(uint32_t buffer) const;

  // Adds what `condition` says about variables; Restore(Mark()) of before takes it away again.
  void Assume(const Expr& condition, bool holds = true);
  size_t Mark() const { return undo_.size(); }
  void Restore(size_t mark);

  Interval Of(const Expr& expr) const;
  // 0 <= index < extent.
  bool ProvesInBounds(const Expr& index, const Expr& extent) const;
  bool ProvesNonNegative(const Expr& expr) const { return Of(expr).lo >= 0; }

  AffineForm FormOf(const Expr& expr) const;
  Interval Bound(const AffineForm& form) const;

 private:
  using Forms = absl::InlinedVector<AffineForm, 1>;
  struct VariableFacts {
    int order = 0;
    Interval interval;
    Forms lowers;
    Forms uppers;
    std::optional<AffineForm> value;  // of a let: what it stands for
  };

  VariableFacts& Define(uint32_t variable);
  const VariableFacts* Find(uint32_t variable) const;
  Interval Structural(const Expr& expr, bool refine) const;
  int64_t Extreme(AffineForm form, bool upper) const;
  void AssumeNonPositive(const AffineForm& form);
  void AddBound(uint32_t variable, bool upper, const AffineForm& bound);

  std::vector<VariableFacts> facts_;  // by variable id; order 0: not defined
  std::vector<Interval> contents_;
  std::vector<std::pair<uint32_t, VariableFacts>> undo_;
  int next_order_ = 1;
};

}  // namespace irate
