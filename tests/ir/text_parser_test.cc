// The grammar: canonical spellings, what else is understood, and what is refused how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

using ::testing::HasSubstr;
namespace b = build;

std::string WithTables(const std::string& body) {
  return "func @f(buffer A, scalar a, scalar b, scalar c) {\n"
         "  var a, b, c, d: i32\n"
         "  var x, y: f32\n"
         "  var p, q: bool\n"
         "  buffer A: f32[16]\n"
         "\n" +
         body + "}\n";
}

// The expression as it is printed after it was parsed.
std::string Reprint(const std::string& expr) {
  const absl::StatusOr<Module> module = ParseModule(WithTables("  eval " + expr + "\n"));
  if (!module.ok()) return module.status().ToString();
  return PrintExpr(module->functions(0), module->functions(0).body(0).args(0));
}

TEST(Expressions, ParenthesesAreMinimal) {
  const std::pair<const char*, const char*> kPairs[] = {
      {"((a))", "a"},
      {"a + b + c", "a + b + c"},
      {"(a + b) + c", "a + b + c"},
      {"a + (b + c)", "a + (b + c)"},
      {"a - (b - c)", "a - (b - c)"},
      {"(a * b) + c", "a * b + c"},
      {"a * (b + c)", "a * (b + c)"},
      {"a // (b * c)", "a // (b * c)"},
      {"(a // b) * c % d", "a // b * c % d"},
      {"(a + b) << (c - d)", "a + b << c - d"},
      {"(a << b) & c ^ d | a", "a << b & c ^ d | a"},
      {"a & (b ^ (c | d))", "a & (b ^ (c | d))"},
      {"((a | b) < c) == p", "(a | b < c) == p"},
      {"p == (a < b)", "p == (a < b)"},
      {"(a < b) && (c < d) || (p && q)", "a < b && c < d || p && q"},
      {"p && (q || p)", "p && (q || p)"},
      {"!(p && q)", "!(p && q)"},
      {"!(!p)", "!!p"},
      {"~(a) + 1", "~a + 1"},
      {"~(a + 1)", "~(a + 1)"},
      {"a - -3", "a - -3"},
      {"a--3", "a - -3"},
      {"~-3", "~-3"},
      {"(let d = a in d) + 1", "(let d = a in d) + 1"},
      {"1 + (let d = a in d)", "1 + (let d = a in d)"},
      {"let d = (let c = 1 in c) in (d + 1)", "let d = let c = 1 in c in d + 1"},
      {"max((a), (let d = a in d))", "max(a, let d = a in d)"},
      {"select(p, a, b)", "select(p, a, b)"},
      {"f32((a + b))", "f32(a + b)"},
      {"A[(a)]", "A[a]"},
      {"A.data", "A.data"},
      {"exp(x) + pow(x, (y))", "exp(x) + pow(x, y)"},
      {"exp<f32>(x)", "exp(x)"},
      {"isnan<bool>(x)", "isnan(x)"},
      {"call \"exp\"<f32>(x)", "exp(x)"},
      {"call \"exp\"(x)", "exp(x)"},
      {"call \"other\"<f32>(x)", "call \"other\"<f32>(x)"},
      {"a < b", "a < b"},
      {"ramp(a, 2, 8) + broadcast(b, 8)", "ramp(a, 2, 8) + broadcast(b, 8)"},
  };
  for (const auto& [written, printed] : kPairs) EXPECT_EQ(Reprint(written), printed) << written;
}

TEST(Expressions, Literals) {
  const std::pair<const char*, const char*> kPairs[] = {
      {"3", "3"},
      {"3:i32", "3"},
      {"0x10", "16"},
      {"-2147483648", "-2147483648"},
      {"-9223372036854775808:i64", "-9223372036854775808:i64"},
      {"18446744073709551615:u64", "18446744073709551615:u64"},
      {"255:u8", "255:u8"},
      {"true", "true"},
      {"1.5", "1.5"},
      {"1.50:f32", "1.5"},
      {"1:f32", "1.0"},
      {"1e3", "1000.0"},
      {"1E+30", "1e+30"},
      {"-0.0", "-0.0"},
      {"0.1:f64", "0.1:f64"},
      {"inf", "inf"},
      {"-inf:f16", "-inf:f16"},
      {"nan", "nan"},
      {"-nan:bf16", "-nan:bf16"},
      {"nan(0x7ff8000000000000)", "nan"},
      {"nan(0xfff0000000000001):f64", "nan(0xfff0000000000001):f64"},
      {"4.9406564584124654e-324:f64", "5e-324:f64"},
      {"1.7976931348623157e308:f64", "1.7976931348623157e+308:f64"},
  };
  for (const auto& [written, printed] : kPairs) EXPECT_EQ(Reprint(written), printed) << written;
}

