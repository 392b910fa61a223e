// What the harness adds to a worker: the reference, the meaning of every lifted module, and the
// passes before a death.
#include "execution/harness.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class HarnessTest : public testing::Test {
 protected:
  void SetUp() override { Create({.worker = SelftestOptions()}); }
  void Create(const HarnessOptions& options) {
    auto harness = Harness::Create(options);
    ASSERT_TRUE(harness.ok()) << harness.status();
    harness_ = *std::move(harness);
  }
  Observation Execute(const Case& test_case) {
    auto seen = harness_->Execute(test_case);
    EXPECT_TRUE(seen.ok()) << seen.status();
    return seen.ok() ? *std::move(seen) : Observation();
  }
  static Case CaseWith(const std::string& options) {
    Case test_case = SmallCase();
    *test_case.add_targets() = SelftestSpec(options);
    return test_case;
  }
  static std::vector<int> Indices(const VariantObservation& variant) {
    std::vector<int> indices;
    for (const StepObservation& step : variant.steps()) indices.push_back(step.index());
    return indices;
  }

  std::unique_ptr<Harness> harness_;
};

TEST_F(HarnessTest, ARightCompilerAgreesWithTheReferenceAfterEveryPass) {
  const Observation seen = Execute(SmallCase());
  ASSERT_EQ(seen.reference().status(), Interpretation::DEFINED) << seen.reference().reason();
  ASSERT_EQ(seen.variants_size(), 1) << "the target's default spec";
  const VariantObservation& variant = seen.variants(0);
  EXPECT_EQ(variant.failure().kind(), Failure::NONE);
  EXPECT_THAT(Indices(variant), ElementsAre(-1, 0, 1, 2)) << "the default passes";
  int interpreted = 0;
  for (const StepObservation& step : variant.steps()) {
    EXPECT_EQ(step.has_lifted(), step.outcome() == StepObservation::CHANGED);
    if (!step.has_lifted()) continue;
    ++interpreted;
    ASSERT_EQ(step.interpretation().status(), Interpretation::DEFINED);
    EXPECT_FALSE(Compare(seen.reference(), step.interpretation()).has_value());
  }
  EXPECT_EQ(interpreted, 3);
  const std::vector<Tensor> outputs(variant.outputs().begin(), variant.outputs().end());
  EXPECT_FALSE(Compare(seen.reference(), outputs).has_value());
}

TEST_F(HarnessTest, UndefinedCasesReachNoCompiler) {
  const Observation seen = Execute(SmallCase(/*extent=*/17));
  EXPECT_EQ(seen.reference().status(), Interpretation::UNDEFINED);
  EXPECT_EQ(seen.variants_size(), 0);
  EXPECT_EQ(harness_->stats().dropped, 1u);
  EXPECT_EQ(harness_->worker().stats().requests, 0u);
}

TEST_F(HarnessTest, WildCasesAreCompiledWhateverTheyMean) {
  Case test_case = SmallCase(/*extent=*/17);
  test_case.mutable_passes()->set_mode(WILD);
  const Observation seen = Execute(test_case);
  EXPECT_EQ(seen.reference().status(), Interpretation::NOT_RUN);
  ASSERT_EQ(seen.variants_size(), 1);
  EXPECT_EQ(seen.variants(0).failure().kind(), Failure::NONE) << "it was not run";
  EXPECT_EQ(seen.variants(0).steps_size(), 4);
  for (const StepObservation& step : seen.variants(0).steps()) EXPECT_FALSE(step.has_lifted());
  EXPECT_EQ(seen.variants(0).outputs_size(), 0);
}

TEST_F(HarnessTest, WithoutNativeRuns) {
  Create({.worker = SelftestOptions(), .target = {.run_native = false}});
  const Observation seen = Execute(SmallCase());
  EXPECT_EQ(seen.variants(0).steps_size(), 4);
  EXPECT_EQ(seen.variants(0).outputs_size(), 0);
}

TEST_F(HarnessTest, AWrongPassIsWrongFromThereOn) {
  const Observation seen = Execute(CaseWith(R"({"fault": "wrong-pass", "step": 1})"));
  const VariantObservation& variant = seen.variants(0);
  ASSERT_EQ(variant.steps_size(), 4);
  EXPECT_FALSE(Compare(seen.reference(), variant.steps(0).interpretation()).has_value());
  const auto difference = Compare(seen.reference(), variant.steps(2).interpretation());
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->output, 1);
  EXPECT_EQ(difference->differing, 16);
  EXPECT_TRUE(Compare(seen.reference(), variant.steps(3).interpretation()).has_value());
}

TEST_F(HarnessTest, ThePassesBeforeADeathAreNotLost) {
  const Observation seen = Execute(CaseWith(R"({"fault": "segv", "step": 2})"));
  const VariantObservation& variant = seen.variants(0);
  EXPECT_EQ(variant.failure().kind(), Failure::SIGNAL);
  EXPECT_EQ(variant.failure().step(), 2);
  ASSERT_THAT(Indices(variant), ElementsAre(-1, 0, 1, 2));
  EXPECT_EQ(variant.steps(0).interpretation().status(), Interpretation::DEFINED);
  EXPECT_EQ(variant.steps(2).interpretation().status(), Interpretation::DEFINED);
  EXPECT_EQ(variant.steps(3).outcome(), StepObservation::FAILED);
  EXPECT_EQ(variant.steps(3).pass(), "selftest.CommuteOperands");
  EXPECT_EQ(harness_->stats().prefix_replays, 1u);
}

