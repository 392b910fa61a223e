#include "gmock/gmock.h"
#include "tests/ir/rewrite/rewriting.h"

namespace irate::rewrite {
namespace {

using ::testing::HasSubstr;

constexpr char kLoop[] = "for i in 0..16 { A[i] = B[i, 3] + B[3, i] }\n";

TEST(RewriteTest, AnExpressionKeepsItsType) {
  EXPECT_EQ(Rewritten("rewrite $a + $b => $a - $b", kLoop),
            "for i in 0..16 {\n  A[i] = B[i, 3] - B[3, i]\n}\n");
  // A literal takes the type of what it meets, or of what it replaces.
  EXPECT_EQ(Rewritten("rewrite $a + $b => $b * 2", kLoop),
            "for i in 0..16 {\n  A[i] = B[3, i] * 2.0\n}\n");
  EXPECT_EQ(Rewritten("rewrite D[$i] => 7", "D[3] = D[4]\n"), "D[3] = 7:i64\n");
  // Another type is cast.
  EXPECT_EQ(Rewritten("rewrite D[$i] => C[$i]", "D[3] = D[4]\n"), "D[3] = i64(C[4])\n");
  EXPECT_EQ(Rewritten("rewrite D[$i] => D[$i] + C[$i]", "D[3] = D[4]\n"),
            "D[3] = D[4] + i64(C[4])\n");
}

TEST(RewriteTest, ALiteralWithoutSuffixMatchesEveryTypeOfItsKind) {
  EXPECT_EQ(Rewritten("rewrite $x + 1 => $x", "D[3] = D[4] + 1:i64\n"), "D[3] = D[4]\n");
  EXPECT_EQ(Rewritten("rewrite $x + 1:i32 => $x", "D[3] = D[4] + 1:i64\n"), "");
  EXPECT_EQ(Rewritten("rewrite $x + 1 => $x", "A[3] = A[4] + 1.0\n"), "");
  EXPECT_EQ(Rewritten("rewrite $x + 1.0 => $x", "A[3] = A[4] + 1.0\n"), "A[3] = A[4]\n");
}

TEST(RewriteTest, OneNameStandsForOneThing) {
  EXPECT_EQ(Rewritten("rewrite $a + $a => $a", "C[0] = C[1] + C[2]\nC[0] = C[3] + C[3]\n"),
            "C[0] = C[1] + C[2]\nC[0] = C[3]\n");
  // "$_" stands for anything each time.
  EXPECT_EQ(Rewritten("rewrite $_ + $_ => 5", "C[0] = C[1] + C[2]\n"), "C[0] = 5\n");
}

TEST(RewriteTest, Lists) {
  EXPECT_EQ(Rewritten("rewrite B[$i...] => A[0]", kLoop),
            "for i in 0..16 {\n  A[i] = A[0] + B[3, i]\n}\n");
  EXPECT_EQ(Rewritten("rewrite { C[0] = $a $between... C[1] = $b } => { C[1] = $b $between... }",
                      "C[0] = 1\nC[5] = 2\nC[1] = 3\nC[6] = 4\n"),
            "C[1] = 3\nC[5] = 2\nC[6] = 4\n");
  // All splits are tried until the conditions hold.
  EXPECT_EQ(Rewritten("rewrite { $A[$i] = $v $mid... $A[$j] = $w } => { $mid... } where $w == 9",
                      "C[0] = 1\nC[1] = 2\nC[2] = 9\n"),
            "C[1] = 2\n");
}

TEST(RewriteTest, ListsAtTheEndsOfAPatternTakeAll) {
  const std::string body = "C[0] = 1\nC[1] = 2\nC[2] = 3\n";
  EXPECT_EQ(Rewritten("rewrite { C[1] = $a $rest... } => { $rest... C[1] = $a }", body),
            "C[0] = 1\nC[2] = 3\nC[1] = 2\n");
  EXPECT_EQ(Rewritten("rewrite { $before... C[2] = $a } => { C[2] = $a $before... }", body),
            "C[2] = 3\nC[0] = 1\nC[1] = 2\n");
}

TEST(RewriteTest, LoopsOfEveryKind) {
  EXPECT_EQ(Rewritten("rewrite { for $i in 0..$n { $b... } } => { for $i in 0..$n - 1 { $b... } }",
                      "for i in 0..16 { C[i] = i }\n"),
            "for i in 0..16 - 1 {\n  C[i] = i\n}\n");
  // Without a kind: serial only.
  EXPECT_EQ(Rewritten("rewrite { for $i in 0..$n { $b... } } => { }",
                      "for i in 0..16 parallel { C[i] = i }\n"),
            "");
  EXPECT_EQ(Rewritten("rewrite { for $i in $l +: $n $k { $b... } } => "
                      "{ for $i in $l +: 4 $k { $b... } }",
                      "for i in 0..16 parallel attributes {\"a\" = 1} { C[i] = i }\n"),
            "for i in 0..4 parallel attributes {\"a\" = 1} {\n  C[i] = i\n}\n");
  // A new variable.
  EXPECT_EQ(Rewritten("rewrite { for $i in 0..$n { $b... } } => "
                      "{ for $other in 0..$n { $b[$i := $other + 1]... } }",
                      "for i in 0..15 { C[i] = i }\n"),
            "for other in 0..15 {\n  C[other + 1] = other + 1\n}\n");
}

TEST(RewriteTest, ACopyOfStatementsHasItsOwnVariables) {
  const Applied applied =
      ApplyClauses("rewrite { for $i in 0..4 { $b... } } => { for $i in 0..4 { $b... $b... } }",
                   Program("for i in 0..4 { for j in 0..2 { C[j] = i } }\n"));
  ASSERT_TRUE(applied.changed) << applied.problem;
  const Stmt& loop = applied.module.functions(0).body(0);
  ASSERT_EQ(loop.body_size(), 2);
  EXPECT_NE(loop.body(0).id(), loop.body(1).id());
  EXPECT_EQ(loop.body(1).body(0).args(1).id(), loop.body(1).id());
}

TEST(RewriteTest, BlocksKeepWhatIsNotStated) {
  const std::string block =
      "for i in 0..16 {\n  block \"b\" {\n    iter j: spatial 0..16 = i\n    where i < 9\n"
      "    writes C[j]\n    init {\n      C[j] = 0\n    }\n    C[j] = C[j] + 1\n  }\n}\n";
  EXPECT_THAT(Rewritten("rewrite { block $n { where $p $body... } } => "
                        "{ block $n { where true $body... } }",
                        block),
              testing::AllOf(HasSubstr("writes C[j]"), HasSubstr("init"),
                             testing::Not(HasSubstr("where"))));
  EXPECT_THAT(Rewritten("rewrite { block $n { init { $A[$i] = 0 } $body... } } => "
                        "{ block $n { init { $A[$i] = 1 } $body... } }",
                        block),
              HasSubstr("C[j] = 1\n    }\n    C[j] = C[j] + 1"));
}

TEST(RewriteTest, BuffersCanBeReplacedAndAdded) {
  EXPECT_EQ(Rewritten("rewrite { alloc $A $m... alloc $B $rest... } => "
                      "{ alloc $A $m... $rest[$B := $A]... }",
                      "alloc L\nalloc M\nM[0] = 1.0\nL[0] = M[0]\n"),
            "alloc L\nL[0] = 1.0\nL[0] = L[0]\n");
  const std::string added =
      Rewritten("new buffer $T like $A rewrite { alloc $A $r... } => { alloc $T alloc $A $r... }",
                "alloc L\nL[0] = 1.0\n");
  EXPECT_THAT(added, HasSubstr("alloc T\nalloc L"));
}

TEST(RewriteTest, WhichMatch) {
  const std::string body = "C[0] = 1\nC[1] = 1\nC[2] = 1\n";
  const std::string rule = "rewrite { C[$i] = 1 } => { C[$i] = 2 } ";
  EXPECT_EQ(Rewritten(rule, body), "C[0] = 2\nC[1] = 1\nC[2] = 1\n");
  EXPECT_EQ(Rewritten(rule + "at 2", body), "C[0] = 1\nC[1] = 2\nC[2] = 1\n");
  EXPECT_EQ(Rewritten(rule + "at last", body), "C[0] = 1\nC[1] = 1\nC[2] = 2\n");
  EXPECT_EQ(Rewritten(rule + "at every", body), "C[0] = 2\nC[1] = 2\nC[2] = 2\n");
  EXPECT_EQ(Rewritten(rule + "at 4", body), "");
}

TEST(RewriteTest, AResultThatIsNotValidIsAProblem) {
  // i is not in scope behind the loop.
  const std::string rule =
      "rewrite { for $i in 0..$n { $b... } } => { for $i in 0..$n { $b... } C[$i] = 1 } ";
  const Applied applied = ApplyClauses(rule, Program("for i in 0..16 { C[i] = i }\n"));
  EXPECT_FALSE(applied.triggered);
  EXPECT_FALSE(applied.changed);
  EXPECT_NE(applied.problem, "");
  EXPECT_TRUE(ApplyClauses(rule + "invalid", Program("for i in 0..16 { C[i] = i }\n")).changed);
  // What is bound nowhere.
  EXPECT_THAT(ApplyClauses("rewrite $a + $b => $c", Program(kLoop)).problem,
              HasSubstr("$c stands for nothing"));
}

TEST(RewriteTest, CallsAndCasts) {
  EXPECT_EQ(Rewritten("rewrite $t(i32($x)) => $t($x)", "D[0] = i64(i32(A[0]))\n"),
            "D[0] = i64(A[0])\n");
  EXPECT_EQ(Rewritten("rewrite exp($x) => log($x)", "A[0] = exp(A[1])\n"), "A[0] = log(A[1])\n");
  EXPECT_EQ(Rewritten("rewrite call $f($x...) => 1.0", "A[0] = exp(A[1])\n"), "A[0] = 1.0\n");
}

TEST(RewriteTest, Vectors) {
  EXPECT_EQ(Rewritten("rewrite ramp($b, $s, $n) => ramp($b + ($n - 1), 0 - $s, $n)",
                      "A[ramp(0, 1, 4)] = broadcast(1.0, 4)\n"),
            "A[ramp(0 + (4 - 1), 0 - 1, 4)] = broadcast(1.0, 4)\n");
  EXPECT_EQ(Rewritten("rewrite { $A[$i] = $v } => { $A[$i] = 2 }",
                      "A[ramp(0, 1, 4)] = broadcast(1.0, 4)\n"),
            "A[ramp(0, 1, 4)] = broadcast(2.0, 4)\n");
}

}  // namespace
}  // namespace irate::rewrite
