// Short names for making IR: what generators, importers and tests are written with.
//
// Expressions are plain messages; the functions below set type and lanes from the operands and
// never fold or simplify. Passing operands of different types is a bug of the caller and aborts
// with the place (ABSL_CHECK-like, in every build).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::build {

Expr Int(ScalarType type, int64_t value);
Expr Float(ScalarType type, double value);
inline Expr I32Const(int64_t value) { return Int(I32, value); }
Expr BoolConst(bool value);
Expr String(std::string_view text);
Expr Var(const Function& function, uint32_t id);
Expr Load(const Function& function, uint32_t buffer, std::vector<Expr> indices);
Expr BufferData(uint32_t buffer);

Expr Binary(Op op, Expr a, Expr b);  // arithmetic, comparison, logic, bits
Expr Unary(Op op, Expr a);           // NOT, BIT_NOT
Expr Select(Expr condition, Expr then_value, Expr else_value);
Expr IfThenElse(Expr condition, Expr then_value, Expr else_value);
Expr Cast(ScalarType type, Expr a);
Expr Reinterpret(ScalarType type, Expr a);
Expr Ramp(Expr base, Expr stride, uint32_t lanes);
Expr Broadcast(Expr value, uint32_t lanes);
// Elements `indices` of the vectors' concatenation; one index gives a scalar.
Expr Shuffle(std::vector<Expr> vectors, const std::vector<int64_t>& indices);
Expr Let(uint32_t variable, Expr value, Expr body);
// With the lanes of the first argument, unless `type` is HANDLE or VOID.
Expr Call(std::string_view name, ScalarType type, std::vector<Expr> args);

Stmt For(uint32_t variable, Expr min, Expr extent, LoopKind kind, std::vector<Stmt> body);
Stmt While(Expr condition, std::vector<Stmt> body);
Stmt If(Expr condition, std::vector<Stmt> then_body, std::vector<Stmt> else_body = {});
Stmt Store(uint32_t buffer, Expr value, std::vector<Expr> indices);
Stmt Bind(uint32_t variable, Expr value);
Stmt Alloc(uint32_t buffer);
Stmt DeclBuffer(uint32_t buffer, Expr data);
Stmt Evaluate(Expr value);
Stmt Assert(Expr condition, std::string_view error_kind, std::string_view message);
Stmt Break();
Stmt Continue();
Stmt Return();
Stmt Return(Expr value);

// Adds to the function's tables and returns the new id.
uint32_t AddVariable(Function* function, std::string_view name, ScalarType type,
                     uint32_t lanes = 0);
uint32_t AddBuffer(Function* function, std::string_view name, ScalarType type,
                   std::vector<Expr> shape, std::string_view scope = "");
void AddBufferParam(Function* function, uint32_t buffer);
void AddScalarParam(Function* function, uint32_t variable);

}  // namespace irate::build
