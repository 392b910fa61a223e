#include "ir/builder.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "fmt/format.h"
#include "ir/types.h"

namespace irate::build {
namespace {

void Require(bool condition, std::string_view what) {
  if (condition) return;
  fmt::print(stderr, "irate: a builder was misused: {}\n", what);
  std::abort();
}

Expr Make(Op op, ScalarType type, uint32_t lanes, std::vector<Expr> args) {
  Expr result;
  result.set_op(op);
  result.set_type(type);
  result.set_lanes(lanes);
  for (Expr& arg : args) *result.add_args() = std::move(arg);
  return result;
}

std::string Describe(const Expr& expr) {
  return fmt::format("{}x{}", TypeName(expr.type()), Lanes(expr.lanes()));
}

Stmt MakeStmt(StmtKind kind, uint32_t id, std::vector<Expr> args, std::vector<Stmt> body = {}) {
  Stmt result;
  result.set_kind(kind);
  result.set_id(id);
  for (Expr& arg : args) *result.add_args() = std::move(arg);
  for (Stmt& stmt : body) *result.add_body() = std::move(stmt);
  return result;
}

}  // namespace

Expr Int(ScalarType type, int64_t value) {
  Require(IsInteger(type) || type == BOOL, "Int of a type that is not an integer");
  if (type != U64) {
    Require(value >= MinValue(type) && value <= MaxValue(type), "Int out of its type's range");
  }
  Expr result = Make(CONST, type, 0, {});
  result.set_int_value(value);
  return result;
}

Expr Float(ScalarType type, double value) {
  Require(IsFloat(type), "Float of a type that is not a float");
  Expr result = Make(CONST, type, 0, {});
  result.set_float_value(value);
  return result;
}

Expr BoolConst(bool value) { return Int(BOOL, value ? 1 : 0); }

Expr String(std::string_view text) {
  Expr result = Make(STRING, VOID, 0, {});
  result.set_name(std::string(text));
  return result;
}

Expr Var(const Function& function, uint32_t id) {
  Require(id < static_cast<uint32_t>(function.variables_size()), "Var of an unknown id");
  const Variable& variable = function.variables(static_cast<int>(id));
  Expr result = Make(VAR, variable.type(), variable.lanes(), {});
  result.set_id(id);
  return result;
}

Expr Load(const Function& function, uint32_t buffer, std::vector<Expr> indices) {
  Require(buffer < static_cast<uint32_t>(function.buffers_size()), "Load of an unknown buffer");
  const Buffer& declared = function.buffers(static_cast<int>(buffer));
  const uint32_t index_lanes = indices.empty() ? 1 : Lanes(indices.back().lanes());
  const uint32_t lanes = index_lanes * Lanes(declared.lanes());
  Expr result = Make(LOAD, declared.type(), lanes == 1 ? 0 : lanes, std::move(indices));
  result.set_id(buffer);
  return result;
}

Expr BufferData(uint32_t buffer) {
  Expr result = Make(BUFFER_DATA, HANDLE, 0, {});
  result.set_id(buffer);
  return result;
}

Expr Binary(Op op, Expr a, Expr b) {
  Require(a.type() == b.type() && a.lanes() == b.lanes(),
          fmt::format("{} of {} and {}", OpName(op), Describe(a), Describe(b)));
  const bool is_comparison = op >= EQ && op <= GE;
  const ScalarType type = is_comparison ? BOOL : a.type();
  const uint32_t lanes = a.lanes();
  Expr result = Make(op, type, lanes, {});
  *result.add_args() = std::move(a);
  *result.add_args() = std::move(b);
  return result;
}

Expr Unary(Op op, Expr a) {
  Expr result = Make(op, a.type(), a.lanes(), {});
  *result.add_args() = std::move(a);
  return result;
}

namespace {
Expr Choose(Op op, Expr condition, Expr then_value, Expr else_value) {
  Require(condition.type() == BOOL,
          fmt::format("{} on a condition of type {}", OpName(op), Describe(condition)));
  Require(
      then_value.type() == else_value.type() && then_value.lanes() == else_value.lanes(),
      fmt::format("{} between {} and {}", OpName(op), Describe(then_value), Describe(else_value)));
  Expr result = Make(op, then_value.type(), then_value.lanes(), {});
  *result.add_args() = std::move(condition);
  *result.add_args() = std::move(then_value);
  *result.add_args() = std::move(else_value);
  return result;
}
}  // namespace

Expr Select(Expr condition, Expr then_value, Expr else_value) {
  return Choose(SELECT, std::move(condition), std::move(then_value), std::move(else_value));
}

Expr IfThenElse(Expr condition, Expr then_value, Expr else_value) {
  return Choose(IF_THEN_ELSE, std::move(condition), std::move(then_value), std::move(else_value));
}

Expr Cast(ScalarType type, Expr a) {
  Expr result = Make(CAST, type, a.lanes(), {});
  *result.add_args() = std::move(a);
  return result;
}

Expr Reinterpret(ScalarType type, Expr a) {
  Require(ByteSize(type) == ByteSize(a.type()), "Reinterpret between sizes");
  Expr result = Make(REINTERPRET, type, a.lanes(), {});
  *result.add_args() = std::move(a);
  return result;
}

Expr Ramp(Expr base, Expr stride, uint32_t lanes) {
  Require(lanes >= 2, "Ramp of fewer than two lanes");
  Require(base.type() == stride.type(), "Ramp of two types");
  Expr result = Make(RAMP, base.type(), lanes, {});
  *result.add_args() = std::move(base);
  *result.add_args() = std::move(stride);
  return result;
}

Expr Broadcast(Expr value, uint32_t lanes) {
  Require(lanes >= 2, "Broadcast to fewer than two lanes");
  Require(value.lanes() == 0, "Broadcast of a vector");
  Expr result = Make(BROADCAST, value.type(), lanes, {});
  *result.add_args() = std::move(value);
  return result;
}

Expr Shuffle(std::vector<Expr> vectors, const std::vector<int64_t>& indices) {
  Require(!vectors.empty() && !indices.empty(), "Shuffle of nothing");
  const ScalarType type = vectors[0].type();
  const auto count = static_cast<uint32_t>(indices.size());
  Expr result = Make(SHUFFLE, type, count == 1 ? 0 : count, std::move(vectors));
  result.mutable_int_list()->Add(indices.begin(), indices.end());
  return result;
}

Expr Let(uint32_t variable, Expr value, Expr body) {
  Expr result = Make(LET, body.type(), body.lanes(), {});
  result.set_id(variable);
  *result.add_args() = std::move(value);
  *result.add_args() = std::move(body);
  return result;
}

Expr Call(std::string_view name, ScalarType type, std::vector<Expr> args) {
  const bool is_scalar = args.empty() || type == HANDLE || type == VOID;
  const uint32_t lanes = is_scalar ? 0 : args[0].lanes();
  Expr result = Make(CALL, type, lanes, std::move(args));
  result.set_name(std::string(name));
  return result;
}

Stmt For(uint32_t variable, Expr min, Expr extent, LoopKind kind, std::vector<Stmt> body) {
  Require(min.type() == extent.type(), "For with a minimum and an extent of two types");
  std::vector<Expr> args;
  args.push_back(std::move(min));
  args.push_back(std::move(extent));
  Stmt result = MakeStmt(FOR, variable, std::move(args), std::move(body));
  result.set_loop_kind(kind);
  return result;
}

Stmt While(Expr condition, std::vector<Stmt> body) {
  return MakeStmt(WHILE, 0, {std::move(condition)}, std::move(body));
}

Stmt If(Expr condition, std::vector<Stmt> then_body, std::vector<Stmt> else_body) {
  Stmt result = MakeStmt(IF, 0, {std::move(condition)}, std::move(then_body));
  for (Stmt& stmt : else_body) *result.add_orelse() = std::move(stmt);
  return result;
}

Stmt Store(uint32_t buffer, Expr value, std::vector<Expr> indices) {
  std::vector<Expr> args;
  args.push_back(std::move(value));
  for (Expr& index : indices) args.push_back(std::move(index));
  return MakeStmt(STORE, buffer, std::move(args));
}

Stmt Bind(uint32_t variable, Expr value) { return MakeStmt(BIND, variable, {std::move(value)}); }
Stmt Alloc(uint32_t buffer) { return MakeStmt(ALLOC, buffer, {}); }
Stmt DeclBuffer(uint32_t buffer, Expr data) {
  return MakeStmt(DECL_BUFFER, buffer, {std::move(data)});
}
Stmt Evaluate(Expr value) { return MakeStmt(EVALUATE, 0, {std::move(value)}); }

Stmt Assert(Expr condition, std::string_view error_kind, std::string_view message) {
  Stmt result = MakeStmt(ASSERT, 0, {std::move(condition)});
  result.set_name(std::string(error_kind));
  result.add_strings(std::string(message));
  return result;
}

Stmt Break() { return MakeStmt(BREAK, 0, {}); }
Stmt Continue() { return MakeStmt(CONTINUE, 0, {}); }
Stmt Return() { return MakeStmt(RETURN, 0, {}); }
Stmt Return(Expr value) { return MakeStmt(RETURN, 0, {std::move(value)}); }

uint32_t AddVariable(Function* function, std::string_view name, ScalarType type, uint32_t lanes) {
  Variable* variable = function->add_variables();
  variable->set_name(std::string(name));
  variable->set_type(type);
  variable->set_lanes(lanes);
  return static_cast<uint32_t>(function->variables_size() - 1);
}

uint32_t AddBuffer(Function* function, std::string_view name, ScalarType type,
                   std::vector<Expr> shape, std::string_view scope) {
  Buffer* buffer = function->add_buffers();
  buffer->set_name(std::string(name));
  buffer->set_type(type);
  for (Expr& extent : shape) *buffer->add_shape() = std::move(extent);
  buffer->set_scope(std::string(scope));
  return static_cast<uint32_t>(function->buffers_size() - 1);
}

void AddBufferParam(Function* function, uint32_t buffer) {
  Param* param = function->add_params();
  param->set_kind(PARAM_BUFFER);
  param->set_id(buffer);
}

void AddScalarParam(Function* function, uint32_t variable) {
  Param* param = function->add_params();
  param->set_kind(PARAM_SCALAR);
  param->set_id(variable);
}

}  // namespace irate::build
