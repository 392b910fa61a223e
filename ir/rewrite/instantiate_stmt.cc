// Statements of a replacement.
#include <utility>

#include "fmt/format.h"
#include "ir/rewrite/instantiate.h"
#include "ir/rewrite/names.h"
#include "ir/rewrite_ids.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate::rewrite {
namespace {

absl::Status Fail(const std::string& message) { return absl::InvalidArgumentError(message); }

}  // namespace

// The matched statement that `pattern` continues.
const Stmt* Instantiator::Source(const Stmt& pattern) {
  if (pattern.kind() == FOR) {
    for (const auto& [matched, subject] : bindings_.stmts) {
      if (matched->kind() == FOR && matched->id() == pattern.id()) return subject;
    }
  }
  int skip = used_[pattern.kind()]++;
  for (const auto& [matched, subject] : bindings_.stmts) {
    if (matched->kind() != pattern.kind()) continue;
    if (skip-- == 0) return subject;
  }
  return nullptr;
}

void Instantiator::Freshen(StmtList* stmts) {
  std::map<uint32_t, uint32_t> variables;
  std::map<uint32_t, uint32_t> buffers;
  const auto renew_variable = [&](uint32_t id) {
    const irate::Variable copy = subject_.variables(static_cast<int>(id));
    variables[id] = static_cast<uint32_t>(subject_.variables_size());
    *subject_.add_variables() = copy;
  };
  const auto renew_buffer = [&](uint32_t id) {
    const irate::Buffer copy = subject_.buffers(static_cast<int>(id));
    buffers[id] = static_cast<uint32_t>(subject_.buffers_size());
    *subject_.add_buffers() = copy;
  };
  VisitStmts(*stmts, [&](Stmt& stmt) {
    if (stmt.kind() == FOR || stmt.kind() == BIND) renew_variable(stmt.id());
    if (stmt.kind() == ALLOC || stmt.kind() == DECL_BUFFER) renew_buffer(stmt.id());
    for (const BlockIter& iter : stmt.block().iters()) renew_variable(iter.variable());
    for (const uint32_t id : stmt.block().alloc_buffers()) renew_buffer(id);
    for (const MatchBuffer& match : stmt.block().match_buffers()) renew_buffer(match.buffer());
    ForEachRootExpr(stmt, [&](Expr& root) {
      VisitExpr(root, [&](Expr& expr) {
        if (expr.op() == LET) renew_variable(expr.id());
      });
    });
  });
  const IdMap map = {[&](uint32_t id) { return variables.contains(id) ? variables[id] : id; },
                     [&](uint32_t id) { return buffers.contains(id) ? buffers[id] : id; }};
  for (Stmt& stmt : *stmts) RewriteIds(&stmt, map);
  for (const auto& [old_id, id] : buffers) {
    RewriteIds(subject_.mutable_buffers(static_cast<int>(id)), map);
  }
}

absl::Status Instantiator::BuildMetaStmt(const Stmt& pattern, StmtList* result) {
  const Binding* binding = Find(pattern.name());
  if (binding == nullptr || binding->kind != Binding::Kind::kStmts) {
    return Fail(fmt::format("${} stands for no statements here", pattern.name()));
  }
  StmtList copy;
  for (const Stmt& stmt : binding->stmts) *copy.Add() = stmt;
  IRATE_ASSIGN_OR_RETURN(const Substitution substitution, MakeSubstitution(pattern.args()));
  Substitute(substitution, &copy);
  if (!pasted_.insert(pattern.name()).second) Freshen(&copy);
  for (Stmt& stmt : copy) result->Add()->Swap(&stmt);
  return absl::OkStatus();
}

absl::Status Instantiator::BuildStore(const Stmt& pattern, Stmt* stmt) {
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, BufferId(pattern.id()));
  stmt->set_id(id);
  const irate::Buffer buffer = subject_.buffers(static_cast<int>(id));
  Exprs indices;
  Exprs pattern_indices = pattern.args();
  pattern_indices.DeleteSubrange(0, 1);
  IRATE_RETURN_IF_ERROR(BuildArgs(pattern_indices, {}, &indices));
  uint32_t lanes = Lanes(buffer.lanes());
  if (!indices.empty()) lanes *= Lanes(indices[indices.size() - 1].lanes());
  if (lanes == 1) lanes = 0;
  IRATE_ASSIGN_OR_RETURN(Expr value, Build(pattern.args(0), {buffer.type(), lanes}));
  IRATE_RETURN_IF_ERROR(Convert(buffer.type(), lanes, &value));
  *stmt->add_args() = std::move(value);
  stmt->mutable_args()->MergeFrom(indices);
  return absl::OkStatus();
}

