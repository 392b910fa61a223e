// Each rule of the verifier refuses what breaks it, with a message that names the place.
#include "ir/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ir/text.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

// A function with parameters and tables, and `body`.
Case Program(const std::string& body) {
  const std::string text = R"(
irate 1
func @main(buffer A, buffer B, scalar n) {
  var n, i, j: i32
  var x: f32
  var q: i64
  var p: bool
  var h: handle
  var v: i32x4
  var vp: boolx4
  buffer A: f32[16]
  buffer B: i32[4, 4]
  buffer T: f32[4]
  buffer V: f32x4[4]
  buffer D: f32[i]
)" + body + "\n}\nprivate func @callee(buffer X, scalar m) -> i32 {\n  var m: i32\n" +
                           "  buffer X: f32[4]\n  return m\n}\n";
  const absl::StatusOr<Case> parsed = ParseCase(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status() << text;
  return parsed.ok() ? *parsed : Case();
}

struct Refused {
  std::string name;
  std::string body;
  std::string error;  // a part of the message
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class RefusedText : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedText, WithThePlace) {
  const absl::Status status = VerifyCase(Program(GetParam().body));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().error));
}

const Refused kRefused[] = {
    // Operators.
    {"AddTypes", "A[0] = f32(n + 1:i64)",
     "function main, body[0].store A, value.args[0]: ADD of i32 and i64"},
    {"AddBools", "eval true + false", "ADD of bool"},
    {"AddLanes", "eval ramp(0, 1, 4) + n", "ADD of i32x4 and i32"},
    {"DivInts", "eval n / 2", "DIV of i32"},
    {"FloorDivFloats", "eval 1.0 // 2.0", "FLOOR_DIV of f32"},
    {"TruncModFloats", "eval truncmod(1.0, 2.0)", "TRUNC_MOD of f32"},
    {"MinBools", "eval min(true, false)", "MIN of bool"},
    {"AndInts", "eval n && n", "AND of i32"},
    {"NotInt", "eval !n", "NOT of i32"},
    {"BitAndFloats", "eval 1.0 & 2.0", "BIT_AND of f32"},
    {"BitAndBools", "eval true & false", "BIT_AND of bool"},
    {"BitNotBool", "eval ~true", "BIT_NOT of bool"},
    {"ShiftFloats", "eval 1.0 << 2.0", "SHL of f32"},
    {"CompareTypes", "eval n < 1.0", "LT of i32 and f32"},
    {"CompareHandles", "eval A.data == B.data", "EQ of handle"},
    {"SelectCondition", "eval select(n, 1, 2)", "SELECT on a condition of type i32"},
    {"SelectArms", "eval select(true, 1, 2.0)", "SELECT between i32 and f32"},
    {"SelectLanes", "eval select(ramp(0, 1, 4) < broadcast(2, 4), 1, 2)",
     "SELECT of i32 on a condition of type boolx4"},
    {"IfThenElseVector",
     "eval if_then_else(ramp(0, 1, 4) < broadcast(2, 4), ramp(0, 1, 4), ramp(0, 2, 4))",
     "IF_THEN_ELSE of i32x4 on a condition of type boolx4"},
    {"CastHandle", "eval i64(A.data)", "CAST of handle to i64"},
    {"CastToVoid", "eval void(n)", "CAST of i32 to void"},
    {"ReinterpretSize", "eval reinterpret<f64>(n)", "REINTERPRET of i32 to f64"},
    {"ReinterpretHandle", "eval reinterpret<f64>(A.data)", "REINTERPRET of handle to f64"},
    {"ReinterpretHandleVector", "eval reinterpret<i32x2>(A.data)", "REINTERPRET of handle"},
    {"ReinterpretBool", "eval reinterpret<u8>(true)", "REINTERPRET of bool to u8"},
    {"RampFloat", "eval ramp(1.0, 1.0, 4)", "RAMP of f32 and f32"},
    {"RampTypes", "eval ramp(0, 1:i64, 4)", "RAMP of i32 and i64"},
    {"RampVector", "eval ramp(ramp(0, 1, 4), ramp(0, 1, 4), 16)", "RAMP of i32x4 and i32x4"},
    {"RampOneLane", "eval ramp(0, 1, 1)", "1 lane: a scalar has lanes 0"},
    {"RampNoLane", "eval ramp(0, 1, 0)", "RAMP of i32 to i32"},
    {"BroadcastVector", "eval broadcast(ramp(0, 1, 4), 4)", "BROADCAST of i32x4"},
    {"BroadcastHandle", "eval broadcast(A.data, 4)", "a vector of handle"},
    {"TooManyLanes", "eval broadcast(1, 40000)", "40000 lanes, at most 32767"},
    {"ShuffleTypes", "eval shuffle([1, 2.0], [0, 1])", "SHUFFLE of i32 and f32"},
    {"ShuffleIndex", "eval shuffle([ramp(0, 1, 4)], [4])", "SHUFFLE picks element 4 of 4"},
    {"ShuffleNegative", "eval shuffle([ramp(0, 1, 4)], [-1])", "SHUFFLE picks element -1"},
    {"ShuffleNothing", "eval shuffle([ramp(0, 1, 4)], [])", "SHUFFLE that picks nothing"},
    {"ShuffleHandles", "eval shuffle([A.data, A.data], [0])", "SHUFFLE of handles"},
    {"LetType", "eval let x = 1 in x", "LET gives the variable x of type f32 a value of type i32"},
    {"LetTwice", "eval (let i = 1 in i) + (let i = 2 in i)", "i has a second definition"},
    {"LetNested", "eval let i = 1 in let i = 2 in i", "the variable i is already in scope"},
    {"LetOwnValue", "eval let i = i in i", "the variable i is not in scope"},
    {"StringOperand", "eval \"a\" + \"b\"", "a string as an operand of ADD"},
    {"StringValue", "eval \"a\"", "a string is a value only as an argument of a call"},
    {"VoidOperand", "eval let i = 1 in tvm_throw_last_error<void>() + 1",
     "CALL of type void has no value"},
    {"VoidValue", "A[0] = undef<void>()", "CALL of type void has no value"},
    // Memory.
    {"LoadRank", "eval B[0]", "LOAD of B with 1 indices for 2 dimensions"},
    {"LoadIndexType", "eval A[1.0]", "index 0 of A has type f32"},
    {"LoadVectorIndex", "eval B[ramp(0, 1, 4), 0]", "index 0 of B is a vector"},
    {"LoadUndeclared", "eval T[0]", "the buffer T is not in scope"},
    {"LoadLanes", "eval V[0]\nalloc V", "the buffer V is not in scope"},
    {"LoadTooManyLanes", "alloc V\neval V[ramp(0, 1, 32767)]", "131068 lanes, at most 32767"},
    {"StoreType", "A[0] = 1", "body[0].store A: STORE of i32 into elements of type f32"},
    {"StoreLanes", "A[ramp(0, 1, 4)] = 1.0", "STORE of f32 into elements of type f32x4"},
    {"StoreRank", "B[1] = 1", "STORE of B with 1 indices"},
    {"StoreIndex", "A[n + 1.0] = 1.0", "body[0].store A, indices[0]: ADD of i32 and f32"},
    {"AllocTwice", "alloc T\nalloc T", "the buffer T is already in scope"},
    {"AllocAgain", "if true {\nalloc T\n}\nalloc T", "the buffer T has a second declaration"},
    {"AllocShape", "alloc D",
     "body[0].alloc D, buffer D, shape[0]: the variable i is not in scope"},
    {"DeclData", "decl T = n", "the data of a buffer is a handle, not i32"},
    // Calls.
    {"CallUnknown", "eval call \"foo\"<f32>(1.0)", "call of the unknown intrinsic foo"},
    {"CallArity", "eval exp(1.0, 2.0)", "exp takes 1 arguments, not 2"},
    {"CallArityRange", "eval tvm_struct_get<i32>(A.data)", "takes 3 to 4 arguments, not 1"},
    {"CallFewArgs", "eval call_extern<void>()", "call_extern takes 1 or more arguments, not 0"},
    {"CallInt", "eval exp(1)", "exp of i32 giving i32: operands and result are of one float type"},
    {"CallMixed", "eval pow(1.0, 1.0:f64)", "pow of f32 and f64"},
    {"CallResult", "eval exp<f64>(1.0)", "CALL claims the type f64 but has f32"},
    {"CallTest", "eval isnan<i32>(1.0)", "CALL claims the type i32 but has bool"},
    {"CallTestOperand", "eval isnan(1)", "the operand is a float"},
    {"CallLdexp", "eval ldexp(1.0, 1.0)", "the operands are a float and an integer"},
    {"CallPopcount", "eval popcount(1.0)", "operands and result are of one integer type"},
    {"CallClz", "eval clz(1.0)", "the operand is an integer"},
    {"CallClzResult", "eval clz<f32>(1)", "the result is an integer of equal lanes"},
    {"CallLikely", "eval likely(1)", "the operand is a bool"},
    {"CallFunction", "eval @missing()", "call of the unknown function missing"},
    {"CallFunctionArity", "eval @callee<i32>(A.data)", "callee takes 2 arguments, not 1"},
    {"CallFunctionType", "eval @callee<i32>(A.data, 1.0)", "argument 1 of callee is f32, not i32"},
    {"CallFunctionBuffer", "eval @callee<i32>(1, 1)", "argument 0 of callee is i32, not handle"},
    {"CallFunctionResult", "eval @callee(A.data, 1)", "CALL claims the type void but has i32"},
    {"CallItself", "eval @main(A.data, B.data, 1)", "function main: it is part of"},
    // Scope.
    {"VarUndefined", "eval i",
     "function main, body[0].eval, value: the variable i is not in scope"},
    {"BindType", "let x = 1", "BIND gives the variable x of type f32 a value of type i32"},
    {"BindTwice", "let i = 1\nlet i = 2", "the variable i is already in scope"},
    {"BindParam", "let n = 1", "the variable n is already in scope"},
    {"ScopeOfIf", "if true {\nlet i = 1\n} else {\neval i\n}",
     "body[0].if, orelse[0].eval, value:"},
    {"ScopeOfFor", "for i in 0..4 {\n}\neval i", "the variable i is not in scope"},
    {"ForTwice", "for i in 0..4 {\n}\nfor i in 0..4 {\n}", "i has a second definition"},
    // Statements.
    {"ForType", "for q in 0..4 {\n}", "the loop variable is i64 but its min is i32"},
    {"ForExtent", "for i in 0 +: 4:i64 {\n}", "the loop variable is i32 but its extent is i64"},
    {"ForStep", "for i in 0..4 step 1:i64 {\n}", "the loop variable is i32 but its step is i64"},
    {"ForFloat", "for x in 0.0 +: 1.0 {\n}", "body[0].for x, min: f32 where a scalar integer"},
    {"ForOwnExtent", "for i in 0..i {\n}", "the variable i is not in scope"},
    {"ForTag", "for i in 0..4 bind \"threadIdx.w\" {\n}",
     "the thread tag threadIdx.w is not one of"},
    {"IfCondition", "if n {\n}", "body[0].if, condition: i32 where a scalar bool belongs"},
    {"IfVector", "if ramp(0, 1, 4) < broadcast(2, 4) {\n}", "boolx4 where a scalar bool belongs"},
    {"WhileCondition", "while 1.0 {\n}", "body[0].while, condition: f32 where a scalar bool"},
    {"AssertCondition", "assert 1, \"E\"", "body[0].assert, condition: i32 where a scalar bool"},
    {"AssertKind", "assert true, \"\"", "the kind of error is empty"},
    {"AttrKey", "attr \"\" = 1 {\n}", "the key is empty"},
    {"AttrBuffer", "attr \"a\" on buffer T = 1 {\n}", "the buffer T is not in scope"},
    {"AttrVar", "attr \"a\" on var i = 1 {\n}", "the variable i is not in scope"},
    {"AttrThread", "attr \"a\" on thread n \"threadIdx.x\" = 1 {\n}", "n is already in scope"},
    {"AttrTag", "attr \"a\" on thread i \"\" = 1 {\n}", "the thread tag is empty"},
    {"Annotation", "for i in 0..4 attributes {\"a\" = 1, \"a\" = 2} {\n}",
     "the key a occurs twice"},
    {"AnnotationValue", "for i in 0..4 attributes {\"a\" = 1 + 1.0} {\n}", "ADD of i32 and f32"},
    {"AnnotationKey", "for i in 0..4 attributes {\"\" = 1} {\n}", "the key is empty"},
    {"Break", "break", "BREAK outside a loop"},
    {"Continue", "if true {\ncontinue\n}", "body[0].if, body[0].continue: CONTINUE outside a loop"},
    {"BreakParallel", "for i in 0..4 parallel {\nbreak\n}", "BREAK in a PARALLEL loop"},
    {"Return", "return 1", "RETURN of i32 from a function whose result is void"},
    {"Barrier", "barrier \"\"", "the storage scope is empty"},
    // Blocks.
    {"BlockName", "block \"\" {\n}", "the name is empty"},
    {"IterType", "block \"b\" {\niter i: spatial 0..4 = 0:i64\n}",
     "the iterator i is i32, its domain i32 and its binding i64"},
    {"IterDomain", "block \"b\" {\niter i: spatial 0 +: 4:i64 = 0\n}",
     "body[0].block b, iters[0], domain: a range from i32 by i64"},
    {"IterBindingScope", "block \"b\" {\niter i: spatial 0..4 = 1\niter j: spatial 0..4 = i\n}",
     "body[0].block b, iters[1], binding: the variable i is not in scope"},
    {"PredicateScope", "block \"b\" {\niter i: spatial 0..4 = 1\nwhere i < 2\n}",
     "body[0].block b, predicate.args[0]: the variable i is not in scope"},
    {"IterScope", "block \"b\" {\niter i: spatial 0..4 = 1\n}\neval i", "i is not in scope"},
    {"RegionRank", "block \"b\" {\nreads B[0]\n}", "a region of B with 1 ranges for 2 dimensions"},
    {"RegionType", "block \"b\" {\nwrites A[0 +: 2:i64]\n}", "writes[0], ranges[0]: a range from"},
    {"RegionFloat", "block \"b\" {\nreads A[1.0 +: 2.0]\n}", "f32 where a scalar integer belongs"},
    {"InitScope", "block \"b\" {\ninit {\nlet i = 1\n}\neval i\n}", "i is not in scope"},
    {"BlockAlloc", "block \"b\" {\nallocates T\n}\nT[0] = 1.0", "the buffer T is not in scope"},
    {"MatchTwice", "block \"b\" {\nmatches A = A[0..4]\n}", "the buffer A is already in scope"},
    {"MatchSource", "block \"b\" {\nmatches T = V[0..4]\n}", "the buffer V is not in scope"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedText, ::testing::ValuesIn(kRefused),
                         [](const auto& param) { return param.param.name; });

// What the text form cannot say.
struct RefusedMessage {
  std::string name;
  std::function<void(Case*)> damage;
  std::string error;
};
void PrintTo(const RefusedMessage& refused, std::ostream* out) { *out << refused.name; }

class RefusedField : public ::testing::TestWithParam<RefusedMessage> {};

Function* Main(Case* c) { return c->mutable_module()->mutable_functions(0); }
Stmt* Body(Case* c, int i) { return Main(c)->mutable_body(i); }

constexpr char kValid[] = R"(
A[0] = 1.5
for i in 0..4 {
}
block "b" {
  iter j: spatial 0..4 = 0
  reads A[0]
}
attr "k" on "text" = 1 {
}
eval shuffle([n], [0])
)";

