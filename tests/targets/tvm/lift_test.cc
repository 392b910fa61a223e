#include "targets/tvm/lift.h"

#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "programs.h"
#include "targets/tvm/lower.h"
#include "targets/tvm/tvm_library.h"
#include "targets/tvm/tvm_target.h"

namespace irate::tvm_target {
namespace {

using ::testing::ElementsAre;

class LiftTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    target_ = MakeTvmTarget().release();
    ASSERT_TRUE(target_->Load().ok()) << target_->Load();
    spec_ = new TargetSpec(target_->DefaultSpecs()[0]);
    passes_ = new PassSequence(target_->DefaultPasses(*spec_).value());
  }

  static VariantObservation RunPasses(const Case& test_case) {
    TargetOptions options;
    options.run_native = false;
    return target_->Run(test_case, *spec_, *passes_, options, nullptr);
  }

  static std::string ScriptOf(const Module& module) {
    const absl::StatusOr<Any> native = LowerModule(module);
    if (!native.ok()) return std::string(native.status().message());
    return ToString(Native<"node.TVMScriptPrinterScript">(*native, nullptr));
  }

  static Target* target_;
  static TargetSpec* spec_;
  static PassSequence* passes_;
};

Target* LiftTest::target_ = nullptr;
TargetSpec* LiftTest::spec_ = nullptr;
PassSequence* LiftTest::passes_ = nullptr;

TEST_F(LiftTest, EveryStageOfEveryProgramLiftsAndIsValid) {
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    const VariantObservation observation = RunPasses(test_case);
    EXPECT_FALSE(observation.has_failure()) << name << observation.failure().ShortDebugString();
    ASSERT_EQ(observation.steps_size(), passes_->steps_size() + 1) << name;
    int changed = 0;
    for (const StepObservation& step : observation.steps()) {
      EXPECT_EQ(step.lift_failure(), "") << name << " after " << step.pass();
      EXPECT_EQ(step.has_lifted(), step.outcome() == StepObservation::CHANGED) << step.pass();
      if (!step.has_lifted()) continue;
      ++changed;
      const absl::Status valid = Verify(step.lifted(), {.lifted = true});
      EXPECT_TRUE(valid.ok()) << name << " after " << step.pass() << ": " << valid << "\n"
                              << PrintModule(step.lifted());
    }
    EXPECT_GE(changed, 6) << name;
  }
}

// The first line in which two texts differ, from both.
std::string FirstDifference(const std::string& a, const std::string& b) {
  std::istringstream left(a);
  std::istringstream right(b);
  std::string x;
  std::string y;
  while (true) {
    const bool more_left = static_cast<bool>(std::getline(left, x));
    const bool more_right = static_cast<bool>(std::getline(right, y));
    if (!more_left && !more_right) return "";
    if (!more_left) x = "(end)";
    if (!more_right) y = "(end)";
    if (x != y) return "  " + x + "\n  " + y;
  }
}

// Without what the Case IR leaves out: the identity of strings (some are printed as the number of
// an object) and what the pointer that a cast makes is known to point to.
std::string Comparable(const std::string& script) {
  static const std::regex kNumber(R"((metadata\["ir.StringImm"\])\[\d+\])");
  static const std::regex kCast(R"((T\.reinterpret\(T\.handle\()[^)]*\))");
  return std::regex_replace(std::regex_replace(script, kNumber, "$1"), kCast, "$1)");
}

// Nothing that TVM prints is lost: what a stage lifts to lowers to that stage again.
TEST_F(LiftTest, LoweringALiftedStageGivesTheStageBack) {
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    const VariantObservation observation = RunPasses(test_case);
    for (const StepObservation& step : observation.steps()) {
      if (!step.has_lifted()) continue;
      const absl::StatusOr<std::string> expected =
          target_->PrintNative(test_case, *spec_, *passes_, step.index() + 1);
      ASSERT_TRUE(expected.ok()) << expected.status();
      EXPECT_EQ(FirstDifference(Comparable(*expected), Comparable(ScriptOf(step.lifted()))), "")
          << name << " after " << step.pass();
    }
  }
}