absl::Status Instantiator::BuildFor(const Stmt& pattern, Stmt* stmt) {
  const Stmt* source = Source(pattern);
  Expr bounds;
  IRATE_RETURN_IF_ERROR([&]() -> absl::Status {
    Expr both;
    *both.add_args() = pattern.args(0);
    *both.add_args() = pattern.args(1);
    return BuildPair(both, 0, {}, &bounds);
  }());
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, VariableId(pattern.id(), {bounds.type(), 0}));
  stmt->set_id(id);
  const ScalarType type = subject_.variables(static_cast<int>(id)).type();
  for (Expr& bound : *bounds.mutable_args()) {
    IRATE_RETURN_IF_ERROR(Convert(type, 0, &bound));
    stmt->add_args()->Swap(&bound);
  }
  if (pattern.args_size() > 2) {
    IRATE_ASSIGN_OR_RETURN(Expr step, Build(pattern.args(2), {type, 0}));
    IRATE_RETURN_IF_ERROR(Convert(type, 0, &step));
    *stmt->add_args() = std::move(step);
  }
  stmt->set_loop_kind(pattern.loop_kind());
  IRATE_ASSIGN_OR_RETURN(*stmt->mutable_thread_tag(), Text(pattern.thread_tag()));
  if (pattern.name() == "any") {
    if (source == nullptr) return Fail("a loop of kind \"any\" that the pattern does not have");
    stmt->set_loop_kind(source->loop_kind());
    stmt->set_thread_tag(source->thread_tag());
  } else if (const std::string kind = MetaName(pattern.name()); !kind.empty()) {
    const Binding* binding = Find(kind);
    if (binding == nullptr || binding->kind != Binding::Kind::kLoopKind) {
      return Fail(fmt::format("${} stands for no kind of loop here", kind));
    }
    stmt->set_loop_kind(binding->loop_kind);
    stmt->set_thread_tag(binding->text);
  }
  *stmt->mutable_annotations() = pattern.annotations_size() == 0 && source != nullptr
                                     ? source->annotations()
                                     : pattern.annotations();
  return BuildBodies(pattern, stmt);
}

absl::Status Instantiator::BuildBlock(const Stmt& pattern, Stmt* stmt) {
  const Stmt* source = Source(pattern);
  if (source == nullptr) return Fail("a block that the pattern does not have");
  *stmt->mutable_block() = source->block();
  const Block& wanted = pattern.block();
  Block* block = stmt->mutable_block();
  IRATE_ASSIGN_OR_RETURN(*block->mutable_name(), Text(wanted.name()));
  if (wanted.iters_size() != 0) block->clear_iters();
  for (const BlockIter& iter : wanted.iters()) {
    BlockIter* made = block->add_iters();
    Expr bounds;
    Expr both;
    *both.add_args() = iter.domain().min();
    *both.add_args() = iter.domain().extent();
    IRATE_RETURN_IF_ERROR(BuildPair(both, 0, {}, &bounds));
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, VariableId(iter.variable(), {bounds.type(), 0}));
    const ScalarType type = subject_.variables(static_cast<int>(id)).type();
    made->set_variable(id);
    made->set_kind(iter.kind());
    IRATE_RETURN_IF_ERROR(Convert(type, 0, bounds.mutable_args(0)));
    IRATE_RETURN_IF_ERROR(Convert(type, 0, bounds.mutable_args(1)));
    made->mutable_domain()->mutable_min()->Swap(bounds.mutable_args(0));
    made->mutable_domain()->mutable_extent()->Swap(bounds.mutable_args(1));
    IRATE_ASSIGN_OR_RETURN(Expr binding, Build(iter.binding(), {type, 0}));
    IRATE_RETURN_IF_ERROR(Convert(type, 0, &binding));
    *made->mutable_binding() = std::move(binding);
  }
  if (wanted.has_predicate()) {
    IRATE_ASSIGN_OR_RETURN(*block->mutable_predicate(), Build(wanted.predicate(), {BOOL, 0}));
    const Expr& predicate = block->predicate();
    // "where true": without a predicate, in canonical form.
    if (predicate.op() == CONST && predicate.int_value() != 0) block->clear_predicate();
  }
  if (StatesClause(pattern, "init")) {
    block->clear_init();
    IRATE_RETURN_IF_ERROR(MakeStmts(wanted.init(), block->mutable_init()));
  }
  return BuildBodies(pattern, stmt);
}

