#include "triage/edits.h"

#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "ir/measure.h"
#include "ir/types.h"
#include "triage/tree.h"

namespace irate {
namespace {

using StmtEdit = bool (*)(StmtList* list, int index, int variant);
using ExprEdit = bool (*)(Expr* expr, int variant);

EditResult Applied(bool applied) {
  return applied ? EditResult::kApplied : EditResult::kNotApplicable;
}

// Positions count through the functions of the module, in order.
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

Expr IntConst(ScalarType type, int64_t value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type);
  expr.set_int_value(value);
  return expr;
}

// ---- Statements -----------------------------------------------------------------------------

bool DropStmtAt(StmtList* list, int index, int) {
  list->DeleteSubrange(index, 1);
  return true;
}

// A statement gives way to what is inside: a loop to its first iteration, a block to its init and
// body with the iterators at their bindings, a conditional to one of its arms.
bool UnwrapAt(StmtList* list, int index, int variant) {
  Stmt stmt = list->Get(index);
  const bool takes_else = variant == 1;
  if (takes_else && stmt.kind() != IF) return false;
  switch (stmt.kind()) {
    case FOR:
      Substitute(stmt.mutable_body(), stmt.id(), stmt.args(0));
      break;
    case BLOCK: {
      StmtList body = stmt.block().init();
      body.MergeFrom(stmt.body());
      for (const BlockIter& iter : stmt.block().iters()) {
        Substitute(&body, iter.variable(), iter.binding());
      }
      stmt.mutable_body()->Swap(&body);
      break;
    }
    case IF:
    case ATTR:
      break;
    default:
      return false;
  }
  Splice(list, index, takes_else ? stmt.orelse() : stmt.body());
  return true;
}

// A bound variable gives way to its value.
bool InlineBindAt(StmtList* list, int index, int) {
  if (list->Get(index).kind() != BIND) return false;
  const Stmt bind = list->Get(index);
  list->DeleteSubrange(index, 1);
  StmtList rest;
  for (int i = index; i < list->size(); ++i) *rest.Add() = list->Get(i);
  Substitute(&rest, bind.id(), bind.args(0));
  for (int i = index; i < list->size(); ++i) list->Mutable(i)->Swap(rest.Mutable(i - index));
  return true;
}

bool ShrinkLoopAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  if (stmt->kind() != FOR || stmt->args(1).op() != CONST) return false;
  const int64_t extent = stmt->args(1).int_value();
  const std::array<int64_t, 3> sizes = {1, 2, extent / 2};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (size < 1 || size >= extent) return false;
  stmt->mutable_args(1)->set_int_value(size);
  return true;
}

bool MakeSerialAt(StmtList* list, int index, int) {
  Stmt* stmt = list->Mutable(index);
  if (stmt->kind() != FOR || stmt->loop_kind() == SERIAL) return false;
  stmt->set_loop_kind(SERIAL);
  stmt->clear_thread_tag();
  return true;
}

bool DropStmtExtrasAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  switch (variant) {
    case 0:
      if (stmt->annotations().empty()) return false;
      stmt->clear_annotations();
      return true;
    case 1:
      if (!stmt->has_block() || stmt->block().annotations().empty()) return false;
      stmt->mutable_block()->clear_annotations();
      return true;
    case 2:
      if (!stmt->has_block() || !stmt->block().has_predicate()) return false;
      stmt->mutable_block()->clear_predicate();
      return true;
    case 3:
      if (!stmt->has_block() || stmt->block().init().empty()) return false;
      stmt->mutable_block()->clear_init();
      return true;
    default:
      if (stmt->kind() != IF || stmt->orelse().empty()) return false;
      stmt->clear_orelse();
      return true;
  }
}

// ---- Expressions ----------------------------------------------------------------------------

bool IsLeafConstant(const Expr& expr) { return expr.op() == CONST || expr.op() == STRING; }

Expr Constant(const Expr& like, int64_t value) {
  Expr scalar = IntConst(like.type(), value);
  if (IsFloat(like.type())) {
    scalar.clear_int_value();
    scalar.set_float_value(static_cast<double>(value));
  }
  if (like.lanes() == 0) return scalar;
  Expr vector;
  vector.set_op(BROADCAST);
  vector.set_type(like.type());
  vector.set_lanes(like.lanes());
  *vector.add_args() = std::move(scalar);
  return vector;
}

bool ToConstant(Expr* expr, int variant) {
  const bool has_constants =
      IsFloat(expr->type()) || IsInteger(expr->type()) || expr->type() == BOOL;
  if (IsLeafConstant(*expr) || !has_constants) return false;
  *expr = Constant(*expr, variant);
  return true;
}

// An expression gives way to an operand of its type; a let to its body with the value put in.
bool ToOperand(Expr* expr, int variant) {
  if (expr->op() == LET) {
    if (variant != 0) return false;
    Expr body = expr->args(1);
    Substitute(&body, expr->id(), expr->args(0));
    *expr = std::move(body);
    return true;
  }
  if (expr->op() == LOAD || variant >= expr->args_size()) return false;
  const Expr operand = expr->args(variant);
  if (operand.type() != expr->type() || operand.lanes() != expr->lanes()) return false;
  *expr = operand;
  return true;
}

bool ShrinkConstant(Expr* expr, int variant) {
  if (expr->op() != CONST || IsFloat(expr->type())) return false;
  const int64_t value = expr->int_value();
  const std::array<int64_t, 4> sizes = {0, 1, 2, value / 2};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (std::abs(size) >= std::abs(value)) return false;
  expr->set_int_value(size);
  return true;
}

// ---- Tables, parameters, passes -------------------------------------------------------------

