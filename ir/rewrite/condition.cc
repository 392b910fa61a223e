#include "ir/rewrite/condition.h"

#include <map>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "ir/canonical.h"
#include "ir/ops.h"
#include "ir/text_words.h"
#include "ir/types.h"
#include "ir/visit.h"

namespace irate::rewrite {
namespace {

const std::map<std::string, int>& Arities() {
  static const auto& arities = *new std::map<std::string, int>{
      {"lanes", 1},  {"bits", 1},        {"type", 1},      {"extent", 1},   {"begin", 1},
      {"kind", 1},   {"rank", 1},        {"dim", 2},       {"elements", 1}, {"scope", 1},
      {"name", 1},   {"size", 1},        {"count", 1},     {"nodes", 1},    {"uses", 2},
      {"reads", 2},  {"writes", 2},      {"depth", 0},     {"pass", 0},     {"step", 0},
      {"params", 0}, {"loops", 0},       {"functions", 0}, {"function", 0}, {"one_in", 1},
      {"align", 1},  {"module_size", 0},
  };
  return arities;
}

const std::map<std::string, Op>& OpTests() {
  static const auto& tests = *new std::map<std::string, Op>{
      {"const", CONST},
      {"var", VAR},
      {"load", LOAD},
      {"call", CALL},
      {"cast", CAST},
      {"select", SELECT},
      {"if_then_else", IF_THEN_ELSE},
      {"ramp", RAMP},
      {"broadcast", BROADCAST},
      {"shuffle", SHUFFLE},
      {"add", ADD},
      {"sub", SUB},
      {"mul", MUL},
      {"div", DIV},
      {"floordiv", FLOOR_DIV},
      {"floormod", FLOOR_MOD},
      {"truncdiv", TRUNC_DIV},
      {"truncmod", TRUNC_MOD},
      {"min", MIN},
      {"max", MAX},
      {"not_", NOT},
      {"string", STRING},
  };
  return tests;
}

constexpr auto kOtherTests = std::to_array<std::string_view>(
    {"vector", "scalar", "int", "integer", "signed", "unsigned", "float", "param", "loop",
     "comparison", "handle", "bool", "power_of_two"});

}  // namespace

int FunctionArity(const std::string& word) {
  const auto found = Arities().find(word);
  return found == Arities().end() ? -1 : found->second;
}

bool IsTest(const std::string& word) {
  return OpTests().contains(word) || ParseTypeName(word).has_value() ||
         std::ranges::find(kOtherTests, word) != kOtherTests.end();
}

struct Evaluator::Value {
  enum class Kind { kNone, kInteger, kFloat, kText, kBound };
  Kind kind = Kind::kNone;
  int64_t integer = 0;
  double number = 0;
  std::string text{};
  const Binding* bound = nullptr;