TEST_F(LiftTest, DeviceCodeLiftsUpToTheSplit) {
  const Case test_case = tvm_test::DeviceKernel();
  TargetSpec spec;
  spec.set_target("tvm");
  spec.set_options(R"({"kind":"cuda","arch":"sm_80"})");
  PassSequence passes = *passes_;
  while (passes.steps(passes.steps_size() - 1).name() != "tirx.transform.FP8StorageLegalize") {
    passes.mutable_steps()->RemoveLast();
  }
  const VariantObservation observation =
      target_->Run(test_case, spec, passes, TargetOptions{}, nullptr);
  EXPECT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  std::set<int> functions;
  for (const StepObservation& step : observation.steps()) {
    EXPECT_EQ(step.lift_failure(), "") << step.pass();
    if (!step.has_lifted()) continue;
    functions.insert(step.lifted().functions_size());
    const absl::Status valid = Verify(step.lifted(), {.lifted = true});
    EXPECT_TRUE(valid.ok()) << step.pass() << ": " << valid << "\n" << PrintModule(step.lifted());
    const absl::StatusOr<std::string> expected =
        target_->PrintNative(test_case, spec, passes, step.index() + 1);
    ASSERT_TRUE(expected.ok()) << expected.status();
    EXPECT_EQ(FirstDifference(Comparable(*expected), Comparable(ScriptOf(step.lifted()))), "")
        << step.pass();
  }
  EXPECT_THAT(functions, ElementsAre(1, 2));
}

TEST_F(LiftTest, IsDeterministic) {
  const Case test_case = tvm_test::BlockReduction(16, 8);
  const VariantObservation first = RunPasses(test_case);
  const VariantObservation second = RunPasses(test_case);
  ASSERT_EQ(first.steps_size(), second.steps_size());
  for (int i = 0; i < first.steps_size(); ++i) {
    EXPECT_EQ(first.steps(i).lifted().SerializeAsString(),
              second.steps(i).lifted().SerializeAsString())
        << first.steps(i).pass();
  }
}

TEST_F(LiftTest, EqualModulesAreUnchanged) {
  const Case test_case = tvm_test::Functions();
  const Any module = LowerModule(test_case.module()).value();
  const Any again = LowerModule(test_case.module()).value();
  Lifter lifter(test_case.module());
  Module lifted;
  std::string construct;
  EXPECT_EQ(lifter.Lift(module, &lifted, &construct), Lifter::Outcome::kChanged);
  Module same;
  EXPECT_EQ(lifter.Lift(module, &same, &construct), Lifter::Outcome::kUnchanged);
  Module equal;
  EXPECT_EQ(lifter.Lift(again, &equal, &construct), Lifter::Outcome::kUnchanged);
}

TEST_F(LiftTest, FunctionsThatAPassLeavesAloneStay) {
  const Case test_case = tvm_test::Functions();
  const Any module = LowerModule(test_case.module()).value();
  Lifter lifter(test_case.module());
  Module before;
  std::string construct;
  ASSERT_EQ(lifter.Lift(module, &before, &construct), Lifter::Outcome::kChanged);
  // Another entry function beside the same object for the private one.
  Case other = test_case;
  other.mutable_module()->mutable_functions(0)->add_body()->CopyFrom(
      other.module().functions(0).body(0));
  const Any changed = LowerModule(other.module()).value();
  const Any main = Native<"ir.Module_Lookup_str">(changed, ffi::String("main"));
  const Any global = Native<"ir.Module_GetGlobalVar">(module, ffi::String("main"));
  Native<"ir.Module_UpdateFunction">(module, global, main);
  Module after;
  ASSERT_EQ(lifter.Lift(module, &after, &construct), Lifter::Outcome::kChanged);
  ASSERT_EQ(after.functions_size(), 2);
  EXPECT_EQ(after.functions(0).body_size(), 2);
  EXPECT_EQ(after.functions(1).SerializeAsString(), before.functions(1).SerializeAsString());
}

TEST_F(LiftTest, WhatHasNoCaseIrIsNamed) {
  const Case test_case = tvm_test::SymbolicShape(4);
  const Any module = LowerModule(test_case.module()).value();
  const Any function = Native<"ir.Module_Lookup_str">(module, ffi::String("main"));
  const Any zero = Native<"ir.IntImm">(DLDataType{kDLInt, 32, 1}, int64_t{0}, nullptr);
  const Any nothing = Native<"tirx.Evaluate">(zero, nullptr);
  // An attribute of a list: no pass of the pipeline makes one.
  const Any odd =
      Native<"tirx.AttrStmt">(AnyArray{zero}, ffi::String("odd"), zero, nothing, nullptr);
  const Any attrs = Native<"ir.BaseFunc_Attrs">(function);
  const Any replaced = Native<"tirx.PrimFunc">(
      AnyArray(), odd, Native<"ir.TupleType">(AnyArray(), nullptr), attrs, nullptr);
  const Any global = Native<"ir.Module_GetGlobalVar">(module, ffi::String("main"));
  Native<"ir.Module_UpdateFunction">(module, global, replaced);
  Module lifted;
  std::string construct;
  EXPECT_EQ(Lifter(test_case.module()).Lift(module, &lifted, &construct), Lifter::Outcome::kFailed);
  EXPECT_EQ(construct, "tirx.AttrStmt on ffi.Array");
}

}  // namespace
}  // namespace irate::tvm_target
