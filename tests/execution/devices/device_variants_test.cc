// Variants for a device on the real compiler: kernels that TVM's own host code launches on the
// simulated device, judged like any other variant.
#include <memory>
#include <string>
#include <vector>

#include "execution/harness.h"
#include "execution/protocol.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/compare.h"
#include "ir/device_spec.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using namespace build;  // NOLINT: what it is for
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DeviceVariantsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    HarnessOptions options{.worker = SelftestOptions()};
    options.worker.target = "tvm";
    auto harness = Harness::Create(options);
    ASSERT_TRUE(harness.ok()) << harness.status();
    harness_ = harness->release();
  }
  static void TearDownTestSuite() { delete harness_; }

  // C[i] = value(A[i], B[i]) over `type`, for the processor and for the simulated device.
  static Case TwoInputs(ScalarType type, LoopKind kind, int64_t max,
                        const std::function<Expr(Expr, Expr)>& value) {
    Case test_case;
    test_case.set_version(1);
    test_case.mutable_inputs()->set_seed(3);
    Function* function = test_case.mutable_module()->add_functions();
    function->set_name("main");
    const uint32_t i = AddVariable(function, "i", I32);
    std::vector<uint32_t> buffers;
    for (const char* name : {"A", "B", "C"}) {
      buffers.push_back(AddBuffer(function, name, type, {I32Const(16)}));
      AddBufferParam(function, buffers.back());
    }
    for (uint32_t param = 0; param < 2; ++param) {
      ParamInput* input = test_case.mutable_inputs()->add_params();
      input->set_param(param);
      input->set_min(1);
      input->set_max(max);
    }
    const Expr index = Var(*function, i);
    const Expr result =
        value(Load(*function, buffers[0], {index}), Load(*function, buffers[1], {index}));
    *function->add_body() =
        For(i, I32Const(0), I32Const(16), kind, {Store(buffers[2], result, {index})});
    for (const char* options : {R"({"kind":"llvm"})", R"({"kind":"opencl"})"}) {
      TargetSpec* spec = test_case.add_targets();
      spec->set_target("tvm");
      spec->set_options(options);
    }
    return test_case;
  }

  static Observation Execute(const Case& test_case) {
    auto observation = harness_->Execute(test_case);
    EXPECT_TRUE(observation.ok()) << observation.status();
    return observation.ok() ? *observation : Observation();
  }

  static std::vector<std::string> Oracles(const Case& test_case, const Observation& observation) {
    std::vector<std::string> names;
    for (const Finding& finding : JudgeAll(test_case, observation)) {
      names.push_back(finding.oracle());
    }
    return names;
  }

  static Harness* harness_;
};

Harness* DeviceVariantsTest::harness_ = nullptr;

TEST_F(DeviceVariantsTest, ASoundProgramIsSoundOnTheDevice) {
  for (const LoopKind kind : {SERIAL, PARALLEL}) {
    const Case test_case = TwoInputs(
        I32, kind, 100, [](Expr a, Expr b) { return Binary(MUL, std::move(a), std::move(b)); });
    const Observation observation = Execute(test_case);
    ASSERT_EQ(observation.variants_size(), 2);
    const VariantObservation& device = observation.variants(1);
    EXPECT_EQ(device.failure().kind(), Failure::NONE) << device.failure().DebugString();
    EXPECT_EQ(device.not_sanitized(), "");
    ASSERT_EQ(device.outputs_size(), 3);
    EXPECT_FALSE(
        Compare(observation.reference(), {device.outputs().begin(), device.outputs().end()})
            .has_value());
    EXPECT_THAT(Oracles(test_case, observation), IsEmpty());
  }
}

// A live bug of 0.27: C promotes to int, so that what is above eight bits is not lost.
TEST_F(DeviceVariantsTest, NarrowIntegersAreComputedInIntOnTheDevice) {
  const Case test_case = TwoInputs(U8, PARALLEL, 255, [](Expr a, Expr b) {
    Expr inverse = Unary(BIT_NOT, std::move(a));
    return Binary(BIT_OR, Binary(SHR, std::move(inverse), Int(U8, 1)), std::move(b));
  });
  const Observation observation = Execute(test_case);
  EXPECT_THAT(Oracles(test_case, observation), Contains("codegen-mismatch"));
}

