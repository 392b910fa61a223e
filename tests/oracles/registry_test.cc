#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(RegistryTest, NamesAreDistinctAndDescribed) {
  std::set<std::string_view> names;
  for (const auto& oracle : Oracles()) {
    EXPECT_TRUE(names.insert(oracle->Name()).second) << oracle->Name();
    EXPECT_FALSE(oracle->Description().empty());
  }
  EXPECT_TRUE(names.contains("pass-mismatch"));
}

TEST(JudgeAllTest, NothingForAGoodRun) {
  ObservationBuilder builder({1, 2});
  builder.Changed("A", Defined({1, 2})).Ran({1, 2});
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), IsEmpty());
  EXPECT_THAT(JudgeAdvisory(StrictCase(), builder.get()), IsEmpty());
}

TEST(JudgeAllTest, OneWrongPassIsOneFindingEvenIfItsProgramRuns) {
  ObservationBuilder builder({1});
  builder.Changed("tirx.transform.UnrollLoop", Defined({2})).Ran({2});
  const std::vector<Finding> findings = JudgeAll(StrictCase(), builder.get());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].signature(), "pass-mismatch-tvm-tirx.UnrollLoop-value");
}

TEST(JudgeAllTest, VariantsAreJudgedOnTheirOwn) {
  ObservationBuilder builder({1});
  builder.Ran({1});
  VariantObservation second = builder.get().variants(0);
  second.mutable_spec()->set_target("c");
  *second.mutable_outputs(0) = irate::testing::MakeTensor({9});
  *builder.get().add_variants() = second;
  const std::vector<Finding> findings = JudgeAll(StrictCase(), builder.get());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].target(), "c");
  EXPECT_EQ(findings[0].variant(), 1u);
}

TEST(JudgeAllTest, RefusalsAreAdvisory) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::DIAGNOSTIC, STAGE_PASS, "A", "not supported");
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), IsEmpty());
  EXPECT_THAT(JudgeAdvisory(StrictCase(), builder.get()), SizeIs(1));
}

}  // namespace
}  // namespace irate
