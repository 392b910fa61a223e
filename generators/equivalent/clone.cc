#include "generators/equivalent/clone.h"

#include <unordered_map>

#include "ir/rewrite_ids.h"

namespace irate::equivalent {
namespace {

class Cloner {
 public:
  explicit Cloner(Function* function) : function_(function) {}

  StmtList Clone(const StmtList& list) {
    StmtList copy = list;
    VisitStmts(std::as_const(copy), [this](const Stmt& stmt) { Define(stmt); });
    const IdMap map = {.variable = [this](uint32_t id) { return Renamed(variables_, id); },
                       .buffer = [this](uint32_t id) { return Renamed(buffers_, id); }};
    // Declarations of copied buffers may use copied variables.
    for (const auto& [old_id, new_id] : buffers_) {
      RewriteIds(function_->mutable_buffers(static_cast<int>(new_id)), map);
    }
    for (Stmt& stmt : copy) RewriteIds(&stmt, map);
    return copy;
  }

 private:
  using Ids = std::unordered_map<uint32_t, uint32_t>;

  static uint32_t Renamed(const Ids& ids, uint32_t id) {
    const auto found = ids.find(id);
    return found == ids.end() ? id : found->second;
  }

  void DefineVariable(uint32_t id) {
    *function_->add_variables() = Variable(function_->variables(static_cast<int>(id)));
    variables_[id] = static_cast<uint32_t>(function_->variables_size() - 1);
  }

  void DefineBuffer(uint32_t id) {
    *function_->add_buffers() = Buffer(function_->buffers(static_cast<int>(id)));
    buffers_[id] = static_cast<uint32_t>(function_->buffers_size() - 1);
  }

  void Define(const Stmt& stmt) {
    if (stmt.kind() == FOR || stmt.kind() == BIND) DefineVariable(stmt.id());
    if (stmt.kind() == ALLOC || stmt.kind() == DECL_BUFFER) DefineBuffer(stmt.id());
    if (stmt.attr_node().node_case() == AttrNode::kThreadTag) {
      DefineVariable(stmt.attr_node().thread_variable());
    }
    for (const BlockIter& iter : stmt.block().iters()) DefineVariable(iter.variable());
    for (const uint32_t buffer : stmt.block().alloc_buffers()) DefineBuffer(buffer);
    for (const MatchBuffer& match : stmt.block().match_buffers()) DefineBuffer(match.buffer());
    ForEachRootExpr(stmt, [this](const Expr& root) {
      VisitExpr(root, [this](const Expr& expr) {
        if (expr.op() == LET) DefineVariable(expr.id());
      });
    });
  }

  Function* const function_;
  Ids variables_;
  Ids buffers_;
};

}  // namespace

StmtList CloneWithFreshDefinitions(Function* function, const StmtList& list) {
  return Cloner(function).Clone(list);
}

}  // namespace irate::equivalent
