#include "triage/version_check.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::SizeIs;
using Outcome = VersionVerdict::Outcome;

VersionVerdict Verdict(const std::string& version, Outcome outcome) {
  return {.version = version, .outcome = outcome, .output = ""};
}

// An interpreter that says which version it has, and ends with `code` otherwise.
void MakePython(const std::string& venv, const std::string& version, int code) {
  std::filesystem::create_directories(venv + "/bin");
  const std::string path = venv + "/bin/python";
  std::ofstream(path) << "#!/bin/sh\nif [ \"$1\" = -c ]; then echo " << version
                      << "; exit 0; fi\necho ran; exit " << code << "\n";
  chmod(path.c_str(), 0755);
}

TEST(VersionCheckTest, FindsEnvironmentsOldestFirstAndRunsEach) {
  TemporaryFolder folder;
  MakePython(folder / "venvs/x", "0.10.0", 0);
  MakePython(folder / "venvs/y", "0.9.0", 1);
  MakePython(folder / "venvs/z", "0.11.0", 2);
  std::filesystem::create_directories(folder / "venvs/empty");
  std::ofstream(folder / "reproducer.py") << "\n";
  const std::vector<InstalledVersion> versions = FindVersions(folder / "venvs", "");
  ASSERT_THAT(versions, SizeIs(3));
  EXPECT_EQ(versions[0].version, "0.9.0");
  const absl::StatusOr<std::vector<VersionVerdict>> verdicts =
      CheckVersions(folder / "reproducer.py", versions, std::chrono::milliseconds(10'000));
  ASSERT_TRUE(verdicts.ok()) << verdicts.status();
  EXPECT_EQ((*verdicts)[0].outcome, Outcome::kFails);
  EXPECT_EQ((*verdicts)[1].outcome, Outcome::kPasses);
  EXPECT_EQ((*verdicts)[2].outcome, Outcome::kCannotTell);
  EXPECT_EQ((*verdicts)[0].output, "ran\n");
  EXPECT_TRUE(absl::IsNotFound(
      CheckVersions(folder / "none.py", versions, std::chrono::milliseconds(1'000)).status()));

  BucketLife life;
  ApplyVerdicts(*verdicts, "now", &life);
  EXPECT_EQ(life.state, BucketState::kFixed);
  EXPECT_THAT(life.verdicts, SizeIs(2));
}

TEST(VersionCheckTest, SaysWhereItBeginsAndEnds) {
  const Outcome fails = Outcome::kFails;
  const Outcome passes = Outcome::kPasses;
  EXPECT_EQ(DescribeVerdicts({Verdict("1", fails), Verdict("2", fails)}), "fails in 1 to 2");
  EXPECT_EQ(DescribeVerdicts({Verdict("1", passes), Verdict("2", fails)}),
            "fails in 2, passes in 1");
  EXPECT_EQ(DescribeVerdicts({Verdict("1", fails), Verdict("2", passes)}),
            "fails in 1, fixed in 2");
  EXPECT_EQ(DescribeVerdicts({Verdict("1", passes), Verdict("2", passes)}), "passes everywhere");
  EXPECT_EQ(DescribeVerdicts({Verdict("1", Outcome::kCannotTell), Verdict("2", fails)}),
            "fails in 2; cannot tell in 1");
  EXPECT_EQ(DescribeVerdicts({Verdict("1", Outcome::kCannotTell)}),
            "no version could tell; cannot tell in 1");
}

}  // namespace
}  // namespace irate