  static Value None() { return {}; }
  static Value Int(int64_t value) { return {.kind = Kind::kInteger, .integer = value}; }
  static Value Text(std::string value) { return {.kind = Kind::kText, .text = std::move(value)}; }
  static Value OfExpr(const Expr* expr) {
    if (expr == nullptr || expr->op() != CONST) return None();
    if (IsFloat(expr->type())) return {.kind = Kind::kFloat, .number = expr->float_value()};
    return Int(expr->int_value());
  }
  bool IsTrue() const { return kind == Kind::kInteger && integer != 0; }
};

Evaluator::Value Evaluator::OfMeta(const std::string& name) {
  const Binding* binding = bindings_.Find(name);
  if (binding == nullptr) return Value::None();
  if (binding->kind == Binding::Kind::kText) return Value::Text(binding->text);
  if (binding->kind == Binding::Kind::kLoopKind) {
    static constexpr std::string_view kNames[] = {"serial", "parallel", "vectorized", "unrolled",
                                                  "bind"};
    return Value::Text(std::string(kNames[binding->loop_kind]));
  }
  if (binding->kind == Binding::Kind::kExpr && binding->exprs[0].op() == CONST) {
    return Value::OfExpr(&binding->exprs[0]);
  }
  if (binding->kind == Binding::Kind::kExpr && binding->exprs[0].op() == STRING) {
    return Value::Text(binding->exprs[0].name());
  }
  return {.kind = Value::Kind::kBound, .bound = binding};
}

Evaluator::Value Evaluator::Compare(const std::string& op, const Value& a, const Value& b) {
  using Kind = Value::Kind;
  if (a.kind == Kind::kNone || b.kind == Kind::kNone) return Value::Int(0);
  const bool numbers = (a.kind == Kind::kInteger || a.kind == Kind::kFloat) &&
                       (b.kind == Kind::kInteger || b.kind == Kind::kFloat);
  if (!numbers) {
    bool same = a.kind == b.kind;
    if (same && a.kind == Kind::kText) same = a.text == b.text;
    if (same && a.kind == Kind::kBound) same = *a.bound == *b.bound;
    if (op == "==") return Value::Int(same ? 1 : 0);
    return Value::Int(op == "!=" && !same ? 1 : 0);
  }
  const double x = a.kind == Kind::kInteger ? static_cast<double>(a.integer) : a.number;
  const double y = b.kind == Kind::kInteger ? static_cast<double>(b.integer) : b.number;
  const bool exact = a.kind == Kind::kInteger && b.kind == Kind::kInteger;
  const int order = exact ? (a.integer < b.integer   ? -1
                             : a.integer > b.integer ? 1
                                                     : 0)
                          : (x < y   ? -1
                             : x > y ? 1
                                     : 0);
  if (op == "==") return Value::Int(order == 0 ? 1 : 0);
  if (op == "!=") return Value::Int(order != 0 ? 1 : 0);
  if (op == "<") return Value::Int(order < 0 ? 1 : 0);
  if (op == "<=") return Value::Int(order <= 0 ? 1 : 0);
  if (op == ">") return Value::Int(order > 0 ? 1 : 0);
  return Value::Int(order >= 0 ? 1 : 0);
}

int64_t Evaluator::Uses(const Condition& condition) {
  const Binding* where = bindings_.Find(condition.args[0].text);
  const Binding* what = bindings_.Find(condition.args[1].text);
  if (where == nullptr || what == nullptr) return 0;
  const bool is_buffer = what->kind == Binding::Kind::kBuffer;
  if (!is_buffer && (what->kind != Binding::Kind::kExpr || what->exprs[0].op() != VAR)) return 0;
  const uint32_t id = is_buffer ? what->buffer : what->exprs[0].id();
  const bool reads = condition.text != "writes";
  const bool writes = condition.text != "reads";
  int64_t count = 0;
  const auto visit = [&](const Expr& root) {
    VisitExpr(root, [&](const Expr& expr) {
      const bool hit = is_buffer ? (expr.op() == LOAD && reads) || expr.op() == BUFFER_DATA
                                 : expr.op() == VAR && reads;
      if (hit && expr.id() == id) ++count;
    });
  };
  for (const Expr& expr : where->exprs) visit(expr);
  for (const Stmt& stmt : where->stmts) {
    StmtList list;
    *list.Add() = stmt;
    VisitStmts(std::as_const(list), [&](const Stmt& nested) {
      ForEachRootExpr(nested, visit);
      if (is_buffer && writes && nested.kind() == STORE && nested.id() == id) ++count;
    });
  }
  return count;
}

Evaluator::Value Evaluator::Function(const Condition& condition) {
  const std::string& name = condition.text;
  if (name == "depth" || name == "loops") {
    int64_t depth = 0;
    for (const Stmt* stmt : place_.around) depth += stmt->kind() == FOR || name == "depth" ? 1 : 0;
    return Value::Int(depth);
  }
  if (name == "pass") return Value::Text(place_.pass);
  if (name == "function") return Value::Text(place_.function->name());
  if (name == "step") return Value::Int(place_.step);
  if (name == "params") return Value::Int(place_.function->params_size());
  if (name == "functions") return Value::Int(place_.module->functions_size());
  if (name == "module_size") return Value::Int(CountNodes(*place_.module));
  if (name == "one_in") {
    const int64_t n = Evaluate(condition.args[0]).integer;
    if (n <= 1) return Value::Int(1);
    return Value::Int(StructuralHash(*place_.module) % static_cast<uint64_t>(n) == 0 ? 1 : 0);
  }
  if (name == "uses" || name == "reads" || name == "writes") return Value::Int(Uses(condition));
  const Binding* binding = bindings_.Find(condition.args[0].text);
  if (condition.args[0].kind != Condition::Kind::kMeta || binding == nullptr) return Value::None();
  if (name == "size" || name == "count") {
    if (binding->kind == Binding::Kind::kExprs) {
      return Value::Int(static_cast<int64_t>(binding->exprs.size()));
    }
    if (name == "count") return Value::Int(static_cast<int64_t>(binding->stmts.size()));
    int64_t size = 0;
    StmtList list;
    for (const Stmt& stmt : binding->stmts) *list.Add() = stmt;
    VisitStmts(std::as_const(list), [&](const Stmt&) { ++size; });
    return Value::Int(size);
  }
  if (binding->kind == Binding::Kind::kBuffer) {
    const Buffer& buffer = place_.function->buffers(static_cast<int>(binding->buffer));
    if (name == "type") return Value::Text(text::PrintType(buffer.type(), buffer.lanes()));
    if (name == "bits") return Value::Int(BitWidth(buffer.type()));
    if (name == "lanes") return Value::Int(buffer.lanes());
    if (name == "rank") return Value::Int(buffer.shape_size());
    if (name == "scope") return Value::Text(buffer.scope().empty() ? "global" : buffer.scope());
    if (name == "name") return Value::Text(buffer.name());
    if (name == "align") return Value::Int(buffer.alignment());
    if (name == "dim") {
      const Value index = Evaluate(condition.args[1]);
      if (index.kind != Value::Kind::kInteger || index.integer < 0 ||
          index.integer >= buffer.shape_size()) {
        return Value::None();
      }
      return Value::OfExpr(&buffer.shape(static_cast<int>(index.integer)));
    }
    if (name == "elements") {
      int64_t product = 1;
      for (const Expr& extent : buffer.shape()) {
        if (extent.op() != CONST || __builtin_mul_overflow(product, extent.int_value(), &product)) {
          return Value::None();
        }
      }
      return Value::Int(product);
    }
    return Value::None();
  }
  if (binding->kind != Binding::Kind::kExpr) return Value::None();
  const Expr& expr = binding->exprs[0];
  if (name == "type") return Value::Text(text::PrintType(expr.type(), expr.lanes()));
  if (name == "bits") return Value::Int(BitWidth(expr.type()));
  if (name == "lanes") return Value::Int(expr.lanes());
  if (name == "nodes") {
    int64_t nodes = 0;
    VisitExpr(expr, [&](const Expr&) { ++nodes; });
    return Value::Int(nodes);
  }
  if (expr.op() != VAR) return Value::None();
  if (name == "name") {
    return Value::Text(place_.function->variables(static_cast<int>(expr.id())).name());
  }
  if (name == "extent") return Value::OfExpr(BoundOf(*place_.function, expr.id(), 1));
  if (name == "begin") return Value::OfExpr(BoundOf(*place_.function, expr.id(), 0));
  if (name == "kind") return Value::Text(std::string(LoopKindOf(*place_.function, expr.id())));
  return Value::None();
}

Evaluator::Value Evaluator::Evaluate(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kInteger:
      return Value::Int(condition.value);
    case Condition::Kind::kText:
      return Value::Text(condition.text);
    case Condition::Kind::kMeta:
      return OfMeta(condition.text);
    case Condition::Kind::kFunction:
      return Function(condition);
    case Condition::Kind::kBinary: {
      const std::string& op = condition.text;
      if (op == "&&") return Value::Int(Holds(condition.args[0]) && Holds(condition.args[1]));
      if (op == "||") return Value::Int(Holds(condition.args[0]) || Holds(condition.args[1]));
      const Value a = Evaluate(condition.args[0]);
      const Value b = Evaluate(condition.args[1]);
      if (op != "+" && op != "-" && op != "*" && op != "//" && op != "%") return Compare(op, a, b);
      if (a.kind != Value::Kind::kInteger || b.kind != Value::Kind::kInteger) return Value::None();
      int64_t result = 0;
      if (op == "+") {
        return __builtin_add_overflow(a.integer, b.integer, &result) ? Value::None()
                                                                     : Value::Int(result);
      }
      if (op == "-") {
        return __builtin_sub_overflow(a.integer, b.integer, &result) ? Value::None()
                                                                     : Value::Int(result);
      }
      if (op == "*") {
        return __builtin_mul_overflow(a.integer, b.integer, &result) ? Value::None()
                                                                     : Value::Int(result);
      }
      if (b.integer == 0 || b.integer == -1) return Value::None();
      int64_t quotient = a.integer / b.integer;
      int64_t remainder = a.integer % b.integer;
      if (remainder != 0 && (remainder < 0) != (b.integer < 0)) {
        --quotient;
        remainder += b.integer;
      }
      return Value::Int(op == "//" ? quotient : remainder);
    }
    case Condition::Kind::kNot:
      return Value::Int(Holds(condition.args[0]) ? 0 : 1);
    case Condition::Kind::kIs:
      for (const std::string& word : condition.words) {
        if (Is(condition.args[0].text, word)) return Value::Int(1);
      }
      return Value::Int(0);
    case Condition::Kind::kInside:
      for (const Stmt* stmt : place_.around) {
        for (const std::string& word : condition.words) {
          if (IsKind(*stmt, word)) return Value::Int(1);
        }
      }
      return Value::Int(0);
    case Condition::Kind::kIn:
      for (const std::string_view position : place_.positions) {
        for (const std::string& word : condition.words) {
          if (position == word) return Value::Int(1);
        }
      }
      return Value::Int(0);
    case Condition::Kind::kContains: {
      const Bindings before = bindings_;
      const bool found = Contains(condition, [] { return true; });
      bindings_ = before;
      return Value::Int(found ? 1 : 0);
    }
  }
  return Value::None();
}

