// Which of the faults that are on together a finding comes from.
#include "bench/triage/fault_truth.h"

#include "bench/faults/fault_text.h"
#include "gtest/gtest.h"
#include "ir/rewrite/rule.h"
#include "ir/text.h"
#include "oracles/oracle.h"

namespace irate {
namespace {

class FaultTruthTest : public ::testing::Test {
 protected:
  FaultTruthTest() : rules_(*rewrite::ParseRules(BuiltinFaultText())) {
    HarnessOptions options;
    options.worker.executable = IRATE_WORKER_PATH;
    harnesses_ = std::make_unique<FaultHarnesses>(options, WorkerOptions(), BuiltinFaultText());
    truth_ = std::make_unique<FaultTruth>(harnesses_.get());
  }

  const rewrite::Rule& Rule(const std::string& name) const {
    return *std::ranges::find(rules_, name, &rewrite::Rule::name);
  }
  // The stored Case of a fault with its siblings on.
  Case Stored(const std::string& name) const {
    Case test_case = *ReadCaseFile("bench/faults/cases/" + name + ".irate");
    const std::vector<std::string> faults = WithSiblings(Rule(name), rules_);
    test_case.mutable_faults()->Assign(faults.begin(), faults.end());
    return test_case;
  }

  std::vector<rewrite::Rule> rules_;
  std::unique_ptr<FaultHarnesses> harnesses_;
  std::unique_ptr<FaultTruth> truth_;
};

TEST_F(FaultTruthTest, TellsAFaultFromItsSiblings) {
  const Case test_case = Stored("hoist-drops-else");
  ASSERT_GE(test_case.faults_size(), 3);
  const rewrite::Rule& rule = Rule("hoist-drops-else");
  const absl::StatusOr<std::optional<Finding>> finding =
      truth_->OwnFinding(rule, {test_case.faults().begin(), test_case.faults().end()}, test_case,
                         "s_tir.transform.HoistIfThenElse");
  ASSERT_TRUE(finding.ok()) << finding.status();
  ASSERT_TRUE(finding->has_value());
  EXPECT_EQ((*finding)->oracle(), "pass-mismatch");
  const std::string& signature = (*finding)->signature();
  EXPECT_EQ(*truth_->OriginOf(rule, test_case, "pass-mismatch", signature), Origin::kOwn);
  EXPECT_EQ(
      *truth_->OriginOf(Rule("hoist-condition-that-varies"), test_case, "pass-mismatch", signature),
      Origin::kSibling);
  EXPECT_EQ(*truth_->OriginOf(rule, test_case, "pass-mismatch", "another"), Origin::kLost);
  // Of a sibling nothing is its own here.
  EXPECT_FALSE(truth_
                   ->OwnFinding(Rule("hoist-condition-that-varies"),
                                {test_case.faults().begin(), test_case.faults().end()}, test_case,
                                "s_tir.transform.HoistIfThenElse")
                   ->has_value());
}

TEST_F(FaultTruthTest, WhatTheCompilerItselfDoesIsLive) {
  Case test_case = *ReadCaseFile(
      "corpus/known/pass-mismatch-tvm-s_tir.HoistIfThenElse-value-compare.if/case.irate");
  test_case.add_faults("hoist-drops-else");
  const Observation observation = *(*harnesses_->Thorough())->Execute(test_case);
  for (const Finding& finding : JudgeAll(test_case, observation)) {
    EXPECT_EQ(*truth_->OriginOf(Rule("hoist-drops-else"), test_case, finding.oracle(),
                                finding.signature()),
              Origin::kLive)
        << finding.signature();
  }
  EXPECT_FALSE(JudgeAll(test_case, observation).empty());
}

}  // namespace
}  // namespace irate
