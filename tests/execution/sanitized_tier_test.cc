// Tier 2 on the real compiler: Cases through irate-worker and irate-worker-asan, judged by the
// oracles of the library. The known ways in which TVM's argument checks are too lax are left out.
#include "execution/sanitized_tier.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SanitizedTierTest : public ::testing::Test {
 protected:
  // Once for all tests: loading the compiler twice takes a second.
  static void SetUpTestSuite() {
    HarnessOptions options{.worker = SelftestOptions()};
    options.worker.target = "tvm";
    auto harness = Harness::Create(options);
    ASSERT_TRUE(harness.ok()) << harness.status();
    harness_ = harness->release();
    WorkerOptions worker = options.worker;
    worker.executable = IRATE_ASAN_WORKER_PATH;
    auto tier = SanitizedTier::Create(harness_, worker);
    ASSERT_TRUE(tier.ok()) << tier.status();
    tier_ = tier->release();
  }
  static void TearDownTestSuite() {
    delete tier_;
    delete harness_;
  }

  Observation Execute(const Case& test_case) {
    auto observation = tier_->Execute(test_case);
    EXPECT_TRUE(observation.ok()) << observation.status();
    if (!observation.ok()) return {};
    for (const VariantObservation& variant : observation->variants()) {
      EXPECT_EQ(variant.failure().kind(), Failure::NONE) << variant.failure().DebugString();
      EXPECT_EQ(variant.not_sanitized(), "");
    }
    return *observation;
  }
  std::vector<std::string> Findings(const Case& test_case) {
    std::vector<std::string> signatures;
    const Observation observation = Execute(test_case);
    for (const Finding& finding : JudgeAll(test_case, observation)) {
      if (finding.oracle() == "wrong-call") continue;
      signatures.push_back(finding.signature());
      detail_ = finding.detail();
    }
    return signatures;
  }

  static Harness* harness_;
  static SanitizedTier* tier_;
  std::string detail_;  // of the last finding
};

Harness* SanitizedTierTest::harness_ = nullptr;
SanitizedTier* SanitizedTierTest::tier_ = nullptr;

// C[i] = A[i] + 3 by way of a buffer that is too large for the stack.
Case WorkspaceCase() {
  Case test_case;
  test_case.set_version(1);
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  constexpr int kSize = 1024;
  const uint32_t i = build::AddVariable(function, "i", I32);
  const uint32_t j = build::AddVariable(function, "j", I32);
  const uint32_t a = build::AddBuffer(function, "A", I32, {build::I32Const(kSize)});
  const uint32_t b = build::AddBuffer(function, "B", I32, {build::I32Const(kSize)});
  const uint32_t c = build::AddBuffer(function, "C", I32, {build::I32Const(kSize)});
  build::AddBufferParam(function, a);
  build::AddBufferParam(function, c);
  Stmt alloc;
  alloc.set_kind(ALLOC);
  alloc.set_id(b);
  *function->add_body() = alloc;
  const Expr x = build::Var(*function, i);
  const Expr y = build::Var(*function, j);
  const Expr sum = build::Binary(ADD, build::Load(*function, a, {x}), build::I32Const(3));
  *function->add_body() = build::For(i, build::I32Const(0), build::I32Const(kSize), SERIAL,
                                     {build::Store(b, sum, {x})});
  const Expr reversed = build::Binary(SUB, build::I32Const(kSize - 1), y);
  *function->add_body() = build::For(j, build::I32Const(0), build::I32Const(kSize), SERIAL,
                                     {build::Store(c, build::Load(*function, b, {reversed}), {y})});
  return test_case;
}

Case WithFault(Case test_case, const std::string& fault) {
  test_case.add_faults(fault);
  return test_case;
}

TEST_F(SanitizedTierTest, CorrectCodeIsSilent) {
  EXPECT_THAT(Findings(SmallCase()), IsEmpty());
  EXPECT_THAT(Findings(WorkspaceCase()), IsEmpty());
}

TEST_F(SanitizedTierTest, GeneratedCasesAreSilent) {
  int sanitized = 0;
  for (uint64_t index = 0; index < 12; ++index) {
    const Case test_case = GenerateCase(CaseSeed(20, index));
    const auto observation = tier_->Execute(test_case);
    ASSERT_TRUE(observation.ok()) << observation.status();
    for (const Finding& finding : JudgeAll(test_case, *observation)) {
      EXPECT_THAT(finding.oracle(), ::testing::Not(::testing::AnyOf(
                                        "memory-error", "value-error", "contract-violation",
                                        "abi-violation", "generated-code-crash")))
          << "Case " << index << ": " << finding.detail();
    }
    for (const VariantObservation& variant : observation->variants()) {
      EXPECT_EQ(variant.not_sanitized(), "") << index;
    }
    sanitized += observation->variants(0).outputs_size() != 0 ? 1 : 0;
  }
  EXPECT_GE(sanitized, 6);
}

