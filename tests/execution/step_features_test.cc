#include "execution/step_features.h"

#include <algorithm>

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

TEST(StepFeaturesTest, StepsAreComparedWithTheLastOneThatWasLifted) {
  VariantObservation variant;
  const auto add = [&variant](const Module* lifted) {
    StepObservation* step = variant.add_steps();
    step->set_pass("P");
    if (lifted != nullptr) *step->mutable_lifted() = *lifted;
  };
  const Module serial = Program(SERIAL, 1);
  const Module parallel = Program(PARALLEL, 1);
  add(&serial);
  add(nullptr);
  add(&parallel);
  AddStepFeatures(&variant);
  EXPECT_THAT(variant.steps(0).features(), IsEmpty());
  EXPECT_THAT(variant.steps(1).features(), IsEmpty());
  EXPECT_THAT(variant.steps(2).features(),
              ::testing::ElementsAreArray(StepFeatures("P", serial, parallel)));
}

}  // namespace
}  // namespace irate
