#include "generators/equivalent/expressions.h"

#include "ir/builder.h"
#include "ir/has_let.h"
#include "ir/intrinsics.h"
#include "ir/types.h"
#include "ir/visit.h"

namespace irate::equivalent {
namespace {

bool IsFunctionOfNumbers(const Expr& call) {
  const Intrinsic* intrinsic = FindIntrinsic(call.name());
  if (intrinsic == nullptr) return false;
  return intrinsic->kind == IntrinsicKind::kMath || intrinsic->kind == IntrinsicKind::kInteger ||
         call.name() == "likely";
}

}  // namespace

bool IsFixed(const Expr& expr) {
  if (expr.op() == STRING || expr.type() == HANDLE || expr.type() == VOID) return true;
  return expr.op() == CALL && !IsFunctionOfNumbers(expr);
}

bool HasValues(const Stmt& stmt) {
  return stmt.kind() == STORE || stmt.kind() == BIND || stmt.kind() == IF || stmt.kind() == WHILE;
}

bool IsPure(const Expr& expr) {
  bool pure = true;
  VisitExpr(expr, [&](const Expr& part) {
    if (part.op() == CALL && !IsFunctionOfNumbers(part)) pure = false;
  });
  return pure;
}

bool MayRepeat(const Expr& expr) { return !HasLet(expr) && IsPure(expr); }

bool UsesVariable(const Expr& expr, uint32_t variable) {
  bool uses = false;
  VisitExpr(expr, [&](const Expr& part) { uses |= part.op() == VAR && part.id() == variable; });
  return uses;
}

int Size(const Expr& expr, int limit) {
  int size = 1;
  for (const Expr& arg : expr.args()) {
    if (size >= limit) break;
    size += Size(arg, limit - size);
  }
  return size;
}

Expr ConstantLike(const Expr& like, int64_t value) {
  Expr constant = IsFloat(like.type()) ? build::Float(like.type(), static_cast<double>(value))
                                       : build::Int(like.type(), value);
  return like.lanes() == 0 ? constant : build::Broadcast(std::move(constant), like.lanes());
}

Expr Negated(Expr condition) { return build::Unary(NOT, std::move(condition)); }

bool IsNumber(const Expr& expr) { return IsInteger(expr.type()) || IsFloat(expr.type()); }

}  // namespace irate::equivalent