// The third founding report, and the other ways in which a runtime can break its side.
TEST_F(SanitizedTierTest, ARuntimeThatBreaksItsSideIsNamed) {
  for (const char* fault : {"runtime.workspace-align-16", "runtime.workspace-align-32",
                            "runtime.workspace-off-by-one"}) {
    const Case test_case = WithFault(WorkspaceCase(), fault);
    EXPECT_THAT(Findings(test_case),
                ::testing::Contains("contract-violation-tvm-runtime-workspace-alignment"))
        << fault;
    const Observation observation = Execute(test_case);
    ASSERT_EQ(observation.variants(0).faults_size(), 1);
    EXPECT_EQ(observation.variants(0).faults(0).name(), fault);
    EXPECT_TRUE(observation.variants(0).faults(0).triggered());
  }
  for (const char* fault :
       {"runtime.launch-skip-task", "runtime.launch-repeat-task", "runtime.launch-over-count"}) {
    EXPECT_THAT(Findings(WithFault(SmallCase(), fault)),
                ::testing::Contains("contract-violation-tvm-runtime-launch-task-count"))
        << fault;
    EXPECT_THAT(detail_, HasSubstr("task"));
  }
  // Nothing to break here: reached, not triggered, and no finding.
  const Case unaffected = WithFault(SmallCase(), "runtime.workspace-align-16");
  EXPECT_THAT(Findings(unaffected), IsEmpty());
  EXPECT_FALSE(Execute(unaffected).variants(0).faults(0).triggered());
}

// Mistakes of the code generator: each is found by the oracle that is meant for it.
TEST_F(SanitizedTierTest, CodeThatIsWrongIsNamed) {
  const std::pair<const char*, const char*> expected[] = {
      {"code.read-before", "memory-error-tvm-codegen-out-of-bounds.read.argument"},
      {"code.write-after", "memory-error-tvm-codegen-out-of-bounds.write.argument"},
      {"code.workspace-read-after", "memory-error-tvm-codegen-out-of-bounds.read.workspace"},
      {"code.workspace-use-after-free", "memory-error-tvm-codegen-use-after-free.read.workspace"},
      {"code.wild-read", "memory-error-tvm-codegen-out-of-bounds.read.argument"},
      {"code.misaligned-vector", "memory-error-tvm-codegen-misaligned"},
      {"code.uninitialised", "value-error-tvm-codegen-uninitialised"},
      {"code.overflowed-index", "value-error-tvm-codegen-signed-overflow"},
      {"code.dropped-argument", "abi-violation-tvm-codegen-call-signature"},
      {"code.convention", "abi-violation-tvm-codegen-calling-convention"},
  };
  for (const auto& [fault, signature] : expected) {
    const Case test_case = WithFault(WorkspaceCase(), fault);
    EXPECT_THAT(Findings(test_case), ::testing::Contains(signature)) << fault;
  }
}

TEST_F(SanitizedTierTest, TheSameCaseGivesTheSameReport) {
  const Case test_case = WithFault(WorkspaceCase(), "runtime.workspace-align-16");
  const Observation first = Execute(test_case);
  const auto fresh = tier_->ExecuteFresh(test_case);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  ASSERT_EQ(first.variants(0).violations_size(), fresh->variants(0).violations_size());
  for (int i = 0; i < first.variants(0).violations_size(); ++i) {
    EXPECT_EQ(first.variants(0).violations(i).SerializeAsString(),
              fresh->variants(0).violations(i).SerializeAsString());
  }
}

TEST_F(SanitizedTierTest, WrongCallsAreMade) {
  const Observation observation = Execute(SmallCase());
  std::vector<std::string> kinds;
  for (const ContractViolation& violation : observation.variants(0).violations()) {
    kinds.push_back(violation.kind());
  }
  // corpus/known: what TVM 0.27 accepts, and nothing besides.
  EXPECT_THAT(kinds, ::testing::Each(::testing::AnyOf("wrong-call.alignment.accepted",
                                                      "wrong-call.shape-high-bits.accepted")));
  EXPECT_THAT(kinds, ::testing::Contains("wrong-call.alignment.accepted"));
}

// The compiler on AddressSanitizer's allocator: an overflow of its heap stops it at once.
TEST(AsanWorkerTest, NoticesWhatThePlainWorkerMayNot) {
  WorkerOptions options = SelftestOptions();
  options.executable = IRATE_ASAN_WORKER_PATH;
  const auto worker = WorkerClient::Start(options);
  ASSERT_TRUE(worker.ok()) << worker.status();
  FaultRequest fault;
  fault.set_kind(FaultRequest::HEAP_OVERFLOW);
  auto failure = (*worker)->PlantFault(fault);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->kind(), Failure::SANITIZER) << failure->DebugString();
  EXPECT_EQ(failure->error_kind(), "heap-buffer-overflow");
  fault.set_kind(FaultRequest::SEGV);
  failure = (*worker)->PlantFault(fault);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->kind(), Failure::SIGNAL) << failure->DebugString();
  fault.set_kind(FaultRequest::NONE);
  failure = (*worker)->PlantFault(fault);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->kind(), Failure::NONE);
}

}  // namespace
}  // namespace irate
