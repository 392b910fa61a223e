#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/rewrite/rule.h"

namespace irate::rewrite {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<std::vector<Rule>> rules = ParseRules(text);
  return rules.ok() ? "parsed" : std::string(rules.status().message());
}

TEST(RuleParserTest, EveryClause) {
  const absl::StatusOr<std::vector<Rule>> rules = ParseRules(R"(
# a comment
fault "a" {
  describe "what it is"
  pass tirx.transform.UnrollLoop, Vector*, "s_tir.transform.X", lower, codegen
  rewrite $a + $b => $a - $b
  rewrite { $A[$i...] = $v } => { }
  where $a is const|var and lanes($a) == 0
  where inside for or not in index
  at last
  new buffer $T like $A
  do alternate
  expect oracle "one", "two"
  expect culprit "x"
  invalid
}
fault "b" { pass * null })");
  ASSERT_TRUE(rules.ok()) << rules.status();
  ASSERT_EQ(rules->size(), 2u);
  const Rule& a = (*rules)[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.line, 3);
  EXPECT_EQ(a.description, "what it is");
  EXPECT_THAT(a.passes, ElementsAre("tirx.transform.UnrollLoop", "Vector*", "s_tir.transform.X",
                                    "lower", "codegen"));
  EXPECT_EQ(a.alternatives.size(), 2u);
  EXPECT_EQ(a.conditions.size(), 2u);
  EXPECT_EQ(a.site, Rule::Site::kLast);
  EXPECT_EQ(a.action, Rule::Action::kAlternate);
  EXPECT_THAT(ExpectedOracles(a), ElementsAre("one", "two"));
  EXPECT_TRUE(a.may_be_invalid);
  EXPECT_TRUE((*rules)[1].is_null);
  EXPECT_TRUE(ExpectedOracles((*rules)[1]).empty());
}

TEST(RuleParserTest, ErrorsNameLineAndColumn) {
  EXPECT_EQ(ErrorOf("fault \"a\" {\n  pass p\n  rewrite $a +\n}"),
            "line 4, column 1: expected an expression but found \"}\"");
  EXPECT_EQ(ErrorOf("fault \"a\" {\n  pass p\n  rewrit $a => $b\n}").substr(0, 17),
            "line 3, column 3:");
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p rewrite $a => { } }"),
              HasSubstr("an expression is replaced by an expression"));
  EXPECT_THAT(ErrorOf("fault \"a\" { rewrite $a => $b }"), HasSubstr("no pass is named"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p }"), HasSubstr("nothing to rewrite"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p rewrite { $s... } => { } }"),
              HasSubstr("no statement that it could match"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p do hang where $x is odd }"),
              HasSubstr("expected const, var, load"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p do hang where frob($x) }"),
              HasSubstr("conditions have no function \"frob\""));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p do hang } fault \"a\" { pass p do hang }"),
              HasSubstr("a second fault"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p do hang at 0 }"), HasSubstr("counted from 1"));
  EXPECT_THAT(ErrorOf("fault \"a\" { pass p rewrite $a => $b do crash }"),
              HasSubstr("use \"match\""));
}

TEST(RuleParserTest, PassesByFullNameLastPartOrPattern) {
  const auto concerns = [](const std::string& pass, const std::string& name) {
    return Concerns(ParseRules("fault \"a\" { pass " + pass + " do hang }")->front(), name);
  };
  EXPECT_TRUE(concerns("UnrollLoop", "tirx.transform.UnrollLoop"));
  EXPECT_TRUE(concerns("tirx.transform.UnrollLoop", "tirx.transform.UnrollLoop"));
  EXPECT_TRUE(concerns("tirx.*", "tirx.transform.UnrollLoop"));
  EXPECT_TRUE(concerns("*", "tirx.transform.UnrollLoop"));
  EXPECT_FALSE(concerns("s_tir.*", "tirx.transform.UnrollLoop"));
  EXPECT_FALSE(concerns("Unroll", "tirx.transform.UnrollLoop"));
  EXPECT_FALSE(concerns("*", kAtCodegen));
  EXPECT_TRUE(concerns("codegen", kAtCodegen));
}

}  // namespace
}  // namespace irate::rewrite