TEST_F(HarnessTest, ADeathInTheFirstPassHasNothingBeforeIt) {
  const Observation seen = Execute(CaseWith(R"({"fault": "segv", "step": 0})"));
  EXPECT_THAT(Indices(seen.variants(0)), ElementsAre(0));
  EXPECT_EQ(seen.variants(0).steps(0).outcome(), StepObservation::FAILED);
  EXPECT_EQ(harness_->stats().prefix_replays, 0u);
}

TEST_F(HarnessTest, ADeathInTheBuiltFunctionHasAllPassesBeforeIt) {
  const Observation seen = Execute(CaseWith(FaultOptions("segv", "run")));
  const VariantObservation& variant = seen.variants(0);
  EXPECT_EQ(variant.failure().stage(), STAGE_RUN);
  EXPECT_THAT(Indices(variant), ElementsAre(-1, 0, 1, 2));
  EXPECT_EQ(variant.steps(3).interpretation().status(), Interpretation::DEFINED);
}

TEST_F(HarnessTest, ADeathWhileLoweringHasNoSteps) {
  const Observation seen = Execute(CaseWith(FaultOptions("segv", "lower")));
  EXPECT_EQ(seen.variants(0).failure().stage(), STAGE_LOWER);
  EXPECT_EQ(seen.variants(0).steps_size(), 0);
}

TEST_F(HarnessTest, EqualModulesAreInterpretedOnce) {
  Case test_case = CaseWith("");
  *test_case.add_targets() = SelftestSpec("{}");
  const Observation seen = Execute(test_case);
  ASSERT_EQ(seen.variants_size(), 2);
  EXPECT_EQ(harness_->stats().interpretations, 3u);
  EXPECT_EQ(harness_->stats().reused, 3u);
  for (int step = 0; step < 4; ++step) {
    EXPECT_EQ(seen.variants(0).steps(step).interpretation().SerializeAsString(),
              seen.variants(1).steps(step).interpretation().SerializeAsString());
  }
}

TEST_F(HarnessTest, TheCasesOwnPassesAreUsed) {
  Case test_case = SmallCase();
  for (int i = 0; i < 2; ++i) {
    test_case.mutable_passes()->add_steps()->set_name("selftest.CommuteOperands");
  }
  const Observation seen = Execute(test_case);
  ASSERT_THAT(Indices(seen.variants(0)), ElementsAre(-1, 0, 1));
  // Twice is none: the last module is the first one.
  EXPECT_EQ(seen.variants(0).steps(2).lifted().SerializeAsString(),
            test_case.module().SerializeAsString());
  EXPECT_EQ(harness_->stats().interpretations, 2u);
}

TEST_F(HarnessTest, FreshMeansWithoutHistory) {
  const Case test_case = CaseWith(R"({"fault": "segv", "stage": "run", "after": 2})");
  EXPECT_EQ(Execute(test_case).variants(0).failure().kind(), Failure::NONE);
  for (int i = 0; i < 3; ++i) {
    const auto seen = harness_->ExecuteFresh(test_case);
    ASSERT_TRUE(seen.ok()) << seen.status();
    EXPECT_EQ(seen->variants(0).failure().kind(), Failure::NONE);
  }
  EXPECT_EQ(Execute(test_case).variants(0).failure().kind(), Failure::SIGNAL);
}

TEST_F(HarnessTest, TheSameTwice) {
  Case test_case = CaseWith(R"({"fault": "segv", "step": 2})");
  *test_case.add_targets() = SelftestSpec(FaultOptions("abort", "build"));
  const auto strip_times = [](Observation seen) {
    for (VariantObservation& variant : *seen.mutable_variants()) {
      variant.clear_lower_ms();
      variant.clear_run_ms();
      for (StepObservation& step : *variant.mutable_steps()) step.clear_compiler_ms();
    }
    return seen.SerializeAsString();
  };
  EXPECT_EQ(strip_times(Execute(test_case)), strip_times(Execute(test_case)));
}

TEST_F(HarnessTest, CasesThatMakeNoSense) {
  const auto empty = harness_->Execute(Case());
  EXPECT_TRUE(absl::IsInvalidArgument(empty.status())) << empty.status();
  Case unknown = SmallCase();
  unknown.add_targets()->set_target("bogus");
  const auto seen = harness_->Execute(unknown);
  ASSERT_FALSE(seen.ok());
  EXPECT_THAT(std::string(seen.status().message()), HasSubstr("no target 'bogus'"));
  EXPECT_EQ(Execute(SmallCase()).variants(0).failure().kind(), Failure::NONE);
}

}  // namespace
}  // namespace irate
