// The whole path from a finding to its folder, with a target that commits faults on request.
#include "triage/triager.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"
#include "tests/triage/programs.h"
#include "tests/triage/temporary_folder.h"
#include "triage/feature_shape.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;
using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Outcome = TriageResult::Outcome;

class TriagerTest : public ::testing::Test {
 protected:
  TriagerTest() : store_(*FindingStore::Open(folder_ / "findings")) {
    HarnessOptions options;
    options.worker = SelftestOptions();
    harness_ = *Harness::Create(options);
    options.target.run_native = false;
    passes_only_ = *Harness::Create(options);
  }

  static Case FaultyCase(const std::string& fault) {
    Case test_case = RichCase();
    *test_case.add_targets() = SelftestSpec(fault);
    return test_case;
  }

  // The only finding of the Case.
  Finding Find(const Case& test_case) {
    const absl::StatusOr<Observation> observation = harness_->Execute(test_case);
    EXPECT_TRUE(observation.ok()) << observation.status();
    const std::vector<Finding> findings = JudgeAll(test_case, *observation);
    EXPECT_THAT(findings, SizeIs(1));
    return findings.empty() ? Finding() : findings[0];
  }

  TriageResult Triage(const Case& test_case, const Finding& finding, TriageOptions options = {}) {
    absl::StatusOr<TriageResult> result =
        Triager(harness_.get(), passes_only_.get(), &store_, std::move(options))
            .Triage(test_case, finding);
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  }

  TemporaryFolder folder_;
  FindingStore store_;
  std::unique_ptr<Harness> harness_;
  std::unique_ptr<Harness> passes_only_;
};

constexpr char kWrongPass[] = R"({"fault": "wrong-pass", "stage": "pass", "step": 1})";
constexpr char kWrongResult[] = R"({"fault": "wrong-result", "stage": "run"})";

TEST_F(TriagerTest, AFindingThatNeedsEarlierCasesIsRecordedWithThem) {
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(harness_->Execute(FaultyCase("")).ok());
  const Case test_case = FaultyCase(R"({"fault": "segv", "stage": "run", "after": 4})");
  const Finding finding = Find(test_case);
  const WorkerHistory history = harness_->History(0);
  ASSERT_EQ(history.Before().size(), 9u);
  const absl::StatusOr<TriageResult> result =
      Triager(harness_.get(), passes_only_.get(), &store_, {}).Triage(test_case, finding, history);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->outcome, Outcome::kNew);

  const auto paths = ListFiles(result->path + "/earlier", ".irate");
  ASSERT_TRUE(paths.ok()) << paths.status();
  // As few as it takes, and no more.
  EXPECT_THAT(*paths, SizeIs(3));
  EXPECT_EQ(store_.Read(result->finding.signature())->earlier_cases, paths->size());
  std::vector<Case> earlier;
  for (const std::string& path : *paths) earlier.push_back(*ReadCaseFile(path));
  const auto shows = [&](std::span<const Case> before) {
    return !JudgeAll(test_case, *harness_->ExecuteAfter(before, test_case)).empty();
  };
  EXPECT_TRUE(shows(earlier));
  EXPECT_FALSE(shows(std::span(earlier).first(earlier.size() - 1)));
}

TEST_F(TriagerTest, ReducesNamesAndRecordsAWrongPass) {
  const Case test_case = FaultyCase(kWrongPass);
  const TriageResult result = Triage(test_case, Find(test_case));
  EXPECT_EQ(result.outcome, Outcome::kNew);
  EXPECT_EQ(result.finding.culprit(), "selftest.SerialiseLoops");
  EXPECT_LT(CaseSize(result.reduced), CaseSize(test_case) / 3);
  EXPECT_EQ(result.path, store_.PathOf(result.finding.signature()));

  const absl::StatusOr<Case> stored = ReadCaseFile(result.path + "/case.irate");
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_TRUE(VerifyCase(*stored).ok());
  EXPECT_EQ(Find(*stored).culprit(), "selftest.SerialiseLoops");
  // The default pipeline stays: what was cut off while reducing was only to save time.
  EXPECT_EQ(stored->passes().steps_size(), 0);
}

TEST_F(TriagerTest, CountsASecondSightingOfTheSameReducedForm) {
  const Case test_case = FaultyCase(kWrongPass);
  const Finding finding = Find(test_case);
  ASSERT_EQ(Triage(test_case, finding).outcome, Outcome::kNew);
  EXPECT_EQ(Triage(test_case, finding).outcome, Outcome::kSeen);
  const std::vector<StoredFinding> list = *store_.List();
  ASSERT_THAT(list, SizeIs(1));
  EXPECT_EQ(list[0].count, 2u);
}