TEST(Expressions, LiteralsHaveTheirValue) {
  const absl::StatusOr<Module> module =
      ParseModule(WithTables("eval -128:i8\neval 18446744073709551615:u64\neval -0.0\neval 0.1"));
  ASSERT_TRUE(module.ok()) << module.status();
  const Function& f = module->functions(0);
  EXPECT_EQ(f.body(0).args(0).int_value(), -128);
  EXPECT_EQ(f.body(1).args(0).int_value(), -1);
  EXPECT_TRUE(std::signbit(f.body(2).args(0).float_value()));
  EXPECT_EQ(f.body(3).args(0).float_value(), 0.1);
}

TEST(Statements, RangesKeepMinimumAndExtent) {
  const absl::StatusOr<Module> module =
      ParseModule(WithTables("for d in 3..10 {\n}\nfor d in a +: 3 {\n}\nfor d in 0..b {\n}\n"
                             "for d in 7..2 {\n}"));
  ASSERT_TRUE(module.ok()) << module.status();
  const Function& f = module->functions(0);
  EXPECT_EQ(f.body(0).args(0).int_value(), 3);
  EXPECT_EQ(f.body(0).args(1).int_value(), 7);
  EXPECT_EQ(f.body(1).args(0).op(), VAR);
  EXPECT_EQ(f.body(1).args(1).int_value(), 3);
  EXPECT_EQ(f.body(2).args(0).int_value(), 0);
  EXPECT_EQ(f.body(2).args(1).op(), VAR);
  EXPECT_EQ(f.body(3).args(1).int_value(), -5);
}

TEST(Statements, AReturnEndsWithItsLine) {
  const absl::StatusOr<Module> module = ParseModule(WithTables("return\nA[0] = 1.0\nreturn a"));
  ASSERT_TRUE(module.ok()) << module.status();
  ASSERT_EQ(module->functions(0).body_size(), 3);
  EXPECT_EQ(module->functions(0).body(0).args_size(), 0);
  EXPECT_EQ(module->functions(0).body(2).args_size(), 1);
}

TEST(Statements, CommentsTypesAndWhiteSpaceMeanNothing) {
  const std::string tidy = WithTables("  for d in 0..4 {\n    let x = A[d]\n  }\n");
  const std::string untidy =
      "# before\n" +
      WithTables("for d: i32 in 0 .. 4 { # comment\n let x: f32 = A[\td\r\n]}#end\n");
  const absl::StatusOr<Module> a = ParseModule(tidy);
  const absl::StatusOr<Module> c = ParseModule(untidy);
  ASSERT_TRUE(a.ok() && c.ok()) << a.status() << c.status();
  EXPECT_EQ(a->SerializeAsString(), c->SerializeAsString());
  EXPECT_EQ(PrintModule(*c), tidy);
}

// One program as it is printed, in full: the canonical form is an interface.
TEST(Golden, Matmul) {
  Case c;
  c.set_version(1);
  c.mutable_inputs()->set_seed(7);
  Function* f = c.mutable_module()->add_functions();
  f->set_name("main");
  const uint32_t n = b::AddVariable(f, "n", I32);
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t k = b::AddVariable(f, "k", I32);
  const uint32_t a_id = b::AddBuffer(f, "A", F32, {b::Var(*f, n), b::I32Const(8)});
  const uint32_t y_id = b::AddBuffer(f, "Y", F32, {b::Var(*f, n)});
  b::AddBufferParam(f, a_id);
  b::AddBufferParam(f, y_id);
  DimValue* dim = c.mutable_inputs()->add_dims();
  dim->set_variable(n);
  dim->set_value(5);
  const Expr sum = b::Binary(ADD, b::Load(*f, y_id, {b::Var(*f, i)}),
                             b::Load(*f, a_id, {b::Var(*f, i), b::Var(*f, k)}));
  *f->add_body() = b::For(i, b::I32Const(0), b::Var(*f, n), PARALLEL,
                          {b::Store(y_id, b::Float(F32, 0), {b::Var(*f, i)}),
                           b::For(k, b::I32Const(0), b::I32Const(8), SERIAL,
                                  {b::If(b::Binary(LT, b::Var(*f, k), b::I32Const(6)),
                                         {b::Store(y_id, sum, {b::Var(*f, i)})})})});
  ASSERT_TRUE(VerifyCase(c).ok()) << VerifyCase(c);
  EXPECT_EQ(PrintCase(c), R"(irate 1
inputs seed 7 {
  dim n = 5
}

func @main(buffer A, buffer Y) {
  var n, i, k: i32
  buffer A: f32[n, 8]
  buffer Y: f32[n]

  for i in 0..n parallel {
    Y[i] = 0.0
    for k in 0..8 {
      if k < 6 {
        Y[i] = Y[i] + A[i, k]
      }
    }
  }
}
)");
  EXPECT_EQ(PrintExpr(*f, sum), "Y[i] + A[i, k]");
  EXPECT_EQ(PrintStmt(*f, f->body(0).body(0), 1), "  Y[i] = 0.0\n");
}

