// Native runs: values, guard pages, contracts.
#include "targets/tvm/run_function.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/inputs.h"
#include "programs.h"
#include "targets/tvm/tvm_target.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

template <typename T>
std::vector<T> Elements(const Tensor& tensor) {
  std::vector<T> result(tensor.data().size() / sizeof(T));
  std::memcpy(result.data(), tensor.data().data(), result.size() * sizeof(T));
  return result;
}

class RunFunctionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    target_ = MakeTvmTarget().release();
    ASSERT_TRUE(target_->Load().ok()) << target_->Load();
  }

  static VariantObservation Run(const Case& test_case) {
    const TargetSpec spec = target_->DefaultSpecs()[0];
    TargetOptions options;
    options.lift = false;
    return target_->Run(test_case, spec, target_->DefaultPasses(spec).value(), options, nullptr);
  }

  static std::vector<ArgumentValue> Arguments(const Case& test_case) {
    return MakeArguments(test_case.module().functions(0), test_case.inputs()).value();
  }

  static Target* target_;
};

Target* RunFunctionTest::target_ = nullptr;

TEST_F(RunFunctionTest, MatmulComputesTheProduct) {
  constexpr int kSize = 12;
  const Case test_case = tvm_test::Matmul(kSize);
  const std::vector<ArgumentValue> arguments = Arguments(test_case);
  const std::vector<float> a = Elements<float>(arguments[0].tensor);
  const std::vector<float> b = Elements<float>(arguments[1].tensor);
  std::vector<float> expected(kSize * kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      for (int k = 0; k < kSize; ++k) {
        expected[static_cast<size_t>(i * kSize + j)] +=
            a[static_cast<size_t>(i * kSize + k)] * b[static_cast<size_t>(k * kSize + j)];
      }
    }
  }
  const VariantObservation observation = Run(test_case);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  ASSERT_EQ(observation.outputs_size(), 3);
  EXPECT_EQ(Elements<float>(observation.outputs(0)), a);
  EXPECT_EQ(Elements<float>(observation.outputs(2)), expected);
}

TEST_F(RunFunctionTest, BlocksPredicateAndScalar) {
  constexpr int kRows = 16;
  constexpr int kColumns = 8;
  const Case test_case = tvm_test::BlockReduction(kRows, kColumns);
  const std::vector<ArgumentValue> arguments = Arguments(test_case);
  const std::vector<float> a = Elements<float>(arguments[0].tensor);
  std::vector<float> expected = Elements<float>(arguments[1].tensor);
  const int32_t n = Elements<int32_t>(arguments[2].tensor)[0];
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < kColumns; ++k) sum += a[static_cast<size_t>(i * kColumns + k)];
    expected[static_cast<size_t>(i)] = i < 3 ? sum : 2 * sum;
  }
  const VariantObservation observation = Run(test_case);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(Elements<float>(observation.outputs(1)), expected);
}

TEST_F(RunFunctionTest, SymbolicShapeAndFloatScalar) {
  const Case test_case = tvm_test::SymbolicShape(13);
  const std::vector<ArgumentValue> arguments = Arguments(test_case);
  std::vector<float> expected = Elements<float>(arguments[0].tensor);
  const float scale = Elements<float>(arguments[2].tensor)[0];
  for (float& value : expected) value += scale;
  const VariantObservation observation = Run(test_case);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(Elements<float>(observation.outputs(1)), expected);
}

TEST_F(RunFunctionTest, StridesAndOffset) {
  const Case test_case = tvm_test::Layouts();
  std::vector<int32_t> expected = Elements<int32_t>(Arguments(test_case)[0].tensor);
  for (int32_t& value : expected) value += 1;
  const VariantObservation observation = Run(test_case);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(Elements<int32_t>(observation.outputs(1)), expected);
}

TEST_F(RunFunctionTest, SeveralFunctions) {
  const Case test_case = tvm_test::Functions();
  const VariantObservation observation = Run(test_case);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(observation.outputs(1).data(), Arguments(test_case)[0].tensor.data());
}

TEST_F(RunFunctionTest, EveryProgramRuns) {
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    const VariantObservation observation = Run(test_case);
    EXPECT_FALSE(observation.has_failure()) << name << observation.failure().ShortDebugString();
    int buffers = 0;
    for (const Param& param : test_case.module().functions(0).params()) {
      if (param.kind() == PARAM_BUFFER) ++buffers;
    }
    EXPECT_EQ(observation.outputs_size(), buffers) << name;
  }
}

