#include "triage/analysis/edits.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace irate::analysis {
namespace {

using Questions = std::vector<AnalysisQuestion>;

bool IsDivision(Op op) { return op >= TRUNC_DIV && op <= FLOOR_MOD; }

// Calls `visit` for every expression of the question, parents first. `visit` gets the node and
// whether it is a divisor.
void ForEachNode(Expr* expr, bool is_divisor, const std::function<void(Expr*, bool)>& visit) {
  visit(expr, is_divisor);
  for (int i = 0; i < expr->args_size(); ++i) {
    ForEachNode(expr->mutable_args(i), i == 1 && IsDivision(expr->op()), visit);
  }
}

void ForEachNode(AnalysisQuestion* question, const std::function<void(Expr*, bool)>& visit) {
  for (AnalysisAsk& ask : *question->mutable_asks()) {
    for (Expr& expr : *ask.mutable_exprs()) ForEachNode(&expr, false, visit);
    if (ask.has_predicate()) ForEachNode(ask.mutable_predicate(), false, visit);
  }
  if (question->has_constraint()) ForEachNode(question->mutable_constraint(), false, visit);
}

Expr Constant(const Expr& like, int64_t value) {
  Expr scalar;
  scalar.set_op(CONST);
  scalar.set_type(like.type());
  scalar.set_int_value(value);
  if (like.lanes() <= 1) return scalar;
  Expr result;
  result.set_op(BROADCAST);
  result.set_type(like.type());
  result.set_lanes(like.lanes());
  *result.add_args() = std::move(scalar);
  return result;
}

// What may stand in the place of `node`.
std::vector<Expr> Replacements(const Expr& node, bool is_divisor) {
  std::vector<Expr> result;
  if (node.op() == CONST) {
    const int64_t value = node.int_value();
    std::vector<int64_t> values;
    if (node.type() == BOOL) return {};
    for (const int64_t candidate :
         {int64_t{0}, int64_t{1}, int64_t{2}, -value, value / 2, value - (value > 0 ? 1 : -1)}) {
      const bool is_simpler =
          std::abs(candidate) < std::abs(value) || (candidate == -value && value < 0);
      if (is_simpler && (!is_divisor || candidate != 0)) values.push_back(candidate);
    }
    for (const int64_t candidate : values) result.push_back(Constant(node, candidate));
    return result;
  }
  if (node.op() == VAR) {
    if (!is_divisor) result.push_back(Constant(node, 0));
    result.push_back(Constant(node, 1));
    return result;
  }
  const bool is_literal = node.op() == BROADCAST && node.args(0).op() == CONST;
  if (!is_literal) {
    if (!is_divisor) result.push_back(Constant(node, 0));
    result.push_back(Constant(node, 1));
  }
  // The value of a Let may stand alone, its body not: that has the variable.
  for (int i = 0; i < node.args_size(); ++i) {
    const Expr& arg = node.args(i);
    if (node.op() == LET && i == 1) continue;
    if (arg.type() == node.type() && arg.lanes() == node.lanes()) result.push_back(arg);
    // Through a cast and back.
    if (node.op() == CAST && arg.op() == CAST && arg.args(0).type() == node.type()) {
      result.push_back(arg.args(0));
    }
  }
  if (node.op() == NOT) return result;
  if (node.op() == TRUNC_DIV || node.op() == TRUNC_MOD) {
    result.push_back(node);
    result.back().set_op(node.op() == TRUNC_DIV ? FLOOR_DIV : FLOOR_MOD);
  }
  return result;
}

void AddStructural(const AnalysisQuestion& question, Questions* result) {
  const auto edit = [&](const std::function<void(AnalysisQuestion*)>& change) {
    result->push_back(question);
    change(&result->back());
  };
  for (int i = 0; i < question.asks_size() && question.asks_size() > 1; ++i) {
    edit([i](AnalysisQuestion* q) { q->mutable_asks()->DeleteSubrange(i, 1); });
  }
  if (question.has_constraint()) edit([](AnalysisQuestion* q) { q->clear_constraint(); });
  if (question.extensions() != 0) edit([](AnalysisQuestion* q) { q->set_extensions(0); });
  for (uint32_t bit = 1; bit < 16; bit <<= 1) {
    if ((question.extensions() & bit) != 0 && question.extensions() != bit) {
      edit([bit](AnalysisQuestion* q) { q->set_extensions(q->extensions() & ~bit); });
    }
  }
  for (int i = 0; i < question.asks_size(); ++i) {
    const AnalysisAsk& ask = question.asks(i);
    if (ask.outside()) edit([i](AnalysisQuestion* q) { q->mutable_asks(i)->set_outside(false); });
    if (ask.has_predicate()) {
      edit([i](AnalysisQuestion* q) { q->mutable_asks(i)->clear_predicate(); });
    }
    if (ask.function() == SIMPLIFY && ask.option() > 1) {
      edit([i](AnalysisQuestion* q) { q->mutable_asks(i)->set_option(q->asks(i).option() - 1); });
    }
    const bool is_region = ask.function() >= REGION_LOWER_BOUND;
    const bool is_map = ask.function() >= ITER_MAP_DETECT && !is_region;
    const int stride = is_region ? 2 : 1;
    for (int e = 0; (is_map || is_region) && ask.exprs_size() > stride && e < ask.exprs_size();
         e += stride) {
      edit([i, e, stride](AnalysisQuestion* q) {
        q->mutable_asks(i)->mutable_exprs()->DeleteSubrange(e, stride);
      });
    }
    const int kept = ask.function() == DEDUCE_BOUND || ask.function() == CLIP_BOUND ? 1 : 0;
    for (int v = ask.variables_size() - 1; v >= kept && ask.variables_size() > kept; --v) {
      edit([i, v](AnalysisQuestion* q) {
        auto* variables = q->mutable_asks(i)->mutable_variables();
        variables->erase(variables->begin() + v);
      });
    }
  }
  // Conjunctions and disjunctions are cut by Replacements.
}

void AddRanges(const AnalysisQuestion& question, Questions* result) {
  for (int v = 0; v < question.ranges_size(); ++v) {
    const VariableRange& range = question.ranges(v);
    if (!range.bound()) continue;
    for (const int64_t extent : {int64_t{1}, int64_t{2}, range.extent() / 2, range.extent() - 1}) {
      if (extent < 1 || extent >= range.extent()) continue;
      result->push_back(question);
      result->back().mutable_ranges(v)->set_extent(extent);
      // The far end instead.
      result->push_back(question);
      result->back().mutable_ranges(v)->set_min(range.min() + range.extent() - extent);
      result->back().mutable_ranges(v)->set_extent(extent);
    }
    if (range.min() != 0) {
      result->push_back(question);
      result->back().mutable_ranges(v)->set_min(0);
    }
  }
}

}  // namespace

