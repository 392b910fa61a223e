// What a second look at a Case shows: nondeterminism, a mutated input, a blow-up, an ill-formed
// result, variants that disagree. Each oracle with what it catches and what it must ignore.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::MakeTensor;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::WildCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

StepObservation* Step(Observation& observation, int index) {
  return observation.mutable_variants(0)->mutable_steps(index + 1);
}

TEST(NondeterminismTest, BlamesThePassThatGivesTwoModules) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).Changed("B", Defined({1}));
  Step(builder.get(), 1)->set_nondeterministic(true);
  const auto findings = MakeNondeterminismOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "B");
  EXPECT_EQ(findings[0].step(), 1);
}

TEST(NondeterminismTest, ComparesTheTwoRunsBitForBit) {
  ObservationBuilder builder({1, 2});
  builder.Ran({1, 2});
  *builder.get().mutable_variants(0)->add_outputs_again() = MakeTensor({1, 3});
  const auto findings = MakeNondeterminismOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "output");
  EXPECT_EQ(findings[0].culprit(), "codegen");
}

TEST(NondeterminismTest, IgnoresEqualRunsAndOneRun) {
  ObservationBuilder builder({1, 2});
  builder.Ran({1, 2});
  EXPECT_THAT(MakeNondeterminismOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
  *builder.get().mutable_variants(0)->add_outputs_again() = MakeTensor({1, 2});
  EXPECT_THAT(MakeNondeterminismOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
}

TEST(InputMutatedTest, BlamesThePass) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1}));
  EXPECT_THAT(MakeInputMutatedOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
  Step(builder.get(), 0)->set_input_mutated(true);
  const auto findings = MakeInputMutatedOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "A");
}

TEST(MemoryGrowthTest, BlamesABlowUpAndIgnoresWhatPassesNeed) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).Changed("B", Defined({1}));
  Step(builder.get(), 0)->set_memory_growth(100ll << 20);
  EXPECT_THAT(MakeMemoryGrowthOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
  Step(builder.get(), 1)->set_memory_growth(600ll << 20);
  const auto findings = MakeMemoryGrowthOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "B");
  EXPECT_THAT(findings[0].detail(), HasSubstr("600 MiB"));
  EXPECT_THAT(MakeMemoryGrowthOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
}

TEST(IllFormedTest, BlamesTheFirstPassWhoseResultIsRefused) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).Changed("B", Defined({1})).Changed("C", Defined({1}));
  EXPECT_THAT(MakeIllFormedOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
  Step(builder.get(), 1)->set_ill_formed("variable i is used outside its definition");
  Step(builder.get(), 2)->set_ill_formed("variable i is used outside its definition");
  const auto findings = MakeIllFormedOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "B");
  EXPECT_THAT(MakeIllFormedOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
}

// Two variants of floats with a bound of 1 on each element.
Observation TwoVariants(float first, float second) {
  const auto tensor = [](float value) {
    Tensor result;
    result.set_type(F32);
    result.add_shape(1);
    result.set_data(std::string(reinterpret_cast<const char*>(&value), sizeof(value)));
    return result;
  };
  Observation observation;
  Interpretation* reference = observation.mutable_reference();
  reference->set_status(Interpretation::DEFINED);
  InterpretedTensor* output = reference->add_outputs();
  *output->mutable_tensor() = tensor(10);
  const double bound = 1;
  output->set_bounds(std::string(reinterpret_cast<const char*>(&bound), sizeof(bound)));
  for (const float value : {first, second}) {
    VariantObservation* variant = observation.add_variants();
    variant->mutable_spec()->set_target("tvm");
    *variant->add_outputs() = tensor(value);
  }
  return observation;
}

TEST(VariantsTest, IgnoresDifferencesWithinTheBounds) {
  const Observation observation = TwoVariants(9.5F, 10.5F);
  EXPECT_THAT(MakeVariantsOracle()->Judge(StrictCase(), observation, 0), IsEmpty());
  EXPECT_THAT(MakeVariantsOracle()->Judge(StrictCase(), observation, 1), IsEmpty());
}

TEST(VariantsTest, LeavesAWrongVariantToTheCodegenOracle) {
  const Observation observation = TwoVariants(10, 20);
  EXPECT_THAT(MakeVariantsOracle()->Judge(StrictCase(), observation, 1), IsEmpty());
  EXPECT_THAT(MakeCodegenMismatchOracle()->Judge(StrictCase(), observation, 1), SizeIs(1));
}

TEST(VariantsTest, BlamesTheVariantThatIsRefusedWhereAnotherIsAccepted) {
  Observation observation = TwoVariants(10, 10);
  VariantObservation* refused = observation.mutable_variants(1);
  refused->clear_outputs();
  refused->mutable_failure()->set_kind(Failure::DIAGNOSTIC);
  refused->mutable_failure()->set_stage(STAGE_BUILD);
  refused->mutable_failure()->set_message("cannot select");
  const auto findings = MakeVariantsOracle()->Judge(StrictCase(), observation, 1);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "refused: cannot select");
  EXPECT_THAT(MakeVariantsOracle()->Judge(StrictCase(), observation, 0), IsEmpty());
  // Both refused: a limit of the compiler, not a disagreement.
  *observation.mutable_variants(0)->mutable_failure() = refused->failure();
  EXPECT_THAT(MakeVariantsOracle()->Judge(StrictCase(), observation, 1), IsEmpty());
}

}  // namespace
}  // namespace irate
