#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::Undefined;
using ::irate::testing::WildCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> Judge(ObservationBuilder& builder) {
  return MakeCodegenMismatchOracle()->Judge(StrictCase(), builder.get(), 0);
}

TEST(CodegenMismatchTest, BlamesCodeGenerationWhereEveryPassAgrees) {
  ObservationBuilder builder({1, 2});
  builder.Changed("A", Defined({1, 2})).Ran({1, 5});
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "codegen");
  EXPECT_EQ(findings[0].shape(), "value");
  EXPECT_THAT(findings[0].summary(), HasSubstr("5 for 2"));
}

TEST(CodegenMismatchTest, IncludesPassesThatCouldNotBeInterpreted) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).NotLifted("B").NotLifted("C").Ran({2});
  const std::vector<Finding> findings = Judge(builder);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "B..codegen");
}

TEST(CodegenMismatchTest, IgnoresTheRightResultAndOneThatAPassMadeWrong) {
  ObservationBuilder right({1});
  right.Changed("A", Defined({1})).Ran({1});
  EXPECT_THAT(Judge(right), IsEmpty());
  ObservationBuilder wrong_pass({1});
  wrong_pass.Changed("A", Defined({2})).Ran({2});
  EXPECT_THAT(Judge(wrong_pass), IsEmpty());
}

TEST(CodegenMismatchTest, IgnoresWhatAPassMadeUndefinedWildModeAndProgramsThatDidNotRun) {
  ObservationBuilder undefined({1});
  undefined.Changed("A", Undefined("division by zero")).Ran({5});
  EXPECT_THAT(Judge(undefined), IsEmpty());
  ObservationBuilder not_run({1});
  not_run.Changed("A", Defined({1}));
  EXPECT_THAT(Judge(not_run), IsEmpty());
  ObservationBuilder wild({1});
  wild.Ran({2});
  EXPECT_THAT(MakeCodegenMismatchOracle()->Judge(WildCase(), wild.get(), 0), IsEmpty());
}

}  // namespace
}  // namespace irate
