#include "ir/pass_map.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Stages a, b, c; `Up` and `Done` lead on, the others stand between.
constexpr char kMap[] = R"({
 "target": "toy",
 "stages": [
  {"name": "a"},
  {"name": "b", "holds": ["no-blocks"]},
  {"name": "c"}
 ],
 "passes": [
  {"name": "Up", "from": "a", "until": "b", "leaves": "b", "required": true, "idempotent": true},
  {"name": "Done", "from": "b", "until": "c", "leaves": "c", "required": true},
  {"name": "Early", "from": "a", "until": "a", "promises": ["no-asserts"]},
  {"name": "Args", "from": "a", "until": "c", "args": [[1], ["x", true]]},
  {"name": "Follows", "from": "a", "until": "c", "after": ["Early"], "not_after": ["Done"]},
  {"name": "Single", "from": "a", "until": "c", "once": true},
  {"name": "Rough", "wild": true}
 ],
 "pipeline": [
  "Up",
  {"pass": "Args", "args": [1], "unless": "off"},
  {"pass": "Args", "args": ["x", true], "if": "off"},
  "Done"
 ],
 "options": [
  {"name": "off", "values": [true, false]},
  {"name": "odd", "values": [3], "wild": true}
 ],
 "left_out": [{"name": "Other", "why": "no reason"}]
})";

PassMap Toy() { return PassMap::Parse(kMap, "toy.json").value(); }

// The error for the toy map with one text replaced by another.
std::string ErrorOf(std::string_view from, std::string_view to) {
  const std::string text = absl::StrReplaceAll(kMap, {{std::string(from), std::string(to)}});
  EXPECT_NE(text, kMap) << from;
  const absl::StatusOr<PassMap> map = PassMap::Parse(text, "toy.json");
  EXPECT_TRUE(absl::IsInvalidArgument(map.status())) << map.status();
  return std::string(map.status().message());
}

PassStep Step(const std::string& name, const std::vector<Expr>& args = {}) {
  PassStep step;
  step.set_name(name);
  for (const Expr& arg : args) *step.add_args() = arg;
  return step;
}

// The rule that these passes break; empty if none.
std::string Broken(const std::vector<PassStep>& steps) {
  PassSequence passes;
  for (const PassStep& step : steps) *passes.add_steps() = step;
  return std::string(Toy().Check(passes).message());
}

Attribute Option(const std::string& name, Expr value) {
  Attribute option;
  option.set_key(name);
  *option.mutable_value() = std::move(value);
  return option;
}

TEST(PassMapTest, ReadsWhatIsThere) {
  const PassMap map = Toy();
  EXPECT_EQ(map.target(), "toy");
  ASSERT_EQ(map.passes().size(), 7u);
  const PassRule* up = map.Find("Up");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->leaves, 1);
  EXPECT_TRUE(up->required && up->idempotent && !up->once && !up->wild);
  EXPECT_EQ(map.Find("Args")->args.size(), 2u);
  EXPECT_EQ(map.Find("Other"), nullptr);
  EXPECT_EQ(map.left_out()[0].why, "no reason");
}

TEST(PassMapTest, ErrorsNameFileLineAndEntry) {
  EXPECT_THAT(ErrorOf("\"stages\": [",
                      "\"stages\": ["
                      "["),
              HasSubstr("toy.json: "));
  EXPECT_THAT(
      ErrorOf("{\"name\": \"Early\", \"from\": \"a\"", "{\"name\": \"Early\", \"from\": \"z\""),
      HasSubstr("toy.json:11: pass Early: \"from\": there is no stage z"));
  EXPECT_THAT(ErrorOf("\"once\": true", "\"once\": 1"),
              HasSubstr("toy.json:14: pass Single: \"once\" is neither true nor false"));
  EXPECT_THAT(ErrorOf("\"once\"", "\"onec\""),
              HasSubstr("pass Single: has an unknown field \"onec\""));
  EXPECT_THAT(ErrorOf("\"after\": [\"Early\"]", "\"after\": [\"Erly\"]"),
              HasSubstr("toy.json:13: pass Follows: there is no pass Erly"));
  EXPECT_THAT(ErrorOf("no-asserts", "no-assert"),
              HasSubstr("pass Early: there is no property \"no-assert\"; there are: "));
  EXPECT_THAT(ErrorOf("\"Single\"", "\"Early\""), HasSubstr("pass Early: stands in the map twice"));
  EXPECT_THAT(ErrorOf("[[1], ", "[1.5, "), HasSubstr("pass Args: the values are no list"));
  EXPECT_THAT(ErrorOf("[[1], ", "[[1.5], "), HasSubstr("the value 1.5 is no"));
  EXPECT_THAT(ErrorOf(", \"wild\": true}\n ],\n \"pip", "}\n ],\n \"pip"),
              HasSubstr("pass Rough: needs \"from\" and \"until\""));
  EXPECT_THAT(ErrorOf("\"from\": \"b\", \"until\": \"c\"", "\"from\": \"c\", \"until\": \"b\""),
              HasSubstr("pass Done: \"from\" is a later stage than \"until\""));
  EXPECT_THAT(ErrorOf("[true, false]", "[]"), HasSubstr("option off: has no values"));
  EXPECT_THAT(ErrorOf("\"name\": \"Other\"", "\"name\": \"Up\""), HasSubstr("twice"));
  EXPECT_THAT(ErrorOf(" \"target\": \"toy\",\n", ""), HasSubstr("\"target\" is missing"));
}

