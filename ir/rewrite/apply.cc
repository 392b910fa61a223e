#include "ir/rewrite/apply.h"

#include <utility>

#include "ir/rewrite/instantiate.h"
#include "ir/rewrite/match.h"
#include "ir/rewrite/place.h"
#include "ir/status_macros.h"
#include "ir/verify.h"

namespace irate::rewrite {
namespace {

class Walk {
 public:
  Walk(const Rule& rule, const Module& module, const std::string& pass, int step, int wanted)
      : rule_(rule), wanted_(wanted) {
    module_ = module;
    place_.module = &module_;
    place_.pass = pass;
    place_.step = step;
  }

  void Run() {
    for (Function& function : *module_.mutable_functions()) {
      function_ = &function;
      place_.function = &function;
      Stmts(function.mutable_body());
      if (done_) return;
    }
  }

  int matches() const { return matches_; }
  bool triggered() const { return triggered_; }
  bool changed() const { return changed_; }
  const std::string& problem() const { return problem_; }
  Module Take() { return std::move(module_); }

 private:
  // The number of this match is wanted: 0 wants every one, -1 none.
  bool Wants() {
    ++matches_;
    return wanted_ == 0 || matches_ == wanted_;
  }

  void Triggered() {
    triggered_ = true;
    done_ = wanted_ != 0;
  }

  absl::Status AddNewBuffers(const Bindings& bindings, Instantiator* make) {
    for (const NewBuffer& buffer : rule_.new_buffers) {
      const Binding* model = bindings.Find(buffer.model);
      if (model == nullptr || model->kind != Binding::Kind::kBuffer) {
        return absl::InvalidArgumentError("$" + buffer.model + " stands for no buffer");
      }
      make->NewBuffer(buffer.name, model->buffer);
    }
    return absl::OkStatus();
  }

  bool ConditionsHold(Matcher* matcher, Bindings* bindings) {
    Evaluator evaluator(rule_.names, place_, matcher, bindings);
    return evaluator.All(rule_.conditions, 0, [] { return true; });
  }

  // False if the match is not the wanted one, or only counted.
  bool ShouldReplace(const Alternative& alternative) {
    if (!Wants()) return false;
    if (!alternative.replaces) Triggered();
    return alternative.replaces;
  }

  // Always false: nothing is replaced.
  bool GiveUp(const absl::Status& status) {
    problem_ = std::string(status.message());
    done_ = wanted_ != 0;
    return false;
  }

  // True if statements of the list were replaced; *next is the first that was not.
  bool Window(StmtList* list, int start, int* next) {
    for (const Alternative& alternative : rule_.alternatives) {
      if (!alternative.pattern.is_stmts) continue;
      Bindings bindings;
      Matcher matcher(rule_.names, *function_, &bindings);
      int length = 0;
      if (!matcher.MatchWindow(alternative.pattern.stmts, *list, start, &length,
                               [&] { return ConditionsHold(&matcher, &bindings); })) {
        continue;
      }
      if (!ShouldReplace(alternative)) return false;
      Instantiator make(rule_.names, bindings, function_);
      StmtList replacement;
      absl::Status status = AddNewBuffers(bindings, &make);
      if (status.ok()) status = make.MakeStmts(alternative.replacement.stmts, &replacement);
      if (!status.ok()) return GiveUp(status);
      Triggered();
      Splice(list, start, length, &replacement);
      *next = start + replacement.size();
      return true;
    }
    return false;
  }

  void Splice(StmtList* list, int start, int length, StmtList* replacement) {
    StmtList result;
    for (int i = 0; i < start; ++i) result.Add()->Swap(list->Mutable(i));
    for (const Stmt& stmt : *replacement) *result.Add() = stmt;
    for (int i = start + length; i < list->size(); ++i) result.Add()->Swap(list->Mutable(i));
    list->Swap(&result);
    changed_ = true;
  }

  void Stmts(StmtList* list) {
    for (int i = 0; i < list->size() && !done_;) {
      int next = i + 1;
      if (!Window(list, i, &next) && !done_) Inside(list->Mutable(i));
      i = next;
    }
    // A pattern of lists only can match nothing; otherwise the end of a list matches nothing.
  }

  void At(std::string_view position, Expr* expr) {
    if (done_) return;
    place_.positions.push_back(position);
    Exprs(expr);
    place_.positions.pop_back();
  }