struct FaultCase {
  const char* name;
  const char* oracle;  // that sees it; null: nothing may
};

class DeviceFaultTest : public DeviceVariantsTest,
                        public ::testing::WithParamInterface<FaultCase> {};

TEST_P(DeviceFaultTest, IsSeenByItsOracle) {
  Case test_case = TwoInputs(
      I32, PARALLEL, 100, [](Expr a, Expr b) { return Binary(SUB, std::move(a), std::move(b)); });
  EXPECT_THAT(Oracles(test_case, Execute(test_case)), IsEmpty());
  test_case.add_faults(std::string("device.") + GetParam().name);
  const Observation observation = Execute(test_case);
  ASSERT_EQ(observation.variants_size(), 2);
  ASSERT_EQ(observation.variants(1).faults_size(), 1);
  EXPECT_TRUE(observation.variants(1).faults(0).reached());
  if (GetParam().oracle == nullptr) {
    EXPECT_THAT(Oracles(test_case, observation), IsEmpty());
    return;
  }
  EXPECT_TRUE(observation.variants(1).faults(0).triggered());
  EXPECT_THAT(Oracles(test_case, observation), Contains(GetParam().oracle));
}

INSTANTIATE_TEST_SUITE_P(Faults, DeviceFaultTest,
                         ::testing::Values(FaultCase{"arguments-swapped", "codegen-mismatch"},
                                           FaultCase{"extents-swapped", "device-launch"},
                                           FaultCase{"extent-short", "device-launch"},
                                           FaultCase{"read-after", "device-memory-error"},
                                           FaultCase{"source-broken", "device-source"},
                                           FaultCase{"nothing", nullptr}));

TEST_F(DeviceVariantsTest, AnUnknownFaultIsAnError) {
  Case test_case = TwoInputs(
      I32, SERIAL, 100, [](Expr a, Expr b) { return Binary(SUB, std::move(a), std::move(b)); });
  test_case.add_faults("device.no-such-fault");
  const Observation observation = Execute(test_case);
  EXPECT_THAT(observation.variants(1).failure().message(), HasSubstr("device.no-such-fault"));
}

TEST_F(DeviceVariantsTest, WhatHasNoPlaceInAKernelIsRefusedByName) {
  Case test_case = TwoInputs(
      I32, SERIAL, 100, [](Expr a, Expr b) { return Binary(ADD, std::move(a), std::move(b)); });
  *test_case.mutable_module()->add_functions() = test_case.module().functions(0);
  test_case.mutable_module()->mutable_functions(1)->set_name("other");
  const Observation observation = Execute(test_case);
  ASSERT_EQ(observation.variants_size(), 2);
  EXPECT_THAT(observation.variants(1).not_sanitized(), HasSubstr("several functions"));
  EXPECT_THAT(Oracles(test_case, observation), IsEmpty());
}

TEST_F(DeviceVariantsTest, ADeviceThatIsNotThereIsRefusedByName) {
  Case test_case = TwoInputs(
      I32, SERIAL, 100, [](Expr a, Expr b) { return Binary(ADD, std::move(a), std::move(b)); });
  test_case.mutable_targets(1)->set_options(R"({"kind":"opencl","irate-device":"nowhere"})");
  const Observation observation = Execute(test_case);
  EXPECT_THAT(observation.variants(1).not_sanitized(), HasSubstr("no device of this name"));
}

TEST(DeviceSpec, TheDeviceOfADescription) {
  TargetSpec spec;
  spec.set_options(R"({"kind":"llvm"})");
  EXPECT_EQ(DeviceOf(spec), "");
  spec.set_options("opencl");
  EXPECT_EQ(DeviceOf(spec), "simulated");
  spec.set_options(R"({"kind":"opencl","irate-device":"opencl"})");
  EXPECT_EQ(DeviceOf(spec), "opencl");
  EXPECT_EQ(CompilerOptions(spec), R"({"kind":"opencl"})");
  spec.set_options(R"({"kind":"cuda"})");
  EXPECT_EQ(DeviceOf(spec), "cuda");
}

}  // namespace
}  // namespace irate