absl::Status Instantiator::BuildBodies(const Stmt& pattern, Stmt* stmt) {
  IRATE_RETURN_IF_ERROR(MakeStmts(pattern.body(), stmt->mutable_body()));
  return MakeStmts(pattern.orelse(), stmt->mutable_orelse());
}

absl::Status Instantiator::BuildStmt(const Stmt& pattern, StmtList* result) {
  if (IsMeta(pattern)) return BuildMetaStmt(pattern, result);
  Stmt stmt;
  stmt.set_kind(pattern.kind());
  switch (pattern.kind()) {
    case STORE:
      IRATE_RETURN_IF_ERROR(BuildStore(pattern, &stmt));
      break;
    case FOR:
      IRATE_RETURN_IF_ERROR(BuildFor(pattern, &stmt));
      break;
    case BLOCK:
      IRATE_RETURN_IF_ERROR(BuildBlock(pattern, &stmt));
      break;
    case BIND: {
      IRATE_ASSIGN_OR_RETURN(Expr value, Build(pattern.args(0), {}));
      IRATE_ASSIGN_OR_RETURN(const uint32_t id,
                             VariableId(pattern.id(), {value.type(), value.lanes()}));
      const irate::Variable& variable = subject_.variables(static_cast<int>(id));
      IRATE_RETURN_IF_ERROR(Convert(variable.type(), variable.lanes(), &value));
      stmt.set_id(id);
      *stmt.add_args() = std::move(value);
      break;
    }
    case ALLOC:
    case DECL_BUFFER: {
      const Stmt* source = Source(pattern);
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, BufferId(pattern.id()));
      stmt.set_id(id);
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, stmt.mutable_args()));
      if (source != nullptr) *stmt.mutable_annotations() = source->annotations();
      break;
    }
    case ATTR: {
      const Stmt* source = Source(pattern);
      IRATE_ASSIGN_OR_RETURN(*stmt.mutable_name(), Text(pattern.name()));
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, stmt.mutable_args()));
      if (source != nullptr && source->has_attr_node()) {
        *stmt.mutable_attr_node() = source->attr_node();
      }
      IRATE_RETURN_IF_ERROR(BuildBodies(pattern, &stmt));
      break;
    }
    case ASSERT: {
      const Stmt* source = Source(pattern);
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {BOOL, 0}, stmt.mutable_args()));
      if (pattern.name().empty() && source != nullptr) {
        stmt.set_name(source->name());
        *stmt.mutable_strings() = source->strings();
      } else {
        stmt.set_name(pattern.name().empty() ? "AssertionError" : pattern.name());
        *stmt.mutable_strings() = pattern.strings();
      }
      break;
    }
    case BARRIER: {
      IRATE_ASSIGN_OR_RETURN(*stmt.mutable_name(), Text(pattern.name()));
      break;
    }
    default: {
      const bool is_condition = pattern.kind() == IF || pattern.kind() == WHILE;
      IRATE_RETURN_IF_ERROR(
          BuildArgs(pattern.args(), {is_condition ? BOOL : VOID, 0}, stmt.mutable_args()));
      IRATE_RETURN_IF_ERROR(BuildBodies(pattern, &stmt));
      break;
    }
  }
  result->Add()->Swap(&stmt);
  return absl::OkStatus();
}

absl::Status Instantiator::MakeStmts(const StmtList& pattern, StmtList* result) {
  for (const Stmt& stmt : pattern) IRATE_RETURN_IF_ERROR(BuildStmt(stmt, result));
  return absl::OkStatus();
}

}  // namespace irate::rewrite
