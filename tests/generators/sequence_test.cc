// Sequences from TVM's pass map, which is data here: no compiler is asked.
#include "generators/sequence.h"

#include <map>
#include <set>
#include <string>

#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "ir/text.h"

namespace irate {
namespace {

const PassMap& Map() {
  static const auto& map = *new PassMap([] {
    const std::string file = "targets/tvm/pass_map.json";
    return PassMap::Parse(ReadFile(file, 1 << 20).value(), file).value();
  }());
  return map;
}

PassSequence Draw(SequenceKind kind, uint64_t seed) {
  ChoiceSource choices(seed);
  return GenerateSequence(choices, Map(), kind);
}

TEST(SequenceTest, KindsHaveNamesAndLooks) {
  for (const SequenceKind kind : {SequenceKind::kDefault, SequenceKind::kOptions,
                                  SequenceKind::kStrict, SequenceKind::kWild}) {
    EXPECT_EQ(FindSequenceKind(Name(kind)), kind);
    for (uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(KindOf(Draw(kind, seed)), kind);
  }
  EXPECT_FALSE(FindSequenceKind("mild").has_value());
}

TEST(SequenceTest, SameSeedSameBytes) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    for (const SequenceKind kind : {SequenceKind::kStrict, SequenceKind::kWild}) {
      ASSERT_EQ(Draw(kind, seed).SerializeAsString(), Draw(kind, seed).SerializeAsString());
    }
  }
}

// Whatever an option switches, what comes of the pipeline is a strict sequence.
TEST(SequenceTest, ThePipelineIsStrictUnderEveryOption) {
  for (const OptionRule& rule : Map().options()) {
    if (rule.wild) continue;
    for (const Expr& value : rule.values) {
      PassConfig config;
      config.Add()->set_key(rule.name);
      *config[0].mutable_value() = value;
      EXPECT_TRUE(Map().Check(Map().Pipeline(config)).ok())
          << rule.name << ": " << Map().Check(Map().Pipeline(config));
    }
  }
}

TEST(SequenceTest, StrictOnesAreAllowedByTheMap) {
  for (uint64_t seed = 0; seed < 3'000; ++seed) {
    const PassSequence passes = Draw(SequenceKind::kStrict, seed);
    ASSERT_TRUE(Map().Check(passes).ok()) << Map().Check(passes) << "\n" << passes.DebugString();
  }
}

// Every pass in every place that the map gives it, with all its arguments, absent where it may be.
TEST(SequenceTest, StrictOnesReachAllThatTheMapAllows) {
  std::set<std::string> placed;
  std::set<std::string> argued;
  std::set<std::string> repeated;
  std::map<std::string, int> absent;
  const int count = 12'000;
  for (uint64_t seed = 0; seed < count; ++seed) {
    StageWalk walk(Map());
    std::set<std::string> names;
    std::string last;
    const PassSequence passes = Draw(SequenceKind::kStrict, seed);
    for (const PassStep& step : passes.steps()) {
      names.insert(step.name());
      placed.insert(step.name() + " at " + Map().stages()[static_cast<size_t>(walk.stage())].name);
      std::string args = step.name();
      for (const Expr& arg : step.args()) args += " " + arg.ShortDebugString();
      argued.insert(args);
      if (last == step.name()) repeated.insert(last);
      last = step.name();
      walk.Take(step);
    }
    for (const PassRule& rule : Map().passes())
      absent[rule.name] += names.contains(rule.name) ? 0 : 1;
  }
  for (const PassRule& rule : Map().passes()) {
    if (rule.wild) {
      EXPECT_EQ(absent[rule.name], count) << rule.name;
      continue;
    }
    EXPECT_EQ(absent[rule.name] > 0, !rule.required) << rule.name;
    if (rule.idempotent && rule.name != "tirx.transform.VerifySSA") {
      EXPECT_TRUE(repeated.contains(rule.name)) << rule.name;
    }
    for (const std::vector<Expr>& list : rule.args) {
      std::string args = rule.name;
      for (const Expr& arg : list) args += " " + arg.ShortDebugString();
      EXPECT_TRUE(argued.contains(args)) << args;
    }
    for (int stage = rule.from; stage <= rule.until; ++stage) {
      const std::string place =
          rule.name + " at " + Map().stages()[static_cast<size_t>(stage)].name;
      // The stage before a pass that leads on may be left by another on the way.
      if (!rule.after.empty() || !rule.not_after.empty()) continue;
      EXPECT_TRUE(placed.contains(place)) << place;
    }
  }
}

TEST(SequenceTest, OptionsTakeAllTheirValues) {
  std::set<std::string> strict;
  std::set<std::string> wild;
  for (uint64_t seed = 0; seed < 4'000; ++seed) {
    const PassSequence options = Draw(SequenceKind::kOptions, seed);
    const PassSequence any = Draw(SequenceKind::kWild, seed);
    for (const Attribute& option : options.config()) {
      strict.insert(option.ShortDebugString());
    }
    for (const Attribute& option : any.config()) {
      wild.insert(option.ShortDebugString());
    }
  }
  for (const OptionRule& rule : Map().options()) {
    for (const Expr& value : rule.values) {
      Attribute option;
      option.set_key(rule.name);
      *option.mutable_value() = value;
      EXPECT_EQ(strict.contains(option.ShortDebugString()), !rule.wild) << rule.name;
      EXPECT_TRUE(wild.contains(option.ShortDebugString())) << rule.name;
    }
  }
}

TEST(SequenceTest, WildOnesHaveEveryPassAndBreakTheRules) {
  std::set<std::string> names;
  int broken = 0;
  for (uint64_t seed = 0; seed < 1'000; ++seed) {
    const PassSequence passes = Draw(SequenceKind::kWild, seed);
    EXPECT_GT(passes.steps_size(), 0);
    broken += Map().Check(passes).ok() ? 0 : 1;
    for (const PassStep& step : passes.steps()) names.insert(step.name());
  }
  EXPECT_EQ(names.size(), Map().passes().size());
  EXPECT_GT(broken, 900);
}

TEST(SequenceTest, ChangesKeepStrictSequencesStrict) {
  ChoiceSource choices(5);
  PassSequence passes = Map().Pipeline({});
  int changed = 0;
  for (int i = 0; i < 2'000; ++i) {
    changed += MutateStrict(choices, Map(), &passes) ? 1 : 0;
    ASSERT_TRUE(Map().Check(passes).ok()) << Map().Check(passes);
  }
  EXPECT_GT(changed, 1'800);
}

TEST(SequenceTest, NoChoicesAreThePipeline) {
  ChoiceSource empty(std::span<const uint8_t>{});
  EXPECT_EQ(KindOf(GenerateSequence(empty, Map(), kDefaultMix)), SequenceKind::kDefault);
}

TEST(SequenceTest, CasesGetTheirShareAndKeepTheirPrograms) {
  GenerateOptions options;
  options.pass_map = &Map();
  std::array<int, kSequenceKinds> counts = {};
  const int count = 2'000;
  for (uint64_t i = 0; i < count; ++i) {
    const Case with = GenerateCase(CaseSeed(3, i), options);
    ++counts[static_cast<size_t>(KindOf(with.passes()))];
    if (i % 10 != 0) continue;
    const Case without = GenerateCase(CaseSeed(3, i));
    EXPECT_FALSE(without.has_passes());
    EXPECT_EQ(with.module().SerializeAsString(), without.module().SerializeAsString());
    EXPECT_EQ(ParseCase(PrintCase(with)).value().SerializeAsString(), with.SerializeAsString());
  }
  int total = 0;
  for (const int weight : kDefaultMix) total += weight;
  for (size_t kind = 0; kind < kSequenceKinds; ++kind) {
    const double share = static_cast<double>(kDefaultMix[kind]) / total;
    EXPECT_NEAR(static_cast<double>(counts[kind]) / count, share, 0.03)
        << Name(static_cast<SequenceKind>(kind));
  }
}

}  // namespace
}  // namespace irate