bool DefinesDimension(const Function& function, uint32_t variable) {
  bool found = false;
  for (const Param& param : function.params()) {
    if (param.kind() != PARAM_BUFFER) continue;
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    const auto look = [&](const Expr& root) {
      VisitExpr(root,
                [&](const Expr& expr) { found |= expr.op() == VAR && expr.id() == variable; });
    };
    for (const Expr& extent : buffer.shape()) look(extent);
    for (const Expr& stride : buffer.strides()) look(stride);
    if (buffer.has_elem_offset()) look(buffer.elem_offset());
  }
  return found;
}

// Values of dimensions that no parameter has any more.
void DropUnusedDims(Case* test_case) {
  const Function& entry = test_case->module().functions(0);
  auto* dims = test_case->mutable_inputs()->mutable_dims();
  for (int i = dims->size() - 1; i >= 0; --i) {
    if (!DefinesDimension(entry, dims->Get(i).variable())) dims->DeleteSubrange(i, 1);
  }
}

EditResult DropParam(Case* test_case, int position, int) {
  Function* entry = test_case->mutable_module()->mutable_functions(0);
  if (position >= entry->params_size()) return EditResult::kNoPosition;
  entry->mutable_params()->DeleteSubrange(position, 1);
  auto* inputs = test_case->mutable_inputs()->mutable_params();
  for (int i = inputs->size() - 1; i >= 0; --i) {
    ParamInput* input = inputs->Mutable(i);
    if (input->param() == static_cast<uint32_t>(position)) {
      inputs->DeleteSubrange(i, 1);
    } else if (input->param() > static_cast<uint32_t>(position)) {
      input->set_param(input->param() - 1);
    }
  }
  DropUnusedDims(test_case);
  return EditResult::kApplied;
}

// A dimension that the caller's tensors define becomes the constant that it is in this Case.
EditResult FixDimension(Case* test_case, int position, int) {
  if (position >= test_case->inputs().dims_size()) return EditResult::kNoPosition;
  const DimValue dim = test_case->inputs().dims(position);
  test_case->mutable_inputs()->mutable_dims()->DeleteSubrange(position, 1);
  Function* entry = test_case->mutable_module()->mutable_functions(0);
  const ScalarType type = entry->variables(static_cast<int>(dim.variable())).type();
  const Expr value = IntConst(type, dim.value());
  VisitExprs(entry, [&](Expr& expr) {
    if (expr.op() == VAR && expr.id() == dim.variable()) expr = value;
  });
  return EditResult::kApplied;
}

// Positions are the dimensions of all buffers, in order of the tables.
EditResult ShrinkDimension(Case* test_case, int position, int variant) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    for (Buffer& buffer : *function.mutable_buffers()) {
      if (position >= buffer.shape_size()) {
        position -= buffer.shape_size();
        continue;
      }
      return Applied(ShrinkConstant(buffer.mutable_shape(position), variant + 1));
    }
  }
  return EditResult::kNoPosition;
}

EditResult DropFunctionAttr(Case* test_case, int position, int) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    if (position < function.attrs_size()) {
      function.mutable_attrs()->DeleteSubrange(position, 1);
      return EditResult::kApplied;
    }
    position -= function.attrs_size();
  }
  return EditResult::kNoPosition;
}

// The default pipeline (no steps) stays whole: a reproducer is shortest with it.
EditResult DropPass(Case* test_case, int position, int) {
  if (position >= test_case->passes().steps_size()) return EditResult::kNoPosition;
  PassSequence* passes = test_case->mutable_passes();
  if (passes->steps_size() == 1) return EditResult::kNotApplicable;
  passes->mutable_steps()->DeleteSubrange(position, 1);
  return EditResult::kApplied;
}

constexpr auto kKinds = std::to_array<EditKind>({
    {"drop pass", 1, DropPass},
    {"drop statement", 1, OnStmt<DropStmtAt>},
    {"unwrap statement", 2, OnStmt<UnwrapAt>},
    {"drop parameter", 1, DropParam},
    {"expression to constant", 2, OnExpr<ToConstant>},
    {"expression to operand", 3, OnExpr<ToOperand>},
    {"inline binding", 1, OnStmt<InlineBindAt>},
    {"shrink loop", 3, OnStmt<ShrinkLoopAt>},
    {"make loop serial", 1, OnStmt<MakeSerialAt>},
    {"drop extras of statement", 5, OnStmt<DropStmtExtrasAt>},
    {"drop function attribute", 1, DropFunctionAttr},
    {"fix dimension", 1, FixDimension},
    {"shrink dimension", 3, ShrinkDimension},
    {"shrink constant", 4, OnExpr<ShrinkConstant>},
});

int64_t WeightOf(const Expr& expr) {
  switch (expr.op()) {
    case CONST:
      if (IsFloat(expr.type())) return std::abs(expr.float_value()) <= 1 ? 0 : 8;
      return std::bit_width(static_cast<uint64_t>(std::abs(expr.int_value())));
    case VAR:
    case LOAD:
      return 80;
    default:
      return 0;
  }
}

}  // namespace

std::span<const EditKind> EditKinds() { return kKinds; }

int64_t Weight(const Case& test_case) {
  int64_t weight = 1'000 * MeasureCase(test_case).nodes;
  for (const Function& function : test_case.module().functions()) {
    VisitExprs(function, [&](const Expr& expr) { weight += WeightOf(expr); });
    VisitStmts(function, [&](const Stmt& stmt) {
      if (stmt.kind() == FOR && stmt.loop_kind() != SERIAL) weight += 100;
    });
  }
  return weight;
}

}  // namespace irate
