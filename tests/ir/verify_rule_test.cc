// Each rule of the verifier refuses what breaks it, with a message that names the place.
#include "ir/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

struct Refused {
  std::string name;
  std::string body;
  std::string error;  // a part of the message
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class RefusedText : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedText, WithThePlace) {
  const absl::Status status = VerifyCase(samples::WithBody(GetParam().body));
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
    {"HalfConstant", "eval 65505.0:f16", "the constant 65505 does not fit f16"},
    {"Fp8Constant", "eval -449.0:f8e4m3fn", "the constant -449 does not fit f8e4m3fn"},
    {"VectorizedExtent", "for i in 0..n vectorized {\n}",
     "a vectorized loop whose extent is no constant of at least 1"},
    {"VectorizedEmpty", "for i in 0..0 vectorized {\n}",
     "a vectorized loop whose extent is no constant of at least 1"},
    {"UnrolledExtent", "for i in 0..n unrolled {\n}",
     "an unrolled loop whose extent is no constant"},
    {"VectorizedTwice",
     "for i in 0..2 vectorized {\nfor j in 0..2 {\nfor q in 0:i64..2:i64 vectorized {\n}\n}\n}",
     "a vectorized loop in a vectorized loop"},
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
    {"MatchTwice", "block \"b\" {\nmatches A = A[0..16]\n}", "the buffer A is already in scope"},
    {"MatchSource", "block \"b\" {\nmatches T = V[0..4]\n}", "the buffer V is not in scope"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedText, ::testing::ValuesIn(kRefused),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace irate