TEST(Golden, TheExampleOfTheDocumentation) {
  std::ostringstream page;
  page << std::ifstream("docs/ir.md").rdbuf();
  const std::string fence = "```\n";
  const size_t begin = page.str().find(fence);
  ASSERT_NE(begin, std::string::npos) << "docs/ir.md is read from the repository's root";
  const size_t start = begin + fence.size();
  const std::string example = page.str().substr(start, page.str().find(fence, start) - start);
  const absl::StatusOr<Case> parsed = ParseCase(example);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(VerifyCase(*parsed).ok()) << VerifyCase(*parsed);
  EXPECT_EQ(PrintCase(*parsed), example);
}

struct Bad {
  const char* text;
  const char* error;
};

TEST(Errors, NameThePlaceAndWhatWasExpected) {
  const Bad kBad[] = {
      {"", "line 1, column 1: expected \"func\" or \"private func\" but found the end of the text"},
      {"foo", "line 1, column 1: expected \"func\" or \"private func\" but found \"foo\""},
      {"func main", "line 1, column 6: expected \"@\" but found \"main\""},
      {"func @f(A) {}", "line 1, column 9: expected \"buffer\" or \"scalar\" but found \"A\""},
      {"func @f(buffer A) {}", "line 1, column 16: there is no buffer A; declare it at the top"},
      {"func @f() -> i32x4 {}", "line 1, column 14: a function returns a scalar"},
      {"func @f() {\n  x = 1\n}",
       "line 2, column 3: expected a statement (a store is A[i] = value"},
      {"func @f() {\n  A[0] = 1\n}", "line 2, column 3: there is no buffer A"},
      {"func @f() {\n  eval x\n}", "line 2, column 8: there is no variable x"},
      {"func @f() {\n  eval 1 +\n}", "line 3, column 1: expected an expression but found \"}\""},
      {"func @f() { eval 1 < 2 < 3 }", "column 24: comparisons do not chain"},
      {"func @f() { var a: i32 eval -a }", "a minus sign stands before numbers only"},
      {"func @f() { eval 300:u8 }", "300 is too large; at most 255 is possible"},
      {"func @f() { eval -1:u8 }", "1 is too large; at most 0 is possible"},
      {"func @f() { eval 2147483648 }", "2147483648 is too large; at most 2147483647"},
      {"func @f() { eval 99999999999999999999999:u64 }", "is too large"},
      {"func @f() { eval 1.5:i32 }", "1.5 is no literal of type i32"},
      {"func @f() { eval inf:i32 }", "inf is no literal of type i32"},
      {"func @f() { eval nan:i32 }", "nan is no literal of type i32"},
      {"func @f() { eval nan(0x1) }", "these are not the bits of a NaN"},
      {"func @f() { eval 1e999 }", "1e999 is no double-precision number"},
      {"func @f() { eval 1:i32x4 }", "a literal is a scalar: use broadcast"},
      {"func @f() { eval 1:foo }", "expected a type such as i32 or f32x4 but found \"foo\""},
      {"func @f() { eval f32x4(1) }", "a cast names the element type only"},
      {"func @f() { eval f32(1, 2) }", "a cast takes one operand"},
      {"func @f() { eval reinterpret<f32>(1, 2) }", "reinterpret takes one operand"},
      {"func @f() { eval min(1) }", "min takes 2 operands, not 1"},
      {"func @f() { eval select(1, 2) }", "select takes 3 operands, not 2"},
      {"func @f() { eval foo(1) }",
       "there is no intrinsic foo; a call of something unknown is call"},
      {"func @f() { eval ramp(1, 2) }", "expected \",\" but found \")\""},
      {"func @f() { eval broadcast(1, x) }", "expected the number of lanes but found \"x\""},
      {"func @f() { eval shuffle([], [0]) }", "shuffle takes at least one vector"},
      {"func @f() { eval (1 }", "expected \")\" but found \"}\""},
      {"func @f() { eval exp(1.0; }", "the character ; has no meaning here"},
      {"func @f() { eval exp(1.0 }", "expected \",\" or \")\" but found \"}\""},
      {"func @f() { eval \"abc }", "column 18: the closing \" is missing"},
      {"func @f() { eval \"a\\q\" }", "unknown escape"},
      {"func @f() { eval \"\\xff\" }", "the text is not valid UTF-8"},
      {"func @f() { eval \x01 }", "the byte 0x01 has no meaning outside strings"},
      {"func @f() { eval \xc3\xa4 }", "the byte 0xc3 has no meaning outside strings"},
      {"func @f() { var i: i32 for i in 4 { } }", "expected a range: \"begin..end\" or"},
      {"func @f() { var i: i32 for i in i..4 { } }", "needs two constants or a begin of 0"},
      {"func @f() { var i: i32 for i in 0..4:i64 { } }", "the bounds of a range have one type"},
      {"func @f() { var i: i8 for i in -100:i8..100:i8 { } }",
       "the bounds of a range have one type"},
      {"func @f() { var i: i32 for i of 0..4 { } }", "expected \"in\" but found \"of\""},
      {"func @f() { var i: i32 for i: i64 in 0..4 { } }", "i is declared as i32"},
      {"func @f() { var i, i: i32 eval i }", "2 variables are called i: write i#0 for the first"},
      {"func @f() { var i#1: i32 }", "i is number 0 of its table: write i#0, or no number"},
      {"func @f() { var i: i32 eval i#4 }", "variable 4 is not called i"},
      {"func @f() { var i: i32 eval i#99999999999 }", "the id is too large"},
      {"func @f() { var if: i32 }", "expected the name of a variable but found \"if\""},
      {"func @f() { if true { } else eval 1 }", "expected \"{\" but found \"eval\""},
      {"func @f() { if true {", "expected a statement or \"}\" but found the end of the text"},
      {"func @f() { block b { } }", "expected the block's name in quotes but found \"b\""},
      {"func @f() { block \"b\" { where true where true } }", "a second predicate"},
      {"func @f() { block \"b\" { init { break } init { } } }", "a second init"},
      {"func @f() { var v: i32 block \"b\" { iter v: serial 0..4 = 0 } }",
       "expected \"spatial\", \"reduction\" or \"opaque\" but found \"serial\""},
      {"func @f() { attr \"a\" on 3 = 1 { } }",
       "expected \"buffer\", \"var\", \"thread\" or a string"},
      {"func @f() { barrier shared }", "expected a storage scope in quotes but found \"shared\""},
      {"func @f() { buffer A: f32[4] align -1 }", "expected an alignment but found \"-\""},
  };
  for (const Bad& bad : kBad) {
    const absl::StatusOr<Module> module = ParseModule(bad.text);
    ASSERT_FALSE(module.ok()) << bad.text;
    EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(module.status().message()), ::testing::StartsWith("line "));
    EXPECT_THAT(std::string(module.status().message()), HasSubstr(bad.error)) << bad.text;
  }
}

