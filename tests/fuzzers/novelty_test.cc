#include "fuzzers/novelty.h"

#include <algorithm>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

Observation Changed(const Case& test_case, const std::string& pass, const Module& after) {
  Observation observation;
  observation.mutable_reference()->set_status(Interpretation::DEFINED);
  VariantObservation* variant = observation.add_variants();
  variant->mutable_spec()->set_target("selftest");
  StepObservation* lowered = variant->add_steps();
  lowered->set_index(-1);
  lowered->set_outcome(StepObservation::CHANGED);
  *lowered->mutable_lifted() = test_case.module();
  StepObservation* step = variant->add_steps();
  step->set_pass(pass);
  step->set_outcome(StepObservation::CHANGED);
  *step->mutable_lifted() = after;
  return observation;
}

Module WithBind(Module module) {
  Function* function = module.mutable_functions(0);
  const uint32_t variable = build::AddVariable(function, "extra", I32);
  *function->add_body() = build::Bind(variable, build::I32Const(1));
  return module;
}

TEST(NoveltyTest, WhatAPassDoesToTheProgramIsSeen) {
  const Case test_case = GenerateCase(CaseSeed(1, 1));
  const auto same = NoveltyFeatures(test_case, Changed(test_case, "p", test_case.module()));
  const auto more =
      NoveltyFeatures(test_case, Changed(test_case, "p", WithBind(test_case.module())));
  const auto other =
      NoveltyFeatures(test_case, Changed(test_case, "q", WithBind(test_case.module())));
  EXPECT_TRUE(std::ranges::is_sorted(more));
  EXPECT_NE(same, more);
  EXPECT_NE(more, other);
  SeenFeatures seen;
  EXPECT_EQ(seen.Add(same), same.size());
  EXPECT_GT(seen.Add(more), 0u);
  EXPECT_EQ(seen.Add(more), 0u);
}

// Nothing that differs from run to run or machine to machine.
TEST(NoveltyTest, TimesAndMessagesAreNotAmongThem) {
  const Case test_case = GenerateCase(CaseSeed(1, 2));
  Observation observation = Changed(test_case, "p", test_case.module());
  const auto before = NoveltyFeatures(test_case, observation);
  VariantObservation* variant = observation.mutable_variants(0);
  variant->set_build_ms(17);
  variant->mutable_steps(1)->set_compiler_ms(3);
  variant->mutable_steps(1)->set_memory_growth(123456);
  variant->mutable_failure()->set_message("at 0x7f001122");
  variant->add_faults()->set_triggered(true);
  EXPECT_EQ(NoveltyFeatures(test_case, observation), before);
}

TEST(NoveltyTest, OutcomesFailuresAndTheTargetsOwnFeaturesCount) {
  const Case test_case = GenerateCase(CaseSeed(1, 3));
  const Observation plain = Changed(test_case, "p", test_case.module());
  const auto before = NoveltyFeatures(test_case, plain);
  Observation skipped = plain;
  skipped.mutable_variants(0)->mutable_steps(1)->set_outcome(StepObservation::SKIPPED);
  EXPECT_NE(NoveltyFeatures(test_case, skipped), before);
  Observation failed = plain;
  failed.mutable_variants(0)->mutable_failure()->set_kind(Failure::SIGNAL);
  EXPECT_NE(NoveltyFeatures(test_case, failed), before);
  Observation reported = plain;
  reported.mutable_variants(0)->mutable_steps(1)->add_features(7);
  EXPECT_EQ(NoveltyFeatures(test_case, reported).size(), before.size() + 1);
}

}  // namespace
}  // namespace irate