TEST(PassMapTest, APipelineThatTheMapForbidsIsAnError) {
  EXPECT_THAT(ErrorOf("  \"Up\",\n", ""), HasSubstr("pipeline: step 1, Done: stands at stage a"));
  EXPECT_THAT(ErrorOf("  \"Done\"\n ]", "  \"Single\"\n ]"),
              HasSubstr("pipeline: ends at stage b, not at c"));
}

TEST(PassMapTest, ThePipelineFollowsTheOptions) {
  const PassMap map = Toy();
  PassConfig config;
  EXPECT_EQ(map.Pipeline(config).steps(1).args_size(), 1);
  *config.Add() = Option("off", build::BoolConst(false));
  EXPECT_EQ(map.Pipeline(config).steps(1).args_size(), 1);
  *config[0].mutable_value() = build::BoolConst(true);
  const PassSequence off = map.Pipeline(config);
  ASSERT_EQ(off.steps_size(), 3);
  EXPECT_EQ(off.steps(1).args_size(), 2);
  EXPECT_EQ(off.config(0).key(), "off");
}

TEST(PassMapTest, CheckFollowsTheRules) {
  const PassStep args = Step("Args", {build::I32Const(1)});
  EXPECT_EQ(Broken({Step("Up"), Step("Done")}), "");
  EXPECT_EQ(Broken({Step("Early"), args, Step("Up"), Step("Up"), Step("Follows"), Step("Done")}),
            "");
  EXPECT_THAT(Broken({Step("Done")}), HasSubstr("step 0, Done: stands at stage a"));
  EXPECT_THAT(Broken({Step("Up"), Step("Early"), Step("Done")}),
              HasSubstr("step 1, Early: stands at stage b, may stand from a until a"));
  EXPECT_THAT(Broken({Step("Up"), Step("Done"), Step("Up")}), HasSubstr("step 2, Up"));
  EXPECT_THAT(Broken({Step("Up"), Step("Follows"), Step("Done")}), HasSubstr("needs Early"));
  EXPECT_THAT(Broken({Step("Early"), Step("Up"), Step("Done"), Step("Follows")}),
              HasSubstr("may not follow Done"));
  EXPECT_THAT(Broken({Step("Single"), Step("Single"), Step("Up"), Step("Done")}),
              HasSubstr("step 1, Single: may stand once only"));
  EXPECT_THAT(Broken({Step("Args", {build::I32Const(2)}), Step("Up"), Step("Done")}),
              HasSubstr("does not list these arguments"));
  EXPECT_THAT(Broken({Step("Rough"), Step("Up"), Step("Done")}), HasSubstr("only wild"));
  EXPECT_THAT(Broken({Step("Nothing"), Step("Up"), Step("Done")}), HasSubstr("no such pass"));
  EXPECT_THAT(Broken({Step("Up")}), HasSubstr("ends at stage b, not at c"));
}

TEST(PassMapTest, CheckLooksAtOptions) {
  const PassMap map = Toy();
  PassSequence passes = map.Pipeline({});
  *passes.add_config() = Option("off", build::BoolConst(true));
  EXPECT_TRUE(map.Check(passes).ok());
  *passes.mutable_config(0)->mutable_value() = build::I32Const(7);
  EXPECT_THAT(std::string(map.Check(passes).message()), HasSubstr("value of the option off"));
  *passes.mutable_config(0) = Option("odd", build::I32Const(3));
  EXPECT_THAT(std::string(map.Check(passes).message()), HasSubstr("no option odd"));
}

TEST(StageWalkTest, PromisesAreThoseOfStageAndPass) {
  const PassMap map = Toy();
  StageWalk walk(map);
  walk.Take(Step("Early"));
  EXPECT_THAT(walk.Promises(Step("Early")), ElementsAre("no-asserts"));
  walk.Take(Step("Up"));
  EXPECT_THAT(walk.Promises(Step("Up")), UnorderedElementsAre("no-blocks", kIdempotent));
  EXPECT_THAT(walk.Promises(Step("Rough")), IsEmpty());
  EXPECT_THAT(walk.Promises(Step("Nothing")), IsEmpty());
}

}  // namespace
}  // namespace irate