TEST(Errors, OfCases) {
  const Bad kBad[] = {
      {"func @f() { }", "line 1, column 1: expected \"irate 1\", the first line of a Case"},
      {"irate x", "expected the version but found \"x\""},
      {"irate 1\nfoo", "line 2, column 1: expected \"generator\", \"features\""},
      {"irate 1", "line 1, column 8: expected \"generator\", \"features\""},
      {"irate 1 inputs seed 0 { } inputs seed 0 { }", "a second inputs"},
      {"irate 1 passes strict { } passes wild { }", "a second passes"},
      {"irate 1 schedule { } schedule { }", "a second schedule"},
      {"irate 1 passes { }", "expected \"strict\" or \"wild\" but found \"{\""},
      {"irate 1 passes strict { pass foo.() }", "expected the name of a pass but found \"(\""},
      {"irate 1 passes strict { pass foo(x) }", "there is no variable x"},
      {"irate 1 passes strict { step foo() }", "expected \"pass\", \"config\" or \"}\""},
      {"irate 1 inputs seed 0 { param A in [0, 1] }", "expected the number of a parameter"},
      {"irate 1 inputs seed 0 { param 0 in [0 1] }", "expected \",\" but found \"1\""},
      {"irate 1 inputs seed 0 { param 0 in [0, 9223372036854775808] }", "is too large"},
      {"irate 1 inputs seed 0 { dim n = 4 } func @f() { }", "there is no variable n"},
  };
  for (const Bad& bad : kBad) {
    const absl::StatusOr<Case> parsed = ParseCase(bad.text);
    ASSERT_FALSE(parsed.ok()) << bad.text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(bad.error)) << bad.text;
  }
}

