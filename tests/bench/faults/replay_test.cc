// Every built-in fault on the Case that is stored for it (bench/faults/cases): detected by the
// oracle meant for it and blamed on the right pass; null faults are silent. Null faults are also
// tried where they change the most.
#include <filesystem>
#include <memory>
#include <string>

#include "bench/faults/fault_runner.h"
#include "bench/faults/fault_text.h"
#include "gtest/gtest.h"
#include "ir/rewrite/rule.h"
#include "ir/text.h"

namespace irate {
namespace {

const std::vector<rewrite::Rule>& Rules() {
  static const auto& rules =
      *new std::vector<rewrite::Rule>(rewrite::ParseRules(BuiltinFaultText()).value());
  return rules;
}

std::string CasePath(const std::string& name) { return "bench/faults/cases/" + name + ".irate"; }

class FaultReplayTest : public ::testing::TestWithParam<size_t> {
 protected:
  // Once for all: loading the compiler takes a while.
  static void SetUpTestSuite() {
    HarnessOptions options;
    options.worker.executable = IRATE_WORKER_PATH;
    // Enough for a Case of this size on a busy machine; a fault that hangs takes it all.
    options.worker.deadline = std::chrono::milliseconds(4000);
    options.target.repeat = true;
    options.target.check_well_formed = true;
    WorkerOptions asan = options.worker;
    asan.executable = IRATE_ASAN_WORKER_PATH;
    asan.deadline = std::chrono::milliseconds(60'000);
    harnesses_ = new FaultHarnesses(options, asan, BuiltinFaultText());
  }
  static void TearDownTestSuite() { delete harnesses_; }

  static FaultHarnesses* harnesses_;
};

FaultHarnesses* FaultReplayTest::harnesses_ = nullptr;

TEST_P(FaultReplayTest, TheStoredCaseShowsIt) {
  const rewrite::Rule& rule = Rules()[GetParam()];
  ASSERT_TRUE(std::filesystem::exists(CasePath(rule.name)))
      << "store one: irate bench faults --only " << rule.name << " --save-cases bench/faults/cases";
  const absl::StatusOr<Case> test_case = ReadCaseFile(CasePath(rule.name));
  ASSERT_TRUE(test_case.ok()) << test_case.status();
  FaultRunner runner(rule, harnesses_);
  ASSERT_TRUE(runner.Start().ok());
  const absl::StatusOr<FaultRun> run = runner.Run(*test_case, NeedsSanitizedRun(rule));
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->probe.reached);
  EXPECT_TRUE(run->triggered) << run->probe.problem;
  if (rule.is_null) {
    EXPECT_FALSE(run->verdict.detected) << run->verdict.summary;
    return;
  }
  ASSERT_TRUE(run->verdict.detected);
  EXPECT_TRUE(IsExpected(rule, run->verdict.oracle, run->verdict.culprit, run->probe.pass))
      << run->verdict.oracle << " blames " << run->verdict.culprit << ": " << run->verdict.summary;
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, FaultReplayTest, ::testing::Range(size_t{0}, Rules().size()),
                         [](const ::testing::TestParamInfo<size_t>& test) {
                           std::string name = Rules()[test.param].name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(FaultCasesTest, EveryStoredCaseBelongsToAFault) {
  for (const auto& entry : std::filesystem::directory_iterator("bench/faults/cases")) {
    const std::string name = entry.path().stem();
    EXPECT_NE(std::ranges::find(Rules(), name, &rewrite::Rule::name), Rules().end()) << name;
  }
}

// What the issue of this bench asks of the set.
TEST(FaultSetTest, EnoughFaultsOfEveryKind) {
  size_t null = 0;
  size_t shared = 0;
  std::map<std::string, int> by_pass;
  for (const rewrite::Rule& rule : Rules()) {
    EXPECT_FALSE(rule.description.empty()) << rule.name;
    if (rule.is_null) {
      ++null;
    } else if (rule.passes.size() > 1) {
      ++shared;
    } else {
      ++by_pass[rule.passes[0].substr(rule.passes[0].rfind('.') + 1)];
    }
  }
  EXPECT_GE(Rules().size() - null, 30u);
  EXPECT_GE(null, 4u);
  EXPECT_GE(shared, 2u);
  const auto three = [](const auto& entry) { return entry.second >= 3; };
  EXPECT_GE(std::ranges::count_if(by_pass, three), 6);
}

}  // namespace
}  // namespace irate
