#include "generators/schedule_model.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/visit.h"

namespace irate {
namespace {

using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

int64_t ConstantOr(const Expr& expr, int64_t otherwise) {
  return expr.op() == CONST && expr.lanes() == 0 ? expr.int_value() : otherwise;
}

void AddOnce(int buffer, std::vector<int>* list) {
  if (std::ranges::find(*list, buffer) == list->end()) list->push_back(buffer);
}

class Reader {
 public:
  explicit Reader(const Function& function) : function_(function) {}

  std::optional<ScheduleModel> Read() {
    for (const Buffer& buffer : function_.buffers()) {
      ModelBuffer known;
      known.name = buffer.name();
      known.type = buffer.type();
      for (const Expr& extent : buffer.shape()) known.shape.push_back(ConstantOr(extent, -1));
      model_.buffers.push_back(std::move(known));
    }
    if (!ReadList(function_.body()) || model_.blocks.empty()) return std::nullopt;
    std::set<std::string> names;
    for (const ModelBlock& block : model_.blocks) {
      if (!names.insert(block.name).second) return std::nullopt;
    }
    return std::move(model_);
  }

 private:
  bool ReadList(const Stmts& stmts) {
    return std::ranges::all_of(stmts, [this](const Stmt& stmt) { return ReadStmt(stmt); });
  }

  bool ReadStmt(const Stmt& stmt) {
    if (stmt.kind() == BLOCK) return ReadBlock(stmt);
    if (stmt.kind() != FOR || stmt.args_size() > 2) return false;
    ModelLoop loop;
    loop.extent = ConstantOr(stmt.args(1), -1);
    loop.serial = stmt.loop_kind() == SERIAL;
    loop.starts_at_zero = ConstantOr(stmt.args(0), -1) == 0;
    const int index = static_cast<int>(model_.loops.size());
    model_.loops.push_back(loop);
    by_variable_[stmt.id()] = index;
    path_.push_back(index);
    const bool read = ReadList(stmt.body());
    path_.pop_back();
    return read;
  }

  bool ReadBlock(const Stmt& stmt) {
    const irate::Block& block = stmt.block();
    for (const uint32_t id : block.alloc_buffers()) model_.buffers[id].local = true;
    // A root: TVM counts loops from the block around.
    if (block.iters().empty() && path_.empty()) return ReadList(stmt.body());
    ModelBlock known;
    known.name = block.name();
    known.loops = path_;
    known.has_init = !block.init().empty();
    known.has_predicate = block.has_predicate();
    std::set<uint32_t> iters;
    for (const BlockIter& iter : block.iters()) {
      iters.insert(iter.variable());
      known.reduction_iters.push_back(iter.kind() == REDUCTION);
      known.domains.push_back(ConstantOr(iter.domain().extent(), -1));
      if (iter.kind() != REDUCTION) continue;
      VisitExpr(iter.binding(), [this](const Expr& expr) {
        const auto found = expr.op() == VAR ? by_variable_.find(expr.id()) : by_variable_.end();
        if (found != by_variable_.end())
          model_.loops[static_cast<size_t>(found->second)].reduction = true;
      });
    }
    if (Allocates(stmt)) return false;
    ReadAccesses(stmt, iters, &known);
    model_.blocks.push_back(std::move(known));
    return true;
  }

  // TVM 0.27 takes such a buffer for one that the block accesses from outside, and then finds it
  // undeclared.
  static bool Allocates(const Stmt& block) {
    bool found = false;
    VisitStmts(block.body(), [&found](const Stmt& stmt) {
      found |= stmt.kind() == ALLOC || stmt.kind() == DECL_BUFFER;
    });
    return found;
  }

  void ReadAccesses(const Stmt& stmt, const std::set<uint32_t>& iters, ModelBlock* known) {
    const auto is_plain = [&](const Expr& index) {
      return index.op() == CONST || (index.op() == VAR && iters.contains(index.id()));
    };
    known->exact = stmt.block().match_buffers().empty();
    known->single_store = stmt.body_size() == 1 && stmt.body(0).kind() == STORE;
    for (const Stmt& child : stmt.body()) {
      if (child.kind() != STORE) known->exact = false;
    }
    known->pads = known->single_store && (stmt.body(0).args(0).op() == IF_THEN_ELSE ||
                                          stmt.body(0).args(0).op() == SELECT);
    known->adds = known->single_store && stmt.body(0).args(0).op() == ADD;
    for (const Stmts* list : {&stmt.body(), &stmt.block().init()}) {
      VisitStmts(*list, [&](const Stmt& inner) {
        if (inner.kind() != STORE) return;
        AddOnce(static_cast<int>(inner.id()), &known->writes);
        for (int i = 1; i < inner.args_size(); ++i) {
          if (!is_plain(inner.args(i))) known->exact = false;
        }
      });
    }
    const auto read = [&](const Expr& expr) {
      if (expr.op() != LOAD) return;
      if (!std::ranges::all_of(expr.args(), is_plain)) known->index_expressions = true;
      const int buffer = static_cast<int>(expr.id());
      const bool own = std::ranges::find(known->writes, buffer) != known->writes.end();
      if (own && known->has_init) return;
      // It updates what is there.
      if (own) known->exact = false;
      AddOnce(buffer, &known->reads);
    };
    VisitStmts(stmt.body(), [&](const Stmt& inner) {
      ForEachRootExpr(inner, [&](const Expr& root) { VisitExpr(root, read); });
    });
    known->elementwise =
        known->exact && known->single_store && !known->has_init && IsElementwise(stmt);
  }

  static bool IsElementwise(const Stmt& stmt) {
    const Stmt& store = stmt.body(0);
    if (store.args_size() - 1 != stmt.block().iters_size()) return false;
    for (int i = 1; i < store.args_size(); ++i) {
      const BlockIter& iter = stmt.block().iters(i - 1);
      if (store.args(i).op() != VAR || store.args(i).id() != iter.variable()) return false;
      if (iter.kind() != SPATIAL) return false;
    }
    return true;
  }

  const Function& function_;
  ScheduleModel model_;
  std::map<uint32_t, int> by_variable_;
  std::vector<int> path_;
};

}  // namespace

bool ModelBlock::HasReduction() const {
  return std::ranges::find(reduction_iters, true) != reduction_iters.end();
}

std::optional<ScheduleModel> ModelOf(const Function& function) { return Reader(function).Read(); }

}  // namespace irate