  // The expressions and statements in `stmt`.
  void Inside(Stmt* stmt) {
    switch (stmt->kind()) {
      case FOR:
        for (Expr& bound : *stmt->mutable_args()) At("bounds", &bound);
        break;
      case WHILE:
      case IF:
      case ASSERT:
        for (Expr& condition : *stmt->mutable_args()) At("condition", &condition);
        break;
      case STORE:
        for (int i = 0; i < stmt->args_size(); ++i) {
          At(i == 0 ? "value" : "index", stmt->mutable_args(i));
        }
        break;
      case BIND:
        for (Expr& value : *stmt->mutable_args()) At("let", &value);
        break;
      case DECL_BUFFER:
        for (Expr& data : *stmt->mutable_args()) At("alias", &data);
        break;
      case EVALUATE:
        for (Expr& value : *stmt->mutable_args()) At("call", &value);
        break;
      case BLOCK:
        for (BlockIter& iter : *stmt->mutable_block()->mutable_iters()) {
          At("bounds", iter.mutable_domain()->mutable_min());
          At("bounds", iter.mutable_domain()->mutable_extent());
          At("binding", iter.mutable_binding());
        }
        if (stmt->block().has_predicate()) {
          At("predicate", stmt->mutable_block()->mutable_predicate());
        }
        break;
      default:
        for (Expr& arg : *stmt->mutable_args()) At("value", &arg);
        break;
    }
    place_.around.push_back(stmt);
    if (stmt->has_block()) Stmts(stmt->mutable_block()->mutable_init());
    if (!done_) Stmts(stmt->mutable_body());
    if (!done_) Stmts(stmt->mutable_orelse());
    place_.around.pop_back();
  }

  // True if `expr` was replaced.
  bool Replace(Expr* expr) {
    for (const Alternative& alternative : rule_.alternatives) {
      if (alternative.pattern.is_stmts) continue;
      Bindings bindings;
      Matcher matcher(rule_.names, *function_, &bindings);
      if (!matcher.MatchExpr(alternative.pattern.expr, *expr,
                             [&] { return ConditionsHold(&matcher, &bindings); })) {
        continue;
      }
      if (!ShouldReplace(alternative)) return false;
      Instantiator make(rule_.names, bindings, function_);
      absl::Status status = AddNewBuffers(bindings, &make);
      absl::StatusOr<Expr> replacement = make.MakeExpr(alternative.replacement.expr, *expr);
      if (status.ok()) status = replacement.status();
      if (!status.ok()) return GiveUp(status);
      Triggered();
      if (!SameExpr(*replacement, *expr)) {
        *expr = *std::move(replacement);
        changed_ = true;
      }
      return true;
    }
    return false;
  }

  void Exprs(Expr* expr) {
    if (done_ || Replace(expr) || done_) return;
    for (int i = 0; i < expr->args_size() && !done_; ++i) {
      Expr* arg = expr->mutable_args(i);
      const bool is_choice = expr->op() == SELECT || expr->op() == IF_THEN_ELSE;
      if (expr->op() == LOAD) {
        At("index", arg);
      } else if (is_choice && i == 0) {
        At("condition", arg);
      } else if (expr->op() == CALL) {
        At("call", arg);
      } else if (expr->op() == LET && i == 0) {
        At("let", arg);
      } else {
        Exprs(arg);
      }
    }
  }

  const Rule& rule_;
  const int wanted_;
  Module module_;
  Function* function_ = nullptr;
  Place place_;
  int matches_ = 0;
  bool triggered_ = false;
  bool changed_ = false;
  bool done_ = false;
  std::string problem_;
};

// Rules without a pattern look at conditions of the module only.
bool ModuleConditionsHold(const Rule& rule, const Module& module, const std::string& pass,
                          int step) {
  if (module.functions().empty()) return false;
  Place place;
  place.module = &module;
  place.function = &module.functions(0);
  place.pass = pass;
  place.step = step;
  Bindings bindings;
  Matcher matcher(rule.names, *place.function, &bindings);
  Evaluator evaluator(rule.names, place, &matcher, &bindings);
  return evaluator.All(rule.conditions, 0, [] { return true; });
}

}  // namespace

Applied Apply(const Rule& rule, const Module& module, const std::string& pass, int step) {
  Applied applied;
  if (rule.alternatives.empty()) {
    applied.triggered = ModuleConditionsHold(rule, module, pass, step);
    return applied;
  }
  int wanted = 1;
  switch (rule.site) {
    case Rule::Site::kFirst:
      break;
    case Rule::Site::kEvery:
      wanted = 0;
      break;
    case Rule::Site::kNumber:
      wanted = rule.number;
      break;
    case Rule::Site::kLast: {
      Walk count(rule, module, pass, step, /*wanted=*/-1);
      count.Run();
      wanted = count.matches();
      if (wanted == 0) return applied;
      break;
    }
  }
  Walk walk(rule, module, pass, step, wanted);
  walk.Run();
  applied.matches = walk.matches();
  applied.triggered = walk.triggered();
  applied.changed = walk.changed();
  applied.problem = walk.problem();
  if (!applied.changed) return applied;
  applied.module = walk.Take();
  if (rule.may_be_invalid) return applied;
  const VerifyOptions options = {.lifted = true};
  const absl::Status status = Verify(applied.module, options);
  // What was not valid before is no fault of the rule.
  if (!status.ok() && Verify(module, options).ok()) {
    applied.problem = std::string(status.message());
    applied.triggered = false;
    applied.changed = false;
    applied.module.Clear();
  }
  return applied;
}

}  // namespace irate::rewrite
