#include "generators/mutate/places.h"

#include <algorithm>
#include <set>
#include <utility>

#include "generators/equivalent/expressions.h"
#include "ir/dimensions.h"

namespace irate::mutate {
namespace {

class Walker {
 public:
  explicit Walker(Function* function) : function_(*function) {
    for (const uint32_t variable : DimensionVariables(function_)) {
      scope_.variables.push_back(variable);
    }
    for (const Param& param : function_.params()) {
      if (param.kind() == PARAM_BUFFER) {
        scope_.buffers.push_back(param.id());
      } else {
        scope_.variables.push_back(param.id());
      }
    }
  }

  Places Walk() {
    List(*function_.mutable_body());
    return std::move(places_);
  }

 private:
  // Equal scopes are shared until something is defined.
  std::shared_ptr<const Scope> Current() {
    if (shared_ == nullptr) shared_ = std::make_shared<const Scope>(scope_);
    return shared_;
  }

  void DefineVariable(uint32_t id) {
    scope_.variables.push_back(id);
    shared_ = nullptr;
  }
  void DefineBuffer(uint32_t id) {
    scope_.buffers.push_back(id);
    shared_ = nullptr;
  }

  template <typename F>
  void Nested(F&& f) {
    const Scope saved = scope_;
    f();
    scope_ = saved;
    shared_ = nullptr;
  }

  void List(StmtList& list) {
    Nested([&] {
      for (int i = 0; i < list.size(); ++i) {
        places_.statements.push_back({&list, i, Current()});
        Statement(*list.Mutable(i));
      }
    });
  }

  void Statement(Stmt& stmt) {
    switch (stmt.kind()) {
      case FOR:
        for (int i = 0; i < 2; ++i) Expression(*stmt.mutable_args(i), Role::kBound);
        Nested([&] {
          DefineVariable(stmt.id());
          scope_.loops.push_back(&stmt);
          List(*stmt.mutable_body());
        });
        return;
      case WHILE:
      case IF:
        Expression(*stmt.mutable_args(0), Role::kCondition);
        Nested([&] {
          if (stmt.kind() == WHILE) {
            scope_.loops.push_back(&stmt);
            shared_ = nullptr;
          }
          List(*stmt.mutable_body());
          List(*stmt.mutable_orelse());
        });
        return;
      case STORE:
        Expression(*stmt.mutable_args(0), Role::kValue);
        for (int i = 1; i < stmt.args_size(); ++i) {
          Expression(*stmt.mutable_args(i), Role::kIndex, stmt.id(), i - 1);
        }
        return;
      case BIND:
        Expression(*stmt.mutable_args(0), Role::kValue);
        DefineVariable(stmt.id());
        return;
      case ALLOC:
      case DECL_BUFFER:
        DefineBuffer(stmt.id());
        return;
      case BLOCK:
        Block_(stmt);
        return;
      default:
        Nested([&] {
          if (stmt.attr_node().node_case() == AttrNode::kThreadTag) {
            DefineVariable(stmt.attr_node().thread_variable());
          }
          List(*stmt.mutable_body());
        });
        return;
    }
  }

  void Block_(Stmt& stmt) {
    Block& block = *stmt.mutable_block();
    if (block.has_predicate()) Expression(*block.mutable_predicate(), Role::kCondition);
    Nested([&] {
      for (const BlockIter& iter : block.iters()) DefineVariable(iter.variable());
      for (const uint32_t buffer : block.alloc_buffers()) DefineBuffer(buffer);
      for (const MatchBuffer& match : block.match_buffers()) DefineBuffer(match.buffer());
      List(*block.mutable_init());
      List(*stmt.mutable_body());
    });
  }

  void Expression(Expr& expr, Role role, uint32_t buffer = 0, int dimension = 0) {
    if (equivalent::IsFixed(expr)) return;
    places_.expressions.push_back({&expr, role, Current(), buffer, dimension});
    // What is part of a bound is as delicate as what is part of an index.
    const bool in_index = role == Role::kIndex || role == Role::kInIndex || role == Role::kBound;
    const Role inner = in_index ? Role::kInIndex : Role::kValue;
    if (expr.op() == LOAD) {
      for (int i = 0; i < expr.args_size(); ++i) {
        Expression(*expr.mutable_args(i), Role::kIndex, expr.id(), i);
      }
      return;
    }
    if (expr.op() == LET) {
      Expression(*expr.mutable_args(0), inner);
      Nested([&] {
        DefineVariable(expr.id());
        Expression(*expr.mutable_args(1), inner);
      });
      return;
    }
    const int last = expr.op() == RAMP ? 1 : expr.args_size();  // a stride stays a constant
    for (int i = 0; i < last; ++i) Expression(*expr.mutable_args(i), inner);
  }

  Function& function_;
  Scope scope_;
  std::shared_ptr<const Scope> shared_;
  Places places_;
};

}  // namespace

Places FindPlaces(Function* function) { return Walker(function).Walk(); }

namespace {

// What a piece of program uses and what it defines itself.
struct Names {
  std::set<uint32_t> used_variables;
  std::set<uint32_t> used_buffers;
  std::set<uint32_t> variables;
  std::set<uint32_t> buffers;

  void Add(const Expr& root) {
    VisitExpr(root, [this](const Expr& expr) {
      if (expr.op() == VAR) used_variables.insert(expr.id());
      if (expr.op() == LET) variables.insert(expr.id());
      if (expr.op() == LOAD || expr.op() == BUFFER_DATA) used_buffers.insert(expr.id());
    });
  }

  void Add(const Stmt& stmt) {
    ForEachRootExpr(stmt, [this](const Expr& root) { Add(root); });
    if (stmt.kind() == STORE) used_buffers.insert(stmt.id());
    if (stmt.kind() == FOR || stmt.kind() == BIND) variables.insert(stmt.id());
    if (stmt.kind() == ALLOC || stmt.kind() == DECL_BUFFER) buffers.insert(stmt.id());
    for (const BlockIter& iter : stmt.block().iters()) variables.insert(iter.variable());
    for (const uint32_t buffer : stmt.block().alloc_buffers()) buffers.insert(buffer);
    for (const MatchBuffer& match : stmt.block().match_buffers()) {
      buffers.insert(match.buffer());
      used_buffers.insert(match.source().buffer());
    }
    ForEachChildList(stmt, [this](const StmtList& list) {
      for (const Stmt& nested : list) Add(nested);
    });
  }

  bool AreIn(const Scope& scope) const {
    const auto covers = [](const std::set<uint32_t>& used, const std::set<uint32_t>& own,
                           const std::vector<uint32_t>& around) {
      return std::ranges::all_of(used, [&](uint32_t id) {
        return own.contains(id) || std::ranges::count(around, id) != 0;
      });
    };
    return covers(used_variables, variables, scope.variables) &&
           covers(used_buffers, buffers, scope.buffers);
  }
};

}  // namespace

bool IsInScope(const Expr& expr, const Scope& scope) {
  Names names;
  names.Add(expr);
  return names.AreIn(scope);
}

bool IsInScope(const Stmt& stmt, const Scope& scope) {
  Names names;
  names.Add(stmt);
  return names.AreIn(scope);
}

Function* PickFunction(Module* module, ChoiceSource& choices) {
  std::vector<int> weights;
  for (const Function& function : module->functions()) {
    int count = 1;
    VisitStmts(function, [&count](const Stmt&) { ++count; });
    weights.push_back(count);
  }
  return module->mutable_functions(static_cast<int>(choices.Weighted(weights)));
}

}  // namespace irate::mutate
