#include "generators/equivalent/dependence.h"

#include <map>
#include <set>
#include <vector>

#include "generators/equivalent/expressions.h"
#include "google/protobuf/util/message_differencer.h"
#include "ir/visit.h"

namespace irate::equivalent {
namespace {

using google::protobuf::util::MessageDifferencer;
using Indices = std::vector<Expr>;

bool OverlapsMayExist(const Function& function) {
  bool found = false;
  VisitStmts(function, [&](const Stmt& stmt) {
    found |= stmt.kind() == DECL_BUFFER || stmt.block().match_buffers_size() > 0;
  });
  VisitExprs(function, [&](const Expr& expr) {
    found |= expr.op() == BUFFER_DATA || (expr.op() == CALL && IsFixed(expr));
  });
  return found;
}

// What the body of a pair of loops does to memory.
class Body {
 public:
  explicit Body(const StmtList& list) {
    VisitStmts(list, [this](const Stmt& stmt) { Note(stmt); });
  }

  bool is_plain() const { return is_plain_; }

  // All accesses to each buffer that is written and comes from outside.
  std::map<uint32_t, std::vector<Indices>> Written() const {
    std::map<uint32_t, std::vector<Indices>> result;
    for (const uint32_t buffer : written_) {
      if (allocated_.count(buffer) == 0) result[buffer] = accesses_.at(buffer);
    }
    return result;
  }

  // The variable or value behind names that the body gives.
  const Expr& Resolve(const Expr& expr) const {
    const Expr* current = &expr;
    while (current->op() == VAR) {
      const auto found = values_.find(current->id());
      if (found == values_.end()) break;
      current = &found->second;
    }
    return *current;
  }

 private:
  void Note(const Stmt& stmt) {
    switch (stmt.kind()) {
      case RETURN:
      case ASSERT:
      case BARRIER:
      case EVALUATE:
        is_plain_ = false;
        break;
      case BIND:
        values_[stmt.id()] = stmt.args(0);
        break;
      case ALLOC:
        allocated_.insert(stmt.id());
        break;
      case STORE:
        written_.insert(stmt.id());
        accesses_[stmt.id()].emplace_back(stmt.args().begin() + 1, stmt.args().end());
        break;
      default:
        break;
    }
    for (const BlockIter& iter : stmt.block().iters()) values_[iter.variable()] = iter.binding();
    for (const uint32_t buffer : stmt.block().alloc_buffers()) allocated_.insert(buffer);
    ForEachRootExpr(stmt, [this](const Expr& root) {
      VisitExpr(root, [this](const Expr& expr) {
        if (expr.op() == LET) values_[expr.id()] = expr.args(0);
        if (expr.op() == LOAD) {
          accesses_[expr.id()].emplace_back(expr.args().begin(), expr.args().end());
        }
      });
    });
  }

  bool is_plain_ = true;
  std::map<uint32_t, Expr> values_;
  std::set<uint32_t> allocated_;
  std::set<uint32_t> written_;
  std::map<uint32_t, std::vector<Indices>> accesses_;
};

// `index` takes each value once as the variable `v` goes through its own.
bool IsInjectiveIn(const Body& body, const Expr& index, uint32_t v) {
  const Expr& resolved = body.Resolve(index);
  if (resolved.op() == VAR) return resolved.id() == v;
  if (resolved.op() != ADD && resolved.op() != SUB && resolved.op() != MUL) return false;
  const Expr& a = body.Resolve(resolved.args(0));
  const Expr& b = body.Resolve(resolved.args(1));
  if (a.op() != VAR || a.id() != v || b.op() != CONST) return false;
  return resolved.op() != MUL || b.int_value() != 0;
}

bool IsPinned(const Body& body, const std::vector<Indices>& accesses, uint32_t v) {
  for (size_t dimension = 0; dimension < accesses[0].size(); ++dimension) {
    const Expr& first = body.Resolve(accesses[0][dimension]);
    if (!IsInjectiveIn(body, first, v)) continue;
    bool all_equal = true;
    for (const Indices& indices : accesses) {
      all_equal &= MessageDifferencer::Equals(body.Resolve(indices[dimension]), first);
    }
    if (all_equal) return true;
  }
  return false;
}

}  // namespace

bool MayInterchange(const Function& function, const Stmt& loop) {
  const Stmt& inner = loop.body(0);
  const Body body(inner.body());
  if (!body.is_plain() || OverlapsMayExist(function)) return false;
  for (const auto& [buffer, accesses] : body.Written()) {
    if (!IsPinned(body, accesses, loop.id()) && !IsPinned(body, accesses, inner.id())) return false;
  }
  return true;
}

}  // namespace irate::equivalent
