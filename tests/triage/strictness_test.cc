#include "triage/strictness.h"

#include "gtest/gtest.h"

namespace irate {
namespace {

const PassMap& Map() {
  static const auto& map = *new PassMap(PassMap::Parse(R"({
    "target": "toy",
    "stages": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    "passes": [
      {"name": "Up", "from": "a", "until": "a", "leaves": "b"},
      {"name": "Late", "from": "b", "until": "c", "after": ["Helper"]},
      {"name": "Helper", "from": "a", "until": "c"},
      {"name": "Done", "from": "b", "until": "c", "leaves": "c"},
      {"name": "Needed", "from": "a", "until": "c", "required": true}
    ],
    "pipeline": ["Needed", "Up", "Done"]
  })",
                                                       "toy.json")
                                            .value());
  return map;
}

PassSequence Steps(const std::vector<std::string>& names, PassMode mode = STRICT) {
  PassSequence passes;
  passes.set_mode(mode);
  for (const std::string& name : names) passes.add_steps()->set_name(name);
  return passes;
}

TEST(StrictnessTest, PartsThatTheMapAllowsStay) {
  const PassSequence whole = Steps({"Needed", "Helper", "Up", "Late", "Done"});
  EXPECT_TRUE(StaysStrict(Map(), whole, whole));
  EXPECT_TRUE(StaysStrict(Map(), whole, Steps({"Needed", "Up", "Done"})));
  // What a pass before the end needs: "Needed" matters to code generation only.
  EXPECT_TRUE(StaysStrict(Map(), whole, Steps({"Helper", "Up", "Late"})));
  EXPECT_TRUE(StaysStrict(Map(), whole, PassSequence()));
}

TEST(StrictnessTest, PartsThatBreakARuleDoNot) {
  const PassSequence whole = Steps({"Needed", "Helper", "Up", "Late", "Done"});
  EXPECT_FALSE(StaysStrict(Map(), whole, Steps({"Needed", "Up", "Late", "Done"})));
  EXPECT_FALSE(StaysStrict(Map(), whole, Steps({"Helper", "Late"})));
  EXPECT_FALSE(StaysStrict(Map(), whole, Steps({"Helper", "Up", "Done"})));
}

TEST(StrictnessTest, ThereMayBeNothingToKeep) {
  const PassSequence late = Steps({"Late"});
  EXPECT_TRUE(StaysStrict(Map(), Steps({"Up", "Late"}, WILD), late));
  EXPECT_TRUE(StaysStrict(Map(), Steps({"Late", "Up"}), late));
  EXPECT_TRUE(StaysStrict(Map(), PassSequence(), late));
}

}  // namespace
}  // namespace irate