std::string Repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Depth, NoTextExhaustsTheStack) {
  constexpr int kMany = 100'000;
  const std::string kExprs[] = {
      Repeat("(", kMany) + "1" + Repeat(")", kMany),
      Repeat("!", kMany) + "true",
      Repeat("~", kMany) + "a",
      Repeat("1 + ", kMany) + "1",
      Repeat("(1 + ", kMany) + "1" + Repeat(")", kMany),
      Repeat("let a = ", kMany) + "1",
      Repeat("let a = 1 in ", kMany) + "1",
      Repeat("A[", kMany) + "1" + Repeat("]", kMany),
      Repeat("f32(", kMany) + "1" + Repeat(")", kMany),
      Repeat("exp(", kMany) + "1.0" + Repeat(")", kMany),
      Repeat("shuffle([", kMany),
      Repeat("ramp(", kMany),
      Repeat("reinterpret<f32>(", kMany),
      Repeat("@f(", kMany),
  };
  for (const std::string& expr : kExprs) {
    const absl::StatusOr<Module> module = ParseModule(WithTables("eval " + expr + "\n"));
    ASSERT_FALSE(module.ok()) << expr.substr(0, 20);
    EXPECT_THAT(std::string(module.status().message()), HasSubstr("nested more than 200 deep"))
        << expr.substr(0, 20);
  }
  const std::string kStmts[] = {
      Repeat("if true {", kMany),
      Repeat("if true { } else ", kMany),
      Repeat("while true {", kMany),
      Repeat("for d in 0..1 {", kMany),
      Repeat("attr \"a\" = 1 {", kMany),
      Repeat("block \"b\" {", kMany),
      Repeat("block \"b\" { init {", kMany),
  };
  for (const std::string& stmt : kStmts) {
    const absl::StatusOr<Module> module = ParseModule(WithTables(stmt));
    ASSERT_FALSE(module.ok());
    EXPECT_THAT(std::string(module.status().message()), HasSubstr("nested more than 200 deep"));
  }
}

TEST(Depth, AsDeepAsTheVerifierAllows) {
  for (const char* link : {"(1 + ", "~(", "select(true, 1, ", "let d = 1 in "}) {
    const std::string text(link);
    const bool opens = text.find('(') != std::string::npos;
    const std::string expr =
        Repeat(text, kMaxDepth - 2) + "a" + (opens ? Repeat(")", kMaxDepth - 2) : "");
    const absl::StatusOr<Module> module = ParseModule(WithTables("eval " + expr));
    ASSERT_TRUE(module.ok()) << module.status() << link;
    const std::string printed = PrintModule(*module);
    const absl::StatusOr<Module> again = ParseModule(printed);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->SerializeAsString(), module->SerializeAsString());
  }
  std::string stmts;
  for (int i = 0; i < kMaxDepth - 2; ++i) stmts += i % 2 == 0 ? "if p {\n" : "if p { } else ";
  stmts += "{ }" + Repeat("}", (kMaxDepth - 2) / 2);
  const absl::StatusOr<Module> module = ParseModule(WithTables(stmts));
  ASSERT_TRUE(module.ok()) << module.status();
  const absl::StatusOr<Module> again = ParseModule(PrintModule(*module));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->SerializeAsString(), module->SerializeAsString());
}

TEST(Printing, ToleratesMessagesThatWereNotVerified) {
  Function f;
  EXPECT_THAT(PrintFunction(f), HasSubstr("func @``()"));
  Stmt stmt;
  for (int kind = 0; kind < 20; ++kind) {
    stmt.set_kind(static_cast<StmtKind>(kind));
    EXPECT_FALSE(PrintStmt(f, stmt).empty());
  }
  Expr expr;
  expr.set_id(9);
  for (int op = 0; op < 100; ++op) {
    expr.set_op(static_cast<Op>(op));
    expr.set_type(static_cast<ScalarType>(op));
    PrintExpr(f, expr);
  }
  Expr deep = b::I32Const(0);
  for (int i = 0; i < 5'000; ++i) deep = b::Unary(BIT_NOT, std::move(deep));
  EXPECT_THAT(PrintExpr(f, deep), HasSubstr("<too deep>"));
  Stmt nested = b::Evaluate(b::I32Const(0));
  for (int i = 0; i < 5'000; ++i) {
    Stmt outer = b::If(b::BoolConst(true), {});
    outer.add_orelse()->Swap(&nested);
    nested.Swap(&outer);
  }
  EXPECT_THAT(PrintStmt(f, nested), HasSubstr("<too deep>"));
}

}  // namespace
}  // namespace irate
