#include "fuzzers/feedback.h"

#include <algorithm>

#include "execution/step_features.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using namespace build;  // NOLINT: what it is for

// A loop that stores a sum of `terms` ones.
Module Program(LoopKind kind, int terms, int64_t extent = 8) {
  Module module;
  Function* function = module.add_functions();
  function->set_name("main");
  const uint32_t i = AddVariable(function, "i", I32);
  const uint32_t a = AddBuffer(function, "A", I32, {I32Const(extent)});
  AddBufferParam(function, a);
  Expr value = I32Const(1);
  for (int k = 1; k < terms; ++k) value = Binary(ADD, value, I32Const(1));
  *function->add_body() =
      For(i, I32Const(0), I32Const(extent), kind, {Store(a, value, {Var(*function, i)})});
  return module;
}

Observation Observed(const Module& before, const Module& after, const std::string& pass = "P") {
  Observation observation;
  VariantObservation* variant = observation.add_variants();
  variant->mutable_spec()->set_target("tvm");
  StepObservation* lowered = variant->add_steps();
  lowered->set_index(-1);
  lowered->set_outcome(StepObservation::CHANGED);
  *lowered->mutable_lifted() = before;
  StepObservation* step = variant->add_steps();
  step->set_pass(pass);
  step->set_outcome(StepObservation::CHANGED);
  *step->mutable_lifted() = after;
  AddStepFeatures(variant);
  return observation;
}

TEST(StepFeaturesTest, NothingForEqualModules) {
  EXPECT_THAT(StepFeatures("P", Program(SERIAL, 2), Program(SERIAL, 2)), IsEmpty());
}

TEST(StepFeaturesTest, SizesOfTheProgramDoNotMatter) {
  EXPECT_EQ(StepFeatures("P", Program(SERIAL, 1, 8), Program(PARALLEL, 1, 8)),
            StepFeatures("P", Program(SERIAL, 1, 32), Program(PARALLEL, 1, 32)));
  // One addition more where there are many: more of the same.
  EXPECT_EQ(StepFeatures("P", Program(SERIAL, 12), Program(SERIAL, 13)),
            StepFeatures("P", Program(SERIAL, 13), Program(SERIAL, 14)));
}

TEST(StepFeaturesTest, KindDirectionAndPassMatter) {
  const auto features = [](const Module& before, const Module& after, const char* pass = "P") {
    return StepFeatures(pass, before, after);
  };
  const auto parallel = features(Program(SERIAL, 1), Program(PARALLEL, 1));
  EXPECT_THAT(parallel, Not(IsEmpty()));
  EXPECT_TRUE(std::ranges::is_sorted(parallel));
  EXPECT_NE(parallel, features(Program(SERIAL, 1), Program(UNROLLED, 1)));
  EXPECT_NE(parallel, features(Program(PARALLEL, 1), Program(SERIAL, 1)));
  EXPECT_NE(parallel, features(Program(SERIAL, 1), Program(PARALLEL, 1), "Q"));
  EXPECT_NE(features(Program(SERIAL, 1), Program(SERIAL, 2)),
            features(Program(SERIAL, 2), Program(SERIAL, 3)));
}

TEST(FeedbackTest, CountersAreInRangeSortedAndStable) {
  const Observation observation = Observed(Program(SERIAL, 1), Program(PARALLEL, 3));
  const std::vector<uint32_t> counters = FeedbackCounters(observation);
  EXPECT_GT(counters.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(counters));
  EXPECT_LT(counters.back(), kFeedbackCounters);
  EXPECT_EQ(counters, FeedbackCounters(observation));
}

TEST(FeedbackTest, TimesDoNotCount) {
  Observation slow = Observed(Program(SERIAL, 1), Program(PARALLEL, 1));
  const std::vector<uint32_t> counters = FeedbackCounters(slow);
  slow.mutable_variants(0)->mutable_steps(1)->set_compiler_ms(17);
  EXPECT_EQ(FeedbackCounters(slow), counters);
}

TEST(FeedbackTest, WhatPassesDidAndHowItEndedCounts) {
  const Observation base = Observed(Program(SERIAL, 1), Program(PARALLEL, 1));
  const std::vector<uint32_t> counters = FeedbackCounters(base);
  EXPECT_NE(counters, FeedbackCounters(Observed(Program(SERIAL, 1), Program(UNROLLED, 1))));
  EXPECT_NE(counters, FeedbackCounters(Observed(Program(SERIAL, 1), Program(PARALLEL, 1), "Q")));
  Observation skipped = base;
  skipped.mutable_variants(0)->mutable_steps(1)->set_outcome(StepObservation::SKIPPED);
  EXPECT_NE(counters, FeedbackCounters(skipped));
  Observation failed = base;
  Failure* failure = failed.mutable_variants(0)->mutable_failure();
  failure->set_kind(Failure::INTERNAL_ERROR);
  failure->set_message("Check failed: 3 vs. 4");
  const std::vector<uint32_t> with_failure = FeedbackCounters(failed);
  EXPECT_GT(with_failure.size(), counters.size());
  // Values of one program are no new kind of failure.
  failure->set_message("Check failed: 5 vs. 6");
  EXPECT_EQ(FeedbackCounters(failed), with_failure);
}

}  // namespace
}  // namespace irate
