// How an edit of one statement or one expression becomes an EditKind: positions count through the
// functions of the module, in pre-order.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/irate.pb.h"
#include "triage/edits.h"
#include "triage/tree.h"

namespace irate::edits {

using StmtEdit = bool (*)(StmtList* list, int index, int variant);
using ExprEdit = bool (*)(Expr* expr, int variant);

inline EditResult Applied(bool applied) {
  return applied ? EditResult::kApplied : EditResult::kNotApplicable;
}

template <StmtEdit kEdit>
EditResult OnStmt(Case* test_case, int position, int variant) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    const std::vector<StmtPlace> places = StatementsIn(function.mutable_body());
    if (static_cast<size_t>(position) < places.size()) {
      const StmtPlace& place = places[static_cast<size_t>(position)];
      return Applied(kEdit(place.list, place.index, variant));
    }
    position -= static_cast<int>(places.size());
  }
  return EditResult::kNoPosition;
}

template <ExprEdit kEdit>
EditResult OnExpr(Case* test_case, int position, int variant) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    const std::vector<Expr*> places = ExpressionsIn(function.mutable_body());
    if (static_cast<size_t>(position) < places.size()) {
      return Applied(kEdit(places[static_cast<size_t>(position)], variant));
    }
    position -= static_cast<int>(places.size());
  }
  return EditResult::kNoPosition;
}

inline Expr IntConst(ScalarType type, int64_t value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type);
  expr.set_int_value(value);
  return expr;
}

}  // namespace irate::edits
