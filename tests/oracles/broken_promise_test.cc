#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/pass_map.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::WildCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Module Loop(LoopKind kind, const std::string& name = "i") {
  Module module;
  Function* function = module.add_functions();
  function->set_name("main");
  const uint32_t i = build::AddVariable(function, name, I32);
  const uint32_t a = build::AddBuffer(function, "A", I32, {build::I32Const(8)});
  build::AddBufferParam(function, a);
  *function->add_body() =
      build::For(i, build::I32Const(0), build::I32Const(8), kind,
                 {build::Store(a, build::I32Const(1), {build::Var(*function, i)})});
  return module;
}

class BrokenPromiseTest : public ::testing::Test {
 protected:
  BrokenPromiseTest() : builder_({1}) { *Steps().Mutable(0)->mutable_lifted() = Loop(VECTORIZED); }

  google::protobuf::RepeatedPtrField<StepObservation>& Steps() {
    return *builder_.get().mutable_variants(0)->mutable_steps();
  }
  void Changed(const std::string& pass, const Module& module, const std::string& promise) {
    builder_.Changed(pass, Defined({1}));
    *Steps().rbegin()->mutable_lifted() = module;
    if (!promise.empty()) Steps().rbegin()->add_promises(promise);
  }
  void Unchanged(const std::string& pass, const std::string& promise) {
    builder_.Unchanged(pass);
    Steps().rbegin()->add_promises(promise);
  }
  std::vector<Finding> Judge(const Case& test_case = StrictCase()) {
    return MakeBrokenPromiseOracle()->Judge(test_case, builder_.get(), 0);
  }

  ObservationBuilder builder_;
};

TEST_F(BrokenPromiseTest, AKeptPromiseIsNone) {
  Changed("Vectorize", Loop(SERIAL), "no-vectorized-loops");
  Unchanged("Other", "no-vectorized-loops");
  EXPECT_THAT(Judge(), IsEmpty());
}

TEST_F(BrokenPromiseTest, WhatIsLeftIsFound) {
  Changed("Vectorize", Loop(VECTORIZED, "j"), "no-vectorized-loops");
  const std::vector<Finding> findings = Judge();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "Vectorize");
  EXPECT_EQ(findings[0].shape(), "no-vectorized-loops");
  EXPECT_THAT(findings[0].detail(), HasSubstr("loop j in function main"));
}

TEST_F(BrokenPromiseTest, APassThatDoesNothingMayBreakItsPromiseToo) {
  Unchanged("Vectorize", "no-vectorized-loops");
  EXPECT_THAT(Judge(), SizeIs(1));
}

TEST_F(BrokenPromiseTest, TheFirstToBreakItIsToBlame) {
  Changed("Vectorize", Loop(SERIAL), "no-vectorized-loops");
  Changed("Brings it back", Loop(VECTORIZED), "no-vectorized-loops");
  Unchanged("Innocent", "no-vectorized-loops");
  const std::vector<Finding> findings = Judge();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "Brings it back");
  EXPECT_EQ(findings[0].step(), 1);
}

TEST_F(BrokenPromiseTest, ASecondRunThatChangesSomethingIsFound) {
  Changed("Simplify", Loop(PARALLEL), kIdempotent);
  Changed("Simplify", Loop(SERIAL), kIdempotent);
  const std::vector<Finding> findings = Judge();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), kIdempotent);
}

TEST_F(BrokenPromiseTest, NewNamesAreNoChange) {
  Changed("Simplify", Loop(PARALLEL), kIdempotent);
  Changed("Simplify", Loop(PARALLEL, "other"), kIdempotent);
  EXPECT_THAT(Judge(), IsEmpty());
}

TEST_F(BrokenPromiseTest, OtherPassesBetweenMayBringNewWork) {
  Changed("Simplify", Loop(PARALLEL), kIdempotent);
  Unchanged("Other", "no-blocks");
  Changed("Simplify", Loop(SERIAL), kIdempotent);
  EXPECT_THAT(Judge(), IsEmpty());
}

TEST_F(BrokenPromiseTest, NothingIsPromisedInWildOrder) {
  Changed("Vectorize", Loop(VECTORIZED, "j"), "no-vectorized-loops");
  EXPECT_THAT(Judge(WildCase()), IsEmpty());
}

TEST_F(BrokenPromiseTest, WhatWasNotLiftedIsNotJudged) {
  builder_.NotLifted("Vectorize");
  Steps().rbegin()->add_promises("no-vectorized-loops");
  Unchanged("Vectorize", "no-vectorized-loops");
  EXPECT_THAT(Judge(), IsEmpty());
}

}  // namespace
}  // namespace irate