TEST_F(RunFunctionTest, AFailedAssertionIsADiagnosticOfTheRun) {
  Case test_case = tvm_test::ControlFlow();
  ParamInput* input = test_case.mutable_inputs()->mutable_params(0);
  input->set_min(-2);
  input->set_max(-1);
  const VariantObservation observation = Run(test_case);
  EXPECT_EQ(observation.failure().kind(), Failure::DIAGNOSTIC);
  EXPECT_EQ(observation.failure().stage(), STAGE_RUN);
  EXPECT_EQ(observation.failure().error_kind(), "ValueError");
  EXPECT_THAT(observation.failure().message(), HasSubstr("n must be positive"));
  EXPECT_EQ(observation.outputs_size(), 0);
}

TEST_F(RunFunctionTest, InputsThatDoNotFitAreTheHarnessFault) {
  Case test_case = tvm_test::SymbolicShape(13);
  test_case.mutable_inputs()->clear_dims();
  const VariantObservation observation = Run(test_case);
  EXPECT_EQ(observation.failure().kind(), Failure::HARNESS);
  EXPECT_THAT(observation.failure().message(), HasSubstr("n"));
}

// B[i] = A[i] for i in [first, first + count), where both have 16 elements.
Case CopyRange(int64_t first, int64_t count, uint64_t seed) {
  Case result;
  result.set_version(1);
  result.mutable_inputs()->set_seed(seed);
  Function* f = result.mutable_module()->add_functions();
  f->set_name("main");
  const uint32_t b = build::AddBuffer(f, "B", F32, {build::I32Const(16)});
  build::AddBufferParam(f, b);
  const uint32_t i = build::AddVariable(f, "i", I32);
  *f->add_body() = build::For(i, build::I32Const(first), build::I32Const(count), SERIAL,
                              {build::Store(b, build::Float(F32, 1), {build::Var(*f, i)})});
  return result;
}

TEST_F(RunFunctionTest, AWriteIntoTheSlackIsASanitizerReport) {
  // An odd seed: the buffer touches the page before it, and the slack is behind it.
  const VariantObservation observation = Run(CopyRange(0, 17, 1));
  EXPECT_EQ(observation.failure().kind(), Failure::SANITIZER);
  EXPECT_EQ(observation.failure().stage(), STAGE_RUN);
  EXPECT_EQ(observation.failure().message(), "wrote 4 bytes past the end of parameter 'B'");

  const VariantObservation before = Run(CopyRange(-1, 16, 0));
  EXPECT_EQ(before.failure().message(), "wrote 4 bytes before the beginning of parameter 'B'");

  EXPECT_FALSE(Run(CopyRange(0, 16, 1)).has_failure());
  EXPECT_FALSE(Run(CopyRange(0, 16, 0)).has_failure());
}

using RunFunctionDeathTest = RunFunctionTest;

TEST_F(RunFunctionDeathTest, AnAccessBeyondTheGuardedSideIsASignal) {
  EXPECT_EXIT(Run(CopyRange(0, 17, 0)), ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(Run(CopyRange(-1, 16, 1)), ::testing::KilledBySignal(SIGSEGV), "");
}

TEST(IsReadyForCodegenTest, NeedsTheLastThreePasses) {
  VariantObservation observation;
  const auto add = [&](const char* pass, StepObservation::Outcome outcome) {
    StepObservation* step = observation.add_steps();
    step->set_pass(pass);
    step->set_outcome(outcome);
    return tvm_target::IsReadyForCodegen(observation.steps());
  };
  EXPECT_FALSE(add("tirx.transform.LowerIntrin", StepObservation::CHANGED));
  EXPECT_FALSE(add("tirx.transform.LowerTVMBuiltin", StepObservation::UNCHANGED));
  EXPECT_FALSE(add("tirx.transform.MakePackedAPI", StepObservation::CHANGED));
  EXPECT_FALSE(add("tirx.transform.LowerTVMBuiltin", StepObservation::CHANGED));
  EXPECT_FALSE(add("tirx.transform.LowerIntrin", StepObservation::SKIPPED));
  EXPECT_TRUE(add("tirx.transform.LowerIntrin", StepObservation::UNCHANGED));
}

}  // namespace
}  // namespace irate