TEST_F(TriagerTest, WhatIsKnownIsNotRecorded) {
  const Case test_case = FaultyCase(kWrongPass);
  const Finding finding = Find(test_case);
  TriageOptions options;
  options.known = {Triage(test_case, finding).finding.signature()};
  const FindingStore other = *FindingStore::Open(folder_ / "other");
  const absl::StatusOr<TriageResult> result =
      Triager(harness_.get(), passes_only_.get(), &other, options).Triage(test_case, finding);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->outcome, Outcome::kKnown);
  EXPECT_THAT(*other.List(), SizeIs(0));
}

TEST_F(TriagerTest, RecordsFailuresOfTheCompiler) {
  const Case crash = FaultyCase(R"({"fault": "segv", "stage": "pass", "step": 1})");
  const TriageResult result = Triage(crash, Find(crash));
  EXPECT_EQ(result.outcome, Outcome::kNew);
  EXPECT_EQ(result.finding.oracle(), "compiler-crash");
  EXPECT_THAT(result.finding.signature(), HasSubstr("SIGSEGV"));

  const Case error = FaultyCase(R"({"fault": "internal-error", "stage": "pass", "step": 0})");
  EXPECT_EQ(Triage(error, Find(error)).outcome, Outcome::kNew);
}

TEST_F(TriagerTest, WhatNeedsAHistoryThatIsNotGivenIsNotRecorded) {
  // Due after more requests than a fresh worker has served.
  const Case test_case =
      FaultyCase(R"({"fault": "wrong-result", "stage": "run", "after": 1000000})");
  Finding finding = Find(FaultyCase(kWrongResult));
  EXPECT_EQ(Triage(test_case, finding).outcome, Outcome::kNotReproduced);
  EXPECT_THAT(*store_.List(), SizeIs(0));
}

TEST_F(TriagerTest, TheRefereeHasTheLastWordOnWrongResults) {
  const Case test_case = FaultyCase(kWrongResult);
  const Finding finding = Find(test_case);
  TriageOptions options;
  options.referee = [](const Case& asked) -> absl::StatusOr<std::vector<Tensor>> {
    const absl::StatusOr<Interpretation> result = Interpret(asked.module(), asked.inputs());
    std::vector<Tensor> outputs;
    for (const InterpretedTensor& output : result->outputs()) outputs.push_back(output.tensor());
    (*outputs.back().mutable_data())[0] ^= 1;
    return outputs;
  };
  EXPECT_EQ(Triage(test_case, finding, options).outcome, Outcome::kRefereeDisagrees);
  options.referee = [](const Case&) -> absl::StatusOr<std::vector<Tensor>> {
    return absl::FailedPreconditionError("undefined behaviour");
  };
  EXPECT_EQ(Triage(test_case, finding, options).outcome, Outcome::kRefereeDisagrees);
  options.referee = [](const Case&) -> absl::StatusOr<std::vector<Tensor>> {
    return absl::UnimplementedError("no C for this");
  };
  EXPECT_EQ(Triage(test_case, finding, options).outcome, Outcome::kNew);
}

TEST_F(TriagerTest, StoppingRecordsNothing) {
  const Case test_case = FaultyCase(kWrongPass);
  TriageOptions options;
  options.reduce.stop = [] { return true; };
  EXPECT_EQ(Triage(test_case, Find(test_case), options).outcome, Outcome::kStopped);
  EXPECT_THAT(*store_.List(), SizeIs(0));
}

TEST(FinalShapeTest, ACrashWithoutNamesIsToldByWhatIsLeft) {
  Finding finding;
  finding.set_oracle("compiler-crash");
  finding.set_shape("SIGSEGV.libcompiler.so.libcompiler.so");
  const Case rich = RichCase();
  const std::string left = FeatureShape(rich.module());
  ASSERT_FALSE(left.empty());
  EXPECT_EQ(FinalShape(finding, rich), "SIGSEGV.libcompiler.so.libcompiler.so-" + left);
  finding.set_shape("SIGSEGV.compiler::Pass::Run");
  EXPECT_EQ(FinalShape(finding, rich), "SIGSEGV.compiler::Pass::Run");
  finding.set_oracle("generated-code-crash");
  EXPECT_EQ(FinalShape(finding, rich), "SIGSEGV.compiler::Pass::Run-" + left);
}

}  // namespace
}  // namespace irate