bool Evaluator::Holds(const Condition& condition) { return Evaluate(condition).IsTrue(); }

bool Evaluator::Is(const std::string& name, const std::string& test) {
  const Binding* binding = bindings_.Find(name);
  if (binding == nullptr) return false;
  ScalarType type = VOID;
  uint32_t lanes = 0;
  const Expr* expr = nullptr;
  if (binding->kind == Binding::Kind::kBuffer) {
    const Buffer& buffer = place_.function->buffers(static_cast<int>(binding->buffer));
    type = buffer.type();
    lanes = buffer.lanes();
    if (test == "param") {
      for (const Param& param : place_.function->params()) {
        if (param.kind() == PARAM_BUFFER && param.id() == binding->buffer) return true;
      }
      return false;
    }
  } else if (binding->kind == Binding::Kind::kExpr) {
    expr = &binding->exprs[0];
    type = expr->type();
    lanes = expr->lanes();
  } else if (binding->kind == Binding::Kind::kText) {
    return binding->text == test;
  } else if (binding->kind == Binding::Kind::kLoopKind) {
    Stmt loop;
    loop.set_kind(FOR);
    loop.set_loop_kind(binding->loop_kind);
    return IsKind(loop, test);
  } else {
    return false;
  }
  if (const std::optional<ScalarType> wanted = ParseTypeName(test)) return type == *wanted;
  if (const auto op = OpTests().find(test); op != OpTests().end()) {
    return expr != nullptr && expr->op() == op->second;
  }
  if (test == "vector") return lanes != 0;
  if (test == "scalar") return lanes == 0;
  if (test == "int" || test == "integer") return IsInteger(type);
  if (test == "signed") return IsSigned(type);
  if (test == "unsigned") return IsUnsigned(type);
  if (test == "float") return IsFloat(type);
  if (test == "comparison") return expr != nullptr && IsComparison(expr->op());
  if (expr == nullptr) return false;
  if (test == "power_of_two") {
    const int64_t value = expr->int_value();
    return expr->op() == CONST && value > 0 && (value & (value - 1)) == 0;
  }
  if (expr->op() != VAR) return false;
  if (test == "loop") return !LoopKindOf(*place_.function, expr->id()).empty();
  if (test == "param") {
    for (const Param& param : place_.function->params()) {
      if (param.kind() == PARAM_SCALAR && param.id() == expr->id()) return true;
    }
  }
  return false;
}

