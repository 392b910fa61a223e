#include "generators/equivalent/loops.h"

#include "generators/equivalent/expressions.h"
#include "ir/builder.h"

namespace irate::equivalent {
namespace {

constexpr int kLargestCopy = 400;  // expressions and statements

int CountOf(const StmtList& list) {
  int count = 0;
  VisitStmts(list, [&](const Stmt& stmt) {
    ++count;
    for (const Expr& arg : stmt.args()) count += Size(arg, kLargestCopy);
  });
  return count;
}

bool ListHasJump(const StmtList& list, Jumps kind) {
  for (const Stmt& stmt : list) {
    if (stmt.kind() == BREAK && kind != Jumps::kContinue) return true;
    if (stmt.kind() == CONTINUE && kind != Jumps::kBreak) return true;
    if (stmt.kind() == FOR || stmt.kind() == WHILE) continue;
    bool found = false;
    ForEachChildList(stmt, [&](const StmtList& nested) { found |= ListHasJump(nested, kind); });
    if (found) return true;
  }
  return false;
}

}  // namespace

bool IsPlainLoop(const Stmt& stmt, bool allow_unrolled) {
  if (stmt.kind() != FOR || stmt.args_size() != 2 || stmt.annotations_size() != 0) return false;
  const bool kind_fits =
      stmt.loop_kind() == SERIAL || (allow_unrolled && stmt.loop_kind() == UNROLLED);
  return kind_fits && (stmt.args(0).type() == I32 || stmt.args(0).type() == I64);
}

std::optional<int64_t> ConstantExtent(const Stmt& loop) {
  const Expr& extent = loop.args(1);
  if (extent.op() != CONST || extent.int_value() > (int64_t{1} << 20)) return std::nullopt;
  return extent.int_value();
}

bool HasJump(const Stmt& loop, Jumps kind) { return ListHasJump(loop.body(), kind); }

bool MayCopyBody(const Stmt& loop, int copies) {
  bool matches = false;
  VisitStmts(loop.body(),
             [&](const Stmt& stmt) { matches |= stmt.block().match_buffers_size() > 0; });
  return !matches && CountOf(loop.body()) * copies <= kLargestCopy;
}

bool IsInvariant(const Expr& expr) {
  bool invariant = true;
  VisitExpr(expr, [&](const Expr& part) {
    if (part.op() == LOAD || part.op() == LET || part.op() == CALL) invariant = false;
  });
  return invariant;
}

Expr LoopConstant(const Stmt& loop, int64_t value) {
  return build::Int(loop.args(0).type(), value);
}

}  // namespace irate::equivalent
