#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::Undefined;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(HarnessFaultsTest, ALoweredModuleMustMeanWhatTheCaseMeans) {
  ObservationBuilder builder({1});
  EXPECT_THAT(HarnessFaults(builder.get()), IsEmpty());
  *builder.get().mutable_variants(0)->mutable_steps(0)->mutable_interpretation() = Defined({2});
  EXPECT_THAT(HarnessFaults(builder.get()), ElementsAre(HasSubstr("does not mean")));
  *builder.get().mutable_variants(0)->mutable_steps(0)->mutable_interpretation() =
      Undefined("division by zero");
  EXPECT_THAT(HarnessFaults(builder.get()), ElementsAre(HasSubstr("division by zero")));
}

TEST(HarnessFaultsTest, LiftingFailuresAndHarnessFailuresAreOurs) {
  ObservationBuilder builder({1});
  builder.get().mutable_variants(0)->mutable_steps(0)->set_lift_failure("tirx.New");
  builder.Failed(Failure::HARNESS, STAGE_NONE, "", "no memory for buffers");
  EXPECT_THAT(HarnessFaults(builder.get()),
              ElementsAre(HasSubstr("no memory for buffers"), HasSubstr("tirx.New")));
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), IsEmpty());
}

TEST(HarnessFaultsTest, ACompilerFailureIsNone) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::SIGNAL, STAGE_PASS, "A");
  EXPECT_THAT(HarnessFaults(builder.get()), IsEmpty());
}

}  // namespace
}  // namespace irate
