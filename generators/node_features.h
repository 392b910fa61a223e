// Questions about expressions that the scan for features asks.
#pragma once

#include <algorithm>

#include "generators/features.h"
#include "ir/irate.pb.h"
#include "ir/types.h"

namespace irate {

template <typename Predicate>
bool AnyNode(const Expr& expr, const Predicate& predicate) {
  if (predicate(expr)) return true;
  return std::any_of(expr.args().begin(), expr.args().end(),
                     [&](const Expr& arg) { return AnyNode(arg, predicate); });
}

inline bool MentionsVariable(const Expr& expr) {
  return AnyNode(expr, [](const Expr& e) { return e.op() == VAR; });
}

inline bool IsConst(const Expr& expr) { return expr.op() == CONST; }
inline bool IsConst(const Expr& expr, int64_t value) {
  return expr.op() == CONST && !IsFloat(expr.type()) && expr.int_value() == value;
}

// The features of one node that stands in an index.
void AddIndexFeatures(const Expr& expr, FeatureSet* found);

}  // namespace irate
