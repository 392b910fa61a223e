#include "fuzzers/loop.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kWrongResult[] = R"({"fault": "wrong-result", "stage": "run"})";

class LoopTest : public ::testing::Test {
 protected:
  FuzzOptions Options(const std::string& fault = "") {
    FuzzOptions options;
    options.seed = 5;
    options.count = 20;
    options.jobs = 2;
    options.findings = folder_ / "findings";
    options.harness.worker = SelftestOptions();
    options.targets = {SelftestSpec(fault)};
    options.triage.reduce.tests = 50;
    return options;
  }

  static FuzzSummary Run(
      const FuzzOptions& options, const std::function<bool()>& stop = [] { return false; },
      const std::function<void(const FuzzSummary&)>& progress = [](const FuzzSummary&) {}) {
    absl::StatusOr<FuzzSummary> summary = RunFuzzLoop(options, progress, stop);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.value_or(FuzzSummary());
  }

  static uint64_t Sightings(const FuzzSummary& summary) {
    uint64_t sightings = summary.not_reduced + summary.not_reproduced;
    for (const auto& [signature, entry] : summary.findings) sightings += entry.count;
    return sightings;
  }

  TemporaryFolder folder_;
};

TEST_F(LoopTest, FindsNothingWhereNothingIsPlanted) {
  const FuzzSummary summary = Run(Options());
  EXPECT_EQ(summary.cases, 20u);
  EXPECT_EQ(summary.findings.size(), 0u);
  EXPECT_EQ(summary.harness_faults, 0u);
  EXPECT_FALSE(summary.interrupted);
}

TEST_F(LoopTest, TheSameCasesWhateverTheNumberOfJobs) {
  FuzzOptions options = Options(kWrongResult);
  options.source.mutate = false;
  const FuzzSummary two = Run(options);
  options.jobs = 1;
  options.findings = folder_ / "other";
  const FuzzSummary one = Run(options);
  EXPECT_EQ(one.cases, two.cases);
  EXPECT_EQ(one.dropped_undefined, two.dropped_undefined);
  EXPECT_EQ(one.elements, two.elements);
  EXPECT_GT(Sightings(one), 0u);
  EXPECT_EQ(Sightings(one), Sightings(two));
}

std::vector<std::string> FileNames(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

TEST_F(LoopTest, OneJobMakesTheSameMutatedCasesEachTime) {
  FuzzOptions options = Options();
  options.jobs = 1;
  options.count = 60;
  options.source.corpus = folder_ / "corpus";
  const FuzzSummary once = Run(options);
  options.source.corpus = folder_ / "other";
  const FuzzSummary again = Run(options);
  EXPECT_GT(once.mutated, 10u);
  EXPECT_GT(once.interesting, 5u);
  EXPECT_EQ(once.mutated, again.mutated);
  EXPECT_EQ(once.interesting, again.interesting);
  EXPECT_EQ(once.elements, again.elements);
  EXPECT_EQ(once.next, 60u);
  EXPECT_FALSE(once.mutators.empty());
  // By the hash of the Case.
  EXPECT_EQ(FileNames(folder_ / "corpus"), FileNames(folder_ / "other"));
  EXPECT_THAT(FileNames(folder_ / "corpus"), SizeIs(once.interesting));
}

TEST_F(LoopTest, AResumedRunGoesOnBehindTheFirst) {
  FuzzOptions options = Options();
  options.source.corpus = folder_ / "corpus";
  const FuzzSummary first = Run(options);
  options.first = first.next;
  const FuzzSummary second = Run(options);
  EXPECT_EQ(second.cases, 20u);
  EXPECT_EQ(second.next, 40u);
  EXPECT_THAT(FileNames(folder_ / "corpus"), SizeIs(first.interesting + second.interesting));
}

TEST_F(LoopTest, RecordsFindingsAndCountsThemAll) {
  const FuzzSummary summary = Run(Options(kWrongResult));
  ASSERT_GT(summary.findings.size(), 0u);
  const FindingStore store = *FindingStore::Open(folder_ / "findings");
  const std::vector<StoredFinding> stored = *store.List();
  ASSERT_EQ(stored.size(), summary.findings.size());
  for (const StoredFinding& finding : stored) {
    EXPECT_EQ(finding.count, summary.findings.at(finding.finding.signature()).count);
    EXPECT_EQ(finding.finding.oracle(), "codegen-mismatch");
  }
}

TEST_F(LoopTest, KnownFindingsAreCountedAndNotNew) {
  FuzzOptions options = Options(kWrongResult);
  for (const auto& [signature, entry] : Run(options).findings) {
    options.triage.known.insert(signature);
  }
  options.findings = folder_ / "other";
  const FuzzSummary summary = Run(options);
  EXPECT_EQ(summary.NewFindings(), 0u);
  EXPECT_GT(summary.findings.size(), 0u);
  EXPECT_THAT(*FindingStore::Open(folder_ / "other")->List(), SizeIs(0));
}

TEST_F(LoopTest, EndsAtTheTime) {
  FuzzOptions options = Options();
  options.count = 0;
  options.seconds = 1;
  const FuzzSummary summary = Run(options);
  EXPECT_GT(summary.cases, 0u);
  EXPECT_GE(summary.seconds, 1);
  EXPECT_LT(summary.seconds, 20);
}

TEST_F(LoopTest, StopEndsCleanlyAndLeavesNoProcess) {
  FuzzOptions options = Options();
  options.count = 0;
  bool running = false;
  const FuzzSummary summary = Run(
      options, [&running] { return running; },
      [&running](const FuzzSummary& state) { running |= state.cases > 5; });
  EXPECT_TRUE(summary.interrupted);
  EXPECT_GT(summary.cases, 5u);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(LoopTest, AJobThatDiesIsReportedWithItsCaseAndReplaced) {
  FuzzOptions options = Options();
  options.count = 4000;
  bool killed = false;
  const FuzzSummary summary = Run(
      options, [] { return false; },
      [&killed](const FuzzSummary& state) {
        if (killed || state.cases == 0) return;
        for (const ProcessInfo& child : Descendants(getpid())) {
          // The jobs are those whose parent is this process.
          std::string name;
          std::ifstream(fmt::format("/proc/{}/comm", child.pid)) >> name;
          if (name != "irate-worker" && kill(child.pid, SIGKILL) == 0) {
            killed = true;
            return;
          }
        }
      });
  ASSERT_TRUE(killed);
  EXPECT_EQ(summary.harness_faults, 1u);
  ASSERT_THAT(summary.harness_fault_examples, SizeIs(1));
  EXPECT_THAT(summary.harness_fault_examples[0], HasSubstr("SIGKILL"));
  // All but the Case under way and those that the job had not reported yet.
  EXPECT_GT(summary.cases, 2000u);
}

TEST_F(LoopTest, AMissingWorkerIsAnErrorAndNotAnEmptyRun) {
  FuzzOptions options = Options();
  options.harness.worker.executable = "/no/such/worker";
  const absl::StatusOr<FuzzSummary> summary =
      RunFuzzLoop(options, [](const FuzzSummary&) {}, [] { return false; });
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("/no/such/worker"));
}

TEST_F(LoopTest, AnUnusableFolderIsAnErrorBeforeAnythingRuns) {
  FuzzOptions options = Options();
  options.findings = "/proc/findings";
  const absl::StatusOr<FuzzSummary> summary =
      RunFuzzLoop(options, [](const FuzzSummary&) { FAIL() << "it ran"; }, [] { return false; });
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("/proc/findings"));
}

}  // namespace
}  // namespace irate