bool Evaluator::ContainedIn(const Pattern& pattern, const Expr& expr, const Then& then) {
  if (pattern.is_stmts) return false;
  if (matcher_.MatchExpr(pattern.expr, expr, then)) return true;
  for (const Expr& arg : expr.args()) {
    if (ContainedIn(pattern, arg, then)) return true;
  }
  return false;
}

bool Evaluator::ContainedIn(const Pattern& pattern, const StmtList& stmts, const Then& then) {
  for (int i = 0; i < stmts.size(); ++i) {
    int length = 0;
    if (pattern.is_stmts && matcher_.MatchWindow(pattern.stmts, stmts, i, &length, then)) {
      return true;
    }
    const Stmt& stmt = stmts[i];
    bool found = false;
    if (!pattern.is_stmts) {
      ForEachRootExpr(stmt, [&](const Expr& expr) {
        if (!found) found = ContainedIn(pattern, expr, then);
      });
    }
    ForEachChildList(stmt, [&](const StmtList& list) {
      if (!found) found = ContainedIn(pattern, list, then);
    });
    if (found) return true;
  }
  return false;
}

bool Evaluator::Contains(const Condition& condition, const Then& then) {
  const Pattern& pattern = *condition.pattern;
  if (condition.text == "function") return ContainedIn(pattern, place_.function->body(), then);
  if (condition.text == "module") {
    // Bindings are ids of one function.
    for (const irate::Function& function : place_.module->functions()) {
      if (&function == place_.function) {
        if (ContainedIn(pattern, function.body(), then)) return true;
        continue;
      }
      Bindings bindings;
      Matcher matcher(names_, function, &bindings);
      Place place = place_;
      place.function = &function;
      Evaluator other(names_, place, &matcher, &bindings);
      if (other.ContainedIn(pattern, function.body(), [] { return true; })) return then();
    }
    return false;
  }
  const Binding* binding = bindings_.Find(condition.text);
  if (binding == nullptr) return false;
  const Binding copy = *binding;  // what `then` binds moves nothing, but may erase
  for (const Expr& expr : copy.exprs) {
    if (ContainedIn(pattern, expr, then)) return true;
  }
  StmtList list;
  for (const Stmt& stmt : copy.stmts) *list.Add() = stmt;
  return ContainedIn(pattern, list, then);
}

bool Evaluator::All(const std::vector<Condition>& conditions, size_t from, const Then& then) {
  if (from == conditions.size()) return then();
  const Condition& condition = conditions[from];
  if (condition.kind == Condition::Kind::kContains) {
    return Contains(condition, [&] { return All(conditions, from + 1, then); });
  }
  // Both sides of a conjunction are conditions of their own.
  if (condition.kind == Condition::Kind::kBinary && condition.text == "&&") {
    return All(condition.args, 0, [&] { return All(conditions, from + 1, then); });
  }
  return Holds(condition) && All(conditions, from + 1, then);
}

}  // namespace irate::rewrite
