#include "tests/ir/rewrite/rewriting.h"

namespace irate::rewrite {
namespace {

// Whether "$a + $b" matches in the body under the condition.
bool Holds(const std::string& condition, const std::string& body) {
  return ApplyClauses("match $a + $b where " + condition + " do hang", Program(body)).triggered;
}

TEST(ConditionTest, TypesAndKinds) {
  const std::string body = "for i in 0..16 { C[i] = C[i] + 3 }\n";
  EXPECT_TRUE(Holds("$a is load and $b is const", body));
  EXPECT_FALSE(Holds("$a is const", body));
  EXPECT_TRUE(Holds("$a is i32 and $a is int and $a is signed and $a is scalar", body));
  EXPECT_FALSE(Holds("$a is float|vector|unsigned", body));
  EXPECT_TRUE(Holds("type($a) == \"i32\" and bits($a) == 32 and lanes($a) == 0", body));
  EXPECT_TRUE(Holds("$a is not float", body));
}

TEST(ConditionTest, Numbers) {
  const std::string body = "for i in 0..16 { C[i] = C[i] + 3 }\n";
  EXPECT_TRUE(Holds("$b == 3", body));
  EXPECT_TRUE(Holds("$b * 2 + 1 == 7 and $b % 2 == 1 and $b // 2 == 1 and -1 // 2 == -1", body));
  EXPECT_FALSE(Holds("$b > 3 or $b != 3", body));
  // What has no value makes no comparison true.
  EXPECT_FALSE(Holds("$a == 3", body));
  EXPECT_FALSE(Holds("$a + 1 < 3 or $a + 1 >= 3", body));
  EXPECT_TRUE(Holds("not ($a == 3)", body));
  EXPECT_TRUE(Holds("$a != $b", body));
}

TEST(ConditionTest, Places) {
  const std::string fixed =
      "for i in 0..8 parallel { for j in 0..4 { if C[j] < 3 "
      "{ A[j] = B[0, i + j] } } }\n";
  EXPECT_TRUE(Holds("inside parallel and inside serial and inside if and inside for", fixed));
  EXPECT_FALSE(Holds("inside vectorized|while|block|unrolled", fixed));
  EXPECT_TRUE(Holds("in index and in value and not in condition", fixed));
  EXPECT_TRUE(Holds("loops == 2 and depth == 3", fixed));
  EXPECT_TRUE(Holds("extent($a) == 8 and extent($b) == 4 and begin($a) == 0", fixed));
  EXPECT_TRUE(Holds("kind($a) == \"parallel\" and $a is loop and name($b) == \"j\"", fixed));
}

TEST(ConditionTest, Buffers) {
  const Applied yes = ApplyClauses(
      "match { $A[$i...] = $v } where $A is param and rank($A) == 2 and dim($A, 1) == 16 and "
      "elements($A) == 256 and type($A) == \"f32\" and scope($A) == \"global\" and count($i) == 2 "
      "do hang",
      Program("A[0] = 1.0\nB[0, 1] = 1.0\n"));
  EXPECT_TRUE(yes.triggered);
  EXPECT_EQ(yes.matches, 1);
}

TEST(ConditionTest, Contains) {
  const std::string body = "for i in 0..16 { C[i] = (C[i] + 3) * 2 }\nfor j in 0..4 { C[j] = 1 }\n";
  const auto matches = [&](const std::string& condition) {
    return ApplyClauses("match { for $i in 0..$n { $b... } } where " + condition + " do hang",
                        Program(body))
        .matches;
  };
  EXPECT_EQ(matches("$b contains ($x * 2)"), 1);
  EXPECT_EQ(matches("$b not contains ($x * 2) and $n == 4"), 1);
  EXPECT_EQ(matches("$b contains { $A[$j] = 1 }"), 1);
  // What it binds can be used behind it, and every way is tried.
  EXPECT_EQ(matches("$b contains ($x + $c) and $c == 3"), 1);
  EXPECT_EQ(matches("$b contains ($x + $c) and $c == 4"), 0);
  EXPECT_EQ(matches("module contains ($x * 2) and $n == 16"), 1);
  EXPECT_EQ(matches("writes($b, $i) == 0 and uses($b, $i) > 1 and $n == 16"), 1);
}

TEST(ConditionTest, OneInIsAPropertyOfTheModule) {
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string body = "C[0] = C[1] + " + std::to_string(i) + "\n";
    const bool holds = Holds("one_in(4)", body);
    EXPECT_EQ(holds, Holds("one_in(4)", body));
    hits += holds ? 1 : 0;
  }
  EXPECT_GT(hits, 20);
  EXPECT_LT(hits, 90);
}

}  // namespace
}  // namespace irate::rewrite
