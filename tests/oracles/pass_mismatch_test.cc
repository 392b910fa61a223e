#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::OutOfFuel;
using ::irate::testing::StrictCase;
using ::irate::testing::Undefined;
using ::irate::testing::Unsupported;
using ::irate::testing::WildCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> Judge(ObservationBuilder& builder) {
  return MakePassMismatchOracle()->Judge(StrictCase(), builder.get(), 0);
}

TEST(PassMismatchTest, BlamesThePassThatChangesAValue) {
  ObservationBuilder builder({1, 2});
  builder.Changed("A", Defined({1, 2})).Unchanged("B").Changed("C", Defined({1, 3}));
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].oracle(), "pass-mismatch");
  EXPECT_EQ(findings[0].culprit(), "C");
  EXPECT_EQ(findings[0].step(), 2);
  EXPECT_EQ(findings[0].shape(), "value");
  EXPECT_THAT(findings[0].summary(), HasSubstr("from 2 to 3"));
}

TEST(PassMismatchTest, IgnoresPassesThatKeepEveryJudgedValue) {
  ObservationBuilder builder({1, 2});
  Interpretation fragile = Defined({1, 9});
  fragile.mutable_outputs(0)->set_judged(std::string("\1\0", 2));
  builder.Changed("A", Defined({1, 2})).Changed("B", fragile);
  EXPECT_THAT(Judge(builder), IsEmpty());
}

TEST(PassMismatchTest, IgnoresWildMode) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({2}));
  EXPECT_THAT(MakePassMismatchOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
}

TEST(PassMismatchTest, NamesTheRangeWhereStepsBetweenHaveNoInterpretation) {
  ObservationBuilder builder({1});
  builder.NotLifted("A").Unchanged("B").Changed("C", Unsupported()).Changed("D", Defined({2}));
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "A..D");
}

TEST(PassMismatchTest, JudgesLaterPassesAgainstTheirOwnInput) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({2})).Changed("B", Defined({2})).Changed("C", Defined({3}));
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].culprit(), "A");
  EXPECT_EQ(findings[1].culprit(), "C");
}

TEST(PassMismatchTest, BlamesThePassThatMakesTheProgramUndefinedAndNoneAfterIt) {
  ObservationBuilder builder({1});
  builder.Changed("A", Undefined("out of bounds: index 17 of C with extent 16"))
      .Changed("B", Undefined("division by zero"))
      .Changed("C", Defined({7}))
      .Changed("D", Defined({8}));
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].culprit(), "A");
  EXPECT_EQ(findings[0].shape(), "undefined: out of bounds");
  EXPECT_THAT(findings[0].detail(), HasSubstr("index 17 of C"));
  EXPECT_EQ(findings[1].culprit(), "D");
}

TEST(PassMismatchTest, FuelCountsOnlyWhereTheResultRunsTenTimesLonger) {
  ObservationBuilder diverges({1});
  diverges.Changed("A", OutOfFuel(1'000));
  std::vector<Finding> findings = Judge(diverges);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "diverges");

  ObservationBuilder slow({1});
  slow.Changed("A", OutOfFuel(999));
  EXPECT_THAT(Judge(slow), IsEmpty());
}

TEST(PassMismatchTest, AnotherNumberOfOutputsIsItsOwnShape) {
  ObservationBuilder builder({1});
  Interpretation two = Defined({1});
  *two.add_outputs()->mutable_tensor() = irate::testing::MakeTensor({1});
  builder.Changed("A", two);
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "outputs");
}

TEST(PassMismatchTest, StartsFromTheReferenceWhereTheLoweredModuleHasNoInterpretation) {
  ObservationBuilder builder({1});
  builder.get().mutable_variants(0)->mutable_steps(0)->clear_interpretation();
  builder.Changed("A", Defined({2}));
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "lower..A");
}

}  // namespace
}  // namespace irate
