#include "ir/rewrite/substitute.h"

#include "fmt/format.h"
#include "ir/rewrite_ids.h"
#include "ir/text_words.h"
#include "ir/types.h"

namespace irate::rewrite {
namespace {

bool IsNumber(ScalarType type) { return type == BOOL || IsInteger(type) || IsFloat(type); }

void Wrap(Op op, ScalarType type, uint32_t lanes, Expr* expr) {
  Expr wrapped;
  wrapped.set_op(op);
  wrapped.set_type(type);
  wrapped.set_lanes(lanes);
  wrapped.add_args()->Swap(expr);
  expr->Swap(&wrapped);
}

// Comparison on purpose: the replacement of an expression may contain the variable itself.
void SubstituteVariables(const Substitution& substitution, Expr* expr) {
  if (expr->op() == VAR) {
    const auto found = substitution.variables.find(expr->id());
    if (found == substitution.variables.end()) return;
    const ScalarType type = expr->type();
    const uint32_t lanes = expr->lanes();
    *expr = found->second;
    (void)Convert(type, lanes, expr);
    return;
  }
  for (Expr& arg : *expr->mutable_args()) SubstituteVariables(substitution, &arg);
}

IdMap BufferMap(const Substitution& substitution) {
  return {[](uint32_t id) { return id; },
          [&substitution](uint32_t id) {
            const auto found = substitution.buffers.find(id);
            return found == substitution.buffers.end() ? id : found->second;
          }};
}

}  // namespace

void Substitute(const Substitution& substitution, Expr* expr) {
  if (substitution.empty()) return;
  SubstituteVariables(substitution, expr);
  if (!substitution.buffers.empty()) RewriteIds(expr, BufferMap(substitution));
}

void Substitute(const Substitution& substitution, StmtList* stmts) {
  if (substitution.empty()) return;
  VisitStmts(*stmts, [&](Stmt& stmt) {
    ForEachRootExpr(stmt, [&](Expr& expr) { SubstituteVariables(substitution, &expr); });
  });
  if (substitution.buffers.empty()) return;
  const IdMap map = BufferMap(substitution);
  for (Stmt& stmt : *stmts) RewriteIds(&stmt, map);
}

absl::Status Convert(ScalarType type, uint32_t lanes, Expr* expr) {
  if (expr->type() != type) {
    if (!IsNumber(type) || !IsNumber(expr->type())) {
      return absl::InvalidArgumentError(fmt::format("{} cannot become {}",
                                                    text::PrintType(expr->type(), expr->lanes()),
                                                    text::PrintType(type, lanes)));
    }
    Wrap(CAST, type, expr->lanes(), expr);
  }
  if (expr->lanes() != lanes) {
    if (expr->lanes() != 0) {
      return absl::InvalidArgumentError(fmt::format("{} cannot become {}",
                                                    text::PrintType(expr->type(), expr->lanes()),
                                                    text::PrintType(type, lanes)));
    }
    Wrap(BROADCAST, type, lanes, expr);
  }
  return absl::OkStatus();
}

absl::Status Unify(Expr* a, Expr* b) {
  if (a->lanes() == 0 && b->lanes() != 0) Wrap(BROADCAST, a->type(), b->lanes(), a);
  return Convert(a->type(), a->lanes(), b);
}

}  // namespace irate::rewrite