Questions SmallerQuestions(const AnalysisQuestion& question) {
  Questions result;
  AddStructural(question, &result);
  // Each node by its number in the walk: a copy of the question is walked to the same number.
  int count = 0;
  std::vector<std::vector<Expr>> replacements;
  AnalysisQuestion walked = question;
  ForEachNode(&walked, [&](Expr* node, bool is_divisor) {
    replacements.push_back(Replacements(*node, is_divisor));
    ++count;
  });
  for (int n = 0; n < count; ++n) {
    for (Expr& replacement : replacements[static_cast<size_t>(n)]) {
      result.push_back(question);
      int at = 0;
      Expr* place = nullptr;
      ForEachNode(&result.back(), [&](Expr* node, bool) {
        if (at++ == n) place = node;
      });
      *place = std::move(replacement);
    }
  }
  AddRanges(question, &result);
  if (std::ranges::any_of(question.variables(),
                          [](const Variable& variable) { return variable.type() == I64; })) {
    result.push_back(question);
    for (Variable& variable : *result.back().mutable_variables()) variable.set_type(I32);
    ForEachNode(&result.back(), [](Expr* node, bool) {
      if (node->type() == I64) node->set_type(I32);
    });
  }
  return result;
}

AnalysisQuestion WithoutUnusedVariables(const AnalysisQuestion& question) {
  AnalysisQuestion result = question;
  std::vector<int> new_ids(static_cast<size_t>(question.variables_size()), -1);
  const auto use = [&new_ids](uint32_t id) { new_ids[id] = 0; };
  ForEachNode(&result, [&](Expr* node, bool) {
    if (node->op() == VAR || node->op() == LET) use(node->id());
  });
  for (const AnalysisAsk& ask : question.asks()) {
    for (const uint32_t id : ask.variables()) use(id);
  }
  result.clear_variables();
  result.clear_ranges();
  for (size_t i = 0; i < new_ids.size(); ++i) {
    if (new_ids[i] < 0) continue;
    new_ids[i] = result.variables_size();
    *result.add_variables() = question.variables(static_cast<int>(i));
    *result.add_ranges() = question.ranges(static_cast<int>(i));
  }
  ForEachNode(&result, [&](Expr* node, bool) {
    if (node->op() == VAR || node->op() == LET) {
      node->set_id(static_cast<uint32_t>(new_ids[node->id()]));
    }
  });
  for (AnalysisAsk& ask : *result.mutable_asks()) {
    for (uint32_t& id : *ask.mutable_variables()) id = static_cast<uint32_t>(new_ids[id]);
  }
  return result;
}

}  // namespace irate::analysis