TEST_P(RefusedField, WithThePlace) {
  Case c = Program(kValid);
  ASSERT_TRUE(VerifyCase(c).ok()) << VerifyCase(c);
  GetParam().damage(&c);
  const absl::Status status = VerifyCase(c);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().error));
}

const RefusedMessage kDamages[] = {
    {"Version", [](Case* c) { c->set_version(2); }, "the Case has version 2"},
    {"NoFunction", [](Case* c) { c->clear_module(); }, "a module without functions"},
    {"PrivateEntry", [](Case* c) { Main(c)->set_is_private(true); }, "the entry is private"},
    {"FunctionName", [](Case* c) { Main(c)->clear_name(); }, "functions[0]: the name is empty"},
    {"FunctionTwice", [](Case* c) { c->mutable_module()->mutable_functions(1)->set_name("main"); },
     "two functions are called main"},
    {"Result", [](Case* c) { Main(c)->set_result(static_cast<ScalarType>(77)); },
     "function main: the result has an unknown type"},
    {"AttrNoalias",
     [](Case* c) {
       Attribute* attr = Main(c)->add_attrs();
       attr->set_key("noalias");
       attr->mutable_value()->set_op(CONST);
       attr->mutable_value()->set_type(I32);
     },
     "attribute noalias: noalias is a bool"},
    {"AttrNoValue", [](Case* c) { Main(c)->add_attrs()->set_key("a"); }, "a has no value"},
    {"VariableName", [](Case* c) { Main(c)->mutable_variables(1)->clear_name(); },
     "function main, variable : the name is empty"},
    {"VariableUtf8", [](Case* c) { Main(c)->mutable_variables(1)->set_name("\xff"); },
     "the name is not valid UTF-8"},
    {"VariableType", [](Case* c) { Main(c)->mutable_variables(1)->set_type(VOID); },
     "function main, variable i: a variable of type void"},
    {"VariableTypeNumber",
     [](Case* c) { Main(c)->mutable_variables(1)->set_type(static_cast<ScalarType>(50)); },
     "unknown type number 50"},
    {"VariableLanes", [](Case* c) { Main(c)->mutable_variables(1)->set_lanes(1); }, "1 lane"},
    {"Pointee", [](Case* c) { Main(c)->mutable_variables(1)->set_pointee(F32); },
     "only a handle has a pointee"},
    {"PointeeType",
     [](Case* c) { Main(c)->mutable_variables(1)->set_pointee(static_cast<ScalarType>(-1)); },
     "the pointee has an unknown type"},
    {"BufferName", [](Case* c) { Main(c)->mutable_buffers(0)->clear_name(); }, "the name is empty"},
    {"BufferType", [](Case* c) { Main(c)->mutable_buffers(0)->set_type(VOID); },
     "function main, buffer A: a buffer of type void"},
    {"Strides",
     [](Case* c) { *Main(c)->mutable_buffers(1)->add_strides() = Main(c)->buffers(0).shape(0); },
     "1 strides for 2 dimensions"},
    {"Alignment", [](Case* c) { Main(c)->mutable_buffers(0)->set_alignment(48); },
     "the alignment 48 is no power of two"},
    {"ShapeType", [](Case* c) { Main(c)->mutable_buffers(0)->mutable_shape(0)->set_type(BOOL); },
     "shape[0]: the constant 16 does not fit bool"},
    {"ShapeFloat",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_type(F32);
     },
     "params[0], buffer A, shape[0]: f32 where a scalar integer belongs"},
    {"ShapeOfUnusedBuffer",
     [](Case* c) {
       Main(c)->mutable_buffers(2)->mutable_shape(0)->set_int_value(int64_t{1} << 40);
     },
     "function main, buffer T, shape[0]: the constant 1099511627776 does not fit i32"},
    {"ShapeLoad",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(2)->mutable_shape(0);
       Expr load;
       load.set_op(CALL);
       load.set_name("clz");
       load.set_type(I32);
       load.add_args()->Swap(extent);
       extent->Swap(&load);
     },
     "CALL in the declaration of a buffer"},
    {"ParamKind", [](Case* c) { Main(c)->mutable_params(0)->set_kind(static_cast<ParamKind>(5)); },
     "params[0]: unknown kind of parameter"},
    {"ParamId", [](Case* c) { Main(c)->mutable_params(0)->set_id(99); },
     "params[0]: there is no buffer 99; the table has 5"},
    {"ParamVariable", [](Case* c) { Main(c)->mutable_params(2)->set_id(99); },
     "params[2]: there is no variable 99; the table has 9"},
    {"ParamTwice", [](Case* c) { Main(c)->mutable_params(1)->set_id(0); },
     "the buffer A is two parameters"},
    {"ParamVector", [](Case* c) { Main(c)->mutable_variables(0)->set_lanes(4); },
     "the scalar parameter n is a vector"},
    {"ParamHandle", [](Case* c) { Main(c)->mutable_variables(0)->set_type(HANDLE); },
     "the scalar parameter n of the entry is a handle"},
    {"DimensionType",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_op(VAR);
       extent->set_id(3);
       extent->set_type(F32);
     },
     "the dimension variable x has type f32"},
    {"DimensionAlone",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       Expr sum;
       sum.set_op(ADD);
       sum.set_type(I32);
       *sum.add_args() = *extent;
       sum.add_args()->set_op(VAR);
       sum.mutable_args(1)->set_type(I32);
       sum.mutable_args(1)->set_id(1);
       *extent = sum;
     },
     "the dimension variable i never stands alone"},
    {"DimensionValue",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_op(VAR);
       extent->set_id(2);
       Body(c, 2)->clear_block();
       *Body(c, 2) = *Body(c, 4);
     },
     "inputs.dims: no value for the dimension j of function main"},
    {"NoOperator", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(OP_INVALID); },
     "an expression without an operator"},
    {"UnknownOperator", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(static_cast<Op>(1000)); },
     "unknown operator number 1000"},
    {"Arguments", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(ADD); },
     "ADD with 0 arguments instead of 2"},
    {"StrayInt", [](Case* c) { Body(c, 0)->mutable_args(0)->set_int_value(1); },
     "CONST does not use int_value, which must stay unset"},
    {"StrayFloat", [](Case* c) { Body(c, 0)->mutable_args(1)->set_float_value(-0.0); },
     "CONST does not use float_value"},
    {"StrayId", [](Case* c) { Body(c, 0)->mutable_args(0)->set_id(1); }, "CONST does not use id"},
    {"StrayName", [](Case* c) { Body(c, 0)->mutable_args(0)->set_name("x"); },
     "CONST does not use name"},
    {"StrayList", [](Case* c) { Body(c, 0)->mutable_args(0)->add_int_list(0); },
     "CONST does not use int_list"},
    {"ConstVector", [](Case* c) { Body(c, 0)->mutable_args(0)->set_lanes(4); },
     "a vector constant: BROADCAST a scalar one"},
    {"ConstHandle",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->clear_float_value();
       Body(c, 0)->mutable_args(0)->set_type(HANDLE);
     },
     "a constant of type handle"},
    {"ConstBool",
     [](Case* c) {
       Body(c, 0)->mutable_args(1)->set_type(BOOL);
       Body(c, 0)->mutable_args(1)->set_int_value(2);
     },
     "the constant 2 does not fit bool"},
    {"ConstRange",
     [](Case* c) {
       Body(c, 0)->mutable_args(1)->set_type(U8);
       Body(c, 0)->mutable_args(1)->set_int_value(-1);
     },
     "the constant -1 does not fit u8"},
    {"VarId", [](Case* c) { Body(c, 4)->mutable_args(0)->mutable_args(0)->set_id(77); },
     "there is no variable 77"},
    {"VarType", [](Case* c) { Body(c, 4)->mutable_args(0)->mutable_args(0)->set_type(I64); },
     "VAR claims the type i64 but has i32"},
    {"VectorOfVoid",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->set_type(VOID);
       Body(c, 0)->mutable_args(0)->set_lanes(4);
     },
     "a vector of void"},
    {"CallName",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->set_op(CALL);
       Body(c, 0)->mutable_args(0)->clear_float_value();
     },
     "a call without a name"},
    {"StoreId", [](Case* c) { Body(c, 0)->set_id(42); },
     "body[0].store #42: there is no buffer 42"},
    {"StoreArgs", [](Case* c) { Body(c, 0)->clear_args(); },
     "STORE with 0 arguments instead of 1 or more"},
    {"StmtKind", [](Case* c) { Body(c, 0)->set_kind(static_cast<StmtKind>(99)); },
     "unknown kind of statement, number 99"},
    {"StmtKindUnset", [](Case* c) { Body(c, 0)->clear_kind(); }, "unknown kind of statement"},
    {"StmtBody", [](Case* c) { *Body(c, 0)->add_body() = *Body(c, 4); }, "STORE does not use body"},
    {"StmtOrelse", [](Case* c) { *Body(c, 1)->add_orelse() = *Body(c, 4); },
     "FOR does not use orelse"},
    {"StmtId", [](Case* c) { Body(c, 4)->set_id(1); }, "EVALUATE does not use id"},
    {"StmtName", [](Case* c) { Body(c, 1)->set_name("x"); }, "FOR does not use name"},
    {"StmtStrings", [](Case* c) { Body(c, 1)->add_strings("x"); }, "FOR does not use strings"},
    {"StmtBlock", [](Case* c) { Body(c, 1)->mutable_block(); }, "FOR does not use block"},
    {"StmtAttrNode", [](Case* c) { Body(c, 1)->mutable_attr_node(); },
     "FOR does not use attr_node"},
    {"StmtAnnotations", [](Case* c) { Body(c, 0)->add_annotations(); },
     "STORE does not use annotations"},
    {"StmtLoopKind", [](Case* c) { Body(c, 0)->set_loop_kind(PARALLEL); },
     "STORE does not use loop_kind"},
    {"StmtThreadTag", [](Case* c) { Body(c, 0)->set_thread_tag("x"); },
     "STORE does not use thread_tag"},
    {"ForArgs", [](Case* c) { Body(c, 1)->clear_args(); },
     "FOR with 0 arguments instead of 2 to 3"},
    {"ForKind", [](Case* c) { Body(c, 1)->set_loop_kind(static_cast<LoopKind>(9)); },
     "unknown kind of loop"},
    {"ForNoTag", [](Case* c) { Body(c, 1)->set_loop_kind(THREAD_BINDING); },
     "a thread tag belongs to a THREAD_BINDING loop"},
    {"ForStrayTag", [](Case* c) { Body(c, 1)->set_thread_tag("threadIdx.x"); },
     "a thread tag belongs to a THREAD_BINDING loop"},
    {"NoBlock", [](Case* c) { Body(c, 2)->clear_block(); }, "a BLOCK statement without a block"},
    {"IterKind",
     [](Case* c) {
       Body(c, 2)->mutable_block()->mutable_iters(0)->set_kind(static_cast<IterKind>(7));
     },
     "unknown kind of iterator"},
    {"IterVariable",
     [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->set_variable(70); },
     "iters[0]: there is no variable 70"},
    {"IterNoDomain", [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->clear_domain(); },
     "an iterator without a domain"},
    {"IterNoBinding",
     [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->clear_binding(); },
     "an iterator without a binding"},
    {"RangeNoExtent",
     [](Case* c) {
       Body(c, 2)->mutable_block()->mutable_reads(0)->mutable_ranges(0)->clear_extent();
     },
     "a range without a minimum or extent"},
    {"MatchNoSource", [](Case* c) { Body(c, 2)->mutable_block()->add_match_buffers(); },
     "a match without a source"},
    {"MatchBuffer",
     [](Case* c) {
       Block* block = Body(c, 2)->mutable_block();
       MatchBuffer* match = block->add_match_buffers();
       *match->mutable_source() = block->reads(0);
       match->set_buffer(55);
     },
     "match_buffers[0]: there is no buffer 55"},
    {"AttrNodeUnset", [](Case* c) { Body(c, 3)->mutable_attr_node()->clear_node(); },
     "attr_node is set but names nothing"},
    {"AttrStrayThread", [](Case* c) { Body(c, 3)->mutable_attr_node()->set_thread_variable(1); },
     "attr_node has a thread variable but no thread tag"},
    {"PassName", [](Case* c) { c->mutable_passes()->add_steps(); },
     "passes.steps[0].name: it is empty"},
    {"PassMode", [](Case* c) { c->mutable_passes()->set_mode(static_cast<PassMode>(3)); },
     "passes.mode: unknown mode"},
    {"PassArgs",
     [](Case* c) {
       PassStep* step = c->mutable_passes()->add_steps();
       step->set_name("p");
       step->add_args()->set_op(VAR);
     },
     "passes.steps[0].args: it is neither a constant nor a string"},
    {"PassArgType",
     [](Case* c) {
       PassStep* step = c->mutable_passes()->add_steps();
       step->set_name("p");
       step->add_args()->set_op(CONST);
     },
     "a constant of type void"},
    {"ConfigValue", [](Case* c) { c->mutable_passes()->add_config()->set_key("k"); },
     "passes.config[0]: it has no value"},
    {"ConfigKey", [](Case* c) { c->mutable_passes()->add_config(); },
     "passes.config[0].key: it is empty"},
    {"ConfigTwice",
     [](Case* c) {
       Attribute* config = c->mutable_passes()->add_config();
       config->set_key("k");
       config->mutable_value()->set_op(STRING);
       const Attribute copy = *config;
       *c->mutable_passes()->add_config() = copy;
     },
     "passes.config[1]: the key k occurs twice"},
    {"SchedulePrimitive", [](Case* c) { c->mutable_schedule()->add_steps(); },
     "schedule.steps[0].primitive: it is empty"},
    {"TargetName", [](Case* c) { c->add_targets(); }, "targets[0].target: it is empty"},
    {"Feature", [](Case* c) { c->add_features(); }, "features: it is empty"},
    {"Fault", [](Case* c) { c->add_faults("\xc0\x80"); }, "faults: it is not valid UTF-8"},
    {"InputParam", [](Case* c) { c->mutable_inputs()->add_params()->set_param(3); },
     "inputs.params[0]: there is no parameter 3; function main has 3"},
    {"InputRange",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_min(2);
       c->mutable_inputs()->mutable_params(0)->set_max(1);
     },
     "inputs.params[0]: min 2 is above max 1"},
    {"InputType",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_param(2);
       c->mutable_inputs()->mutable_params(0)->set_max(int64_t{1} << 31);
     },
     "[0, 2147483648] is not within the range of i32"},
    {"InputReal",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_param(2);
       c->mutable_inputs()->mutable_params(0)->set_real(true);
     },
     "real values for a parameter of type i32"},
    {"InputTwice",
     [](Case* c) {
       c->mutable_inputs()->add_params();
       c->mutable_inputs()->add_params();
     },
     "inputs.params[1]: parameter 0 occurs twice"},
    {"DimUnknown", [](Case* c) { c->mutable_inputs()->add_dims()->set_variable(1); },
     "inputs.dims[0]: variable 1 of function main is no dimension"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedField, ::testing::ValuesIn(kDamages),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace irate
