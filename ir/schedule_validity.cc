#include "ir/schedule_validity.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "google/protobuf/util/message_differencer.h"
#include "ir/block_instances.h"
#include "ir/visit.h"

namespace irate {
namespace {

using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

bool HasBlock(const Stmts& stmts) {
  bool has = false;
  VisitStmts(stmts, [&has](const Stmt& stmt) { has |= stmt.kind() == BLOCK; });
  return has;
}

// Whether `stmts` are loops and blocks only; inside a block anything goes.
bool IsStructured(const Stmts& stmts) {
  return std::ranges::all_of(stmts, [](const Stmt& stmt) {
    if (stmt.kind() == FOR) return IsStructured(stmt.body());
    if (stmt.kind() != BLOCK) return false;
    return !stmt.block().iters().empty() || IsStructured(stmt.body());
  });
}

// Whether a jump in `stmts` goes beyond them; `in_loop`: break and continue do not.
bool JumpsOut(const Stmts& stmts, bool in_loop) {
  return std::ranges::any_of(stmts, [in_loop](const Stmt& stmt) {
    if (stmt.kind() == RETURN) return true;
    if (stmt.kind() == BREAK || stmt.kind() == CONTINUE) return !in_loop;
    const bool inside = in_loop || stmt.kind() == FOR || stmt.kind() == WHILE;
    return JumpsOut(stmt.body(), inside && stmt.kind() != BLOCK) ||
           JumpsOut(stmt.orelse(), inside) || JumpsOut(stmt.block().init(), false);
  });
}

std::string BadJump(const Function& function) {
  std::string bad;
  VisitStmts(function, [&bad](const Stmt& stmt) {
    if (stmt.kind() == BLOCK && !stmt.block().iters().empty() && JumpsOut(stmt.body(), false)) {
      bad = fmt::format("a jump leaves the block {}", stmt.block().name());
    }
  });
  return bad;
}

// 2.
std::string BadLoop(const Function& function) {
  std::set<uint32_t> loop_variables;
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() == FOR) loop_variables.insert(stmt.id());
  });
  std::string bad;
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() != FOR || !HasBlock(stmt.body())) return;
    if (stmt.args_size() > 2 && (stmt.args(2).op() != CONST || stmt.args(2).int_value() != 1)) {
      bad = "a loop around a block has a step";
    }
    if (stmt.args(1).op() == CONST && stmt.args(1).int_value() < 1) {
      bad = "a loop around a block never runs";
    }
    for (const Expr& bound : stmt.args()) {
      VisitExpr(bound, [&](const Expr& expr) {
        const bool depends = expr.op() == VAR && loop_variables.contains(expr.id());
        if (depends || expr.op() == LOAD) bad = "a loop around a block has bounds that vary";
      });
    }
  });
  return bad;
}

bool IsReduction(const Block& block) {
  return std::ranges::any_of(block.iters(), [](const BlockIter& iter) {
    const bool single =
        iter.domain().extent().op() == CONST && iter.domain().extent().int_value() == 1;
    return iter.kind() == REDUCTION && !single;
  });
}

bool Loads(const Expr& expr, uint32_t buffer) {
  bool loads = false;
  VisitExpr(expr, [&](const Expr& e) { loads |= e.op() == LOAD && e.id() == buffer; });
  return loads;
}

// X[i] = X[i] op value, with an operator whose order does not matter.
bool IsUpdate(const Stmt& store) {
  const Expr& value = store.args(0);
  switch (value.op()) {
    case ADD:
    case MUL:
    case MIN:
    case MAX:
    case AND:
    case OR:
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      break;
    default:
      return false;
  }
  const auto is_self = [&store](const Expr& expr) {
    if (expr.op() != LOAD || expr.id() != store.id()) return false;
    if (expr.args_size() != store.args_size() - 1) return false;
    for (int i = 0; i < expr.args_size(); ++i) {
      if (!google::protobuf::util::MessageDifferencer::Equals(expr.args(i), store.args(i + 1))) {
        return false;
      }
    }
    return true;
  };
  return (is_self(value.args(0)) && !Loads(value.args(1), store.id())) ||
         (is_self(value.args(1)) && !Loads(value.args(0), store.id()));
}

// 6, but for the order of init.
std::string BadReduction(const Function& function) {
  std::string bad;
  VisitStmts(function, [&bad](const Stmt& block) {
    if (block.kind() != BLOCK || !IsReduction(block.block())) return;
    std::set<uint32_t> own(block.block().alloc_buffers().begin(),
                           block.block().alloc_buffers().end());
    VisitStmts(block.body(), [&](const Stmt& stmt) {
      if (stmt.kind() == ALLOC) own.insert(stmt.id());
      if (stmt.kind() != STORE || own.contains(stmt.id()) || IsUpdate(stmt)) return;
      bad =
          fmt::format("the block {} has a reduction iterator and no update", block.block().name());
    });
  });
  return bad;
}

// 3 to 5 and the order of 6.
std::string_view BadInstances(const BlockInstances& block) {
  if (block.opaque_binding) return "has iterators or a condition that take data";
  if (block.outside_domain) return "has iterators outside of their domain";
  if (block.skips) return "leaves out a part of its domain";
  if (block.repeats) return "goes through a part of its domain twice";
  if (block.opaque_write) return "writes where its regions do not say";
  if (block.dependent) return "has spatial iterators that are not independent";
  if (block.outside_regions) return "touches more than its regions";
  if (block.late_init) return "initialises what it has written before";
  return "";
}

}  // namespace

std::string NotSchedulable(const Module& module, const Inputs& inputs) {
  if (module.functions_size() == 0) return "there is no function";
  const Function& function = module.functions(0);
  if (!IsStructured(function.body()))
    return "there are statements outside of the function's blocks";
  if (std::string bad = BadJump(function); !bad.empty()) return bad;
  if (std::string bad = BadLoop(function); !bad.empty()) return bad;
  if (std::string bad = BadReduction(function); !bad.empty()) return bad;
  const absl::StatusOr<std::map<std::string, BlockInstances>> blocks =
      WalkBlockInstances(function, inputs);
  if (!blocks.ok()) return std::string(blocks.status().message());
  for (const auto& [name, block] : *blocks) {
    const std::string_view bad = BadInstances(block);
    if (!bad.empty()) return fmt::format("the block {} {}", name, bad);
  }
  return "";
}

}  // namespace irate
