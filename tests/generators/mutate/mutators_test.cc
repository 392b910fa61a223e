// Each mutator, on generated Cases: it is applied, it replays, and what it makes is valid often
// enough.
#include "generators/mutate/mutator.h"

#include <set>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

// With passes, options and a schedule, so that every mutator has something to work on.
Case Decorated(uint64_t index) {
  Case test_case = GenerateCase(CaseSeed(41, index));
  for (const char* name : {"a.First", "a.Second", "a.Third"}) {
    PassStep* step = test_case.mutable_passes()->add_steps();
    step->set_name(name);
    *step->add_args() = build::BoolConst(index % 2 == 0);
  }
  Attribute* option = test_case.mutable_passes()->add_config();
  option->set_key("a.option");
  *option->mutable_value() = build::I32Const(static_cast<int64_t>(index % 5));
  for (const char* name : {"split", "fuse"}) {
    ScheduleStep* step = test_case.mutable_schedule()->add_steps();
    step->set_primitive(name);
    *step->add_args() = build::I32Const(static_cast<int64_t>(index % 3));
  }
  return test_case;
}

const std::vector<Case>& Cases() {
  static const auto& cases = *[] {
    auto* result = new std::vector<Case>;
    for (uint64_t i = 0; i < 120; ++i) result->push_back(Decorated(i));
    return result;
  }();
  return cases;
}

const PassSequence& KnownPasses() {
  static const auto& passes = *[] {
    auto* result = new PassSequence;
    result->add_steps()->set_name("a.Known");
    Attribute* option = result->add_config();
    option->set_key("a.flag");
    *option->mutable_value() = build::BoolConst(true);
    return result;
  }();
  return passes;
}

MutationContext ContextFor(size_t i) {
  return {
      .donor = &Cases()[(i + 17) % Cases().size()], .passes = &KnownPasses(), .is_strict_walk = {}};
}

bool IsDefined(const Case& test_case) {
  const auto result = Interpret(test_case.module(), test_case.inputs(), {.fuel = 1'000'000});
  return result.ok() && result->status() == Interpretation::DEFINED;
}

TEST(MutatorsTest, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const auto& mutator : Mutators()) {
    EXPECT_TRUE(names.insert(mutator->Name()).second) << mutator->Name();
    EXPECT_EQ(FindMutator(mutator->Name()), mutator.get());
    EXPECT_GE(mutator->Weight(), 1);
  }
  EXPECT_GE(names.size(), 50u);
  EXPECT_EQ(FindMutator("no-such-mutator"), nullptr);
}

class EachMutator : public testing::TestWithParam<std::string> {};

TEST_P(EachMutator, IsAppliedReplaysAndMakesValidCases) {
  const Mutator* mutator = FindMutator(GetParam());
  ASSERT_NE(mutator, nullptr);
  int applied = 0;
  int changed = 0;
  int valid = 0;
  int defined = 0;
  for (size_t i = 0; i < Cases().size(); ++i) {
    const MutationContext context = ContextFor(i);
    Case once = Cases()[i];
    ChoiceSource choices(i);
    if (!mutator->Mutate(&once, context, choices)) continue;
    ++applied;
    Case again = Cases()[i];
    ChoiceSource same_choices(i);
    ASSERT_TRUE(mutator->Mutate(&again, context, same_choices));
    ASSERT_EQ(once.SerializeAsString(), again.SerializeAsString()) << "it does not replay";
    changed += once.SerializeAsString() != Cases()[i].SerializeAsString() ? 1 : 0;
    if (!VerifyCase(once).ok()) {
      if (valid + 3 > applied) GTEST_LOG_(INFO) << VerifyCase(once);
      continue;
    }
    ++valid;
    defined += IsDefined(once) ? 1 : 0;
  }
  RecordProperty("applied", applied);
  RecordProperty("valid", valid);
  RecordProperty("defined", defined);
  std::cout << GetParam() << ": applied " << applied << ", changed " << changed << ", valid "
            << valid << ", defined " << defined << "\n";
  ASSERT_GT(applied, 0) << "no generated Case has a place for it";
  EXPECT_GE(changed * 10, applied * 9) << "it says that it changed what it did not";
  EXPECT_GE(valid * 2, applied) << "most of what it makes does not verify";
  EXPECT_GE(defined * 4, applied) << "most of what it makes is undefined";
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& mutator : Mutators()) names.emplace_back(mutator->Name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EachMutator, testing::ValuesIn(Names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// Without somebody who knows the rules of passes, a changed order is not called strict.
TEST(ChangePassesTest, AChangedOrderIsWildUnlessItIsKnownToBeStrict) {
  const Mutator* mutator = FindMutator("change-passes");
  int wild = 0;
  int strict = 0;
  for (size_t i = 0; i < 20; ++i) {
    MutationContext context = ContextFor(i);
    Case test_case = Cases()[i];
    ChoiceSource choices(i);
    if (mutator->Mutate(&test_case, context, choices)) {
      wild += test_case.passes().mode() == WILD ? 1 : 0;
      strict += test_case.passes().mode() == STRICT ? 1 : 0;
    }
  }
  EXPECT_GT(wild, 5);
  EXPECT_EQ(strict, 0);
  MutationContext context = ContextFor(1);
  context.is_strict_walk = [](const PassSequence&) { return true; };
  for (size_t i = 0; i < 20; ++i) {
    Case test_case = Cases()[i];
    ChoiceSource choices(i);
    mutator->Mutate(&test_case, context, choices);
    EXPECT_EQ(test_case.passes().mode(), STRICT);
  }
}

}  // namespace
}  // namespace irate
