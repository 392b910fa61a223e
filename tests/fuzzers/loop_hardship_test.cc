// What goes wrong around a run, with real workers, processes and disks: it is reported for what it
// is, nothing is lost, and the run goes on.
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "fuzzers/loop.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

namespace fs = std::filesystem;
using ::irate::testing::TemporaryFolder;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kWrongResult[] = R"({"fault": "wrong-result", "stage": "run"})";
constexpr uint64_t kCases = 20;

using Counts = std::map<std::string, uint64_t>;  // by signature

class LoopHardshipTest : public ::testing::Test {
 protected:
  FuzzOptions Options(const std::string& fault, const std::string& findings = "findings") {
    FuzzOptions options;
    options.seed = 5;
    options.count = kCases;
    options.jobs = 1;
    options.findings = folder_ / findings;
    options.harness.worker = SelftestOptions();
    options.targets = {SelftestSpec(fault)};
    options.triage.reduce.tests = 50;
    return options;
  }

  static FuzzSummary Run(
      const FuzzOptions& options,
      const std::function<void(const FuzzSummary&)>& progress = [](const FuzzSummary&) {}) {
    absl::StatusOr<FuzzSummary> summary = RunFuzzLoop(options, progress, [] { return false; });
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.value_or(FuzzSummary());
  }

  static Counts Reported(const FuzzSummary& summary) {
    Counts counts;
    for (const auto& [signature, entry] : summary.findings) counts[signature] = entry.count;
    return counts;
  }

  Counts Stored(const std::string& findings = "findings") {
    Counts counts;
    const FindingStore store = *FindingStore::Open(folder_ / findings);
    const std::vector<StoredFinding> list = *store.List();
    for (const StoredFinding& finding : list) {
      EXPECT_EQ(finding.problem, "");
      counts[finding.finding.signature()] = finding.count;
    }
    return counts;
  }

  TemporaryFolder folder_;
};

// The worker's answer is cut, is longer than a message may be, or never comes.
TEST_F(LoopHardshipTest, BrokenAnswersAreFaultsOfTheHarnessAndTheRunGoesOn) {
  const std::map<std::string, std::string> faults = {{"close-socket", "closed the socket"},
                                                     {"truncated-reply", "unfinished message"},
                                                     {"oversized-reply", "the limit is"}};
  for (const auto& [fault, message] : faults) {
    FuzzOptions options = Options(fmt::format(R"({{"fault": "{}"}})", fault), fault);
    options.count = 6;  // each costs the time in which a worker may end by itself
    const FuzzSummary summary = Run(options);
    EXPECT_EQ(summary.cases, options.count) << fault;
    EXPECT_EQ(summary.harness_faults, options.count - summary.dropped_undefined) << fault;
    EXPECT_THAT(summary.harness_fault_examples, Contains(HasSubstr(message))) << fault;
    EXPECT_EQ(Reported(summary), Counts()) << fault;
    EXPECT_EQ(Stored(fault), Counts()) << fault;
  }
}

TEST_F(LoopHardshipTest, TwoRunsOnOneFolderCountEverySighting) {
  const std::string other_counts = folder_ / "other";
  FuzzOptions options = Options(kWrongResult);
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    options.seed = 6;
    std::ofstream file(other_counts);
    for (const auto& [signature, count] : Reported(Run(options))) {
      file << signature << ' ' << count << '\n';
    }
    file.close();
    _exit(0);
  }
  Counts expected = Reported(Run(options));
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_EQ(status, 0);
  std::ifstream file(other_counts);
  std::string signature;
  uint64_t count = 0;
  bool is_shared = false;
  while (file >> signature >> count) {
    is_shared |= expected.contains(signature);
    expected[signature] += count;
  }
  EXPECT_TRUE(is_shared) << "no finding of both: the test tests nothing";
  EXPECT_EQ(Stored(), expected);
}

// A small disk that is full until the first write has failed.
TEST_F(LoopHardshipTest, AFullDiskIsReportedAndTheFindingsAreWrittenWhenThereIsRoom) {
  const std::string disk = folder_ / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4m") != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  {
    FuzzOptions options = Options(kWrongResult, "disk/findings");
    options.count = 800;
    const std::string ballast = disk + "/ballast";
    ASSERT_TRUE(FindingStore::Open(options.findings).ok());
    std::ofstream(ballast) << std::string(size_t{8} << 20, 'x');
    const FuzzSummary summary = Run(options, [&](const FuzzSummary& state) {
      if (state.harness_faults > 0) fs::remove(ballast);
    });
    EXPECT_FALSE(fs::exists(ballast)) << "nothing failed: the test tests nothing";
    EXPECT_EQ(summary.cases, options.count);
    EXPECT_THAT(summary.harness_fault_examples, Contains(HasSubstr("No space left")));
    EXPECT_THAT(summary.harness_fault_examples,
                Not(Contains(HasSubstr("could not be done to the end"))));
    EXPECT_NE(Reported(summary), Counts());
    EXPECT_EQ(Stored("disk/findings"), Reported(summary));
  }
  EXPECT_EQ(umount2(disk.c_str(), MNT_DETACH), 0);
}

// Something stands where the folder of a finding belongs, to the end of the run.
TEST_F(LoopHardshipTest, AFindingThatCannotBeWrittenIsNamedAtTheEnd) {
  const Counts expected = Reported(Run(Options(kWrongResult, "first")));
  ASSERT_NE(expected, Counts());
  const std::string blocked = expected.begin()->first;
  fs::create_directory(folder_ / "findings");
  std::ofstream(folder_ / ("findings/" + blocked)) << "not a folder";
  const FuzzSummary summary = Run(Options(kWrongResult));
  EXPECT_EQ(summary.cases, kCases);
  EXPECT_EQ(Reported(summary), expected);
  EXPECT_GT(summary.harness_faults, 0u);
  EXPECT_THAT(summary.harness_fault_examples, Contains(HasSubstr(blocked)));
}

}  // namespace
}  // namespace irate
