#include "triage/run_command.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

TEST(RunCommandTest, ReportsExitCodeAndOutput) {
  const absl::StatusOr<CommandResult> result = RunCommand(
      {"/bin/sh", "-c", "echo out; echo err >&2; pwd; exit 7"}, "/usr", milliseconds(20'000));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, 7);
  EXPECT_FALSE(result->timed_out);
  EXPECT_EQ(result->output, "out\nerr\n/usr\n");
}

TEST(RunCommandTest, ReportsSignals) {
  const absl::StatusOr<CommandResult> result =
      RunCommand({"/bin/sh", "-c", "kill -SEGV $$"}, "/", milliseconds(20'000));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, -1);
  EXPECT_EQ(result->signal, 11);
}

TEST(RunCommandTest, EndsTheWholeGroupAtTheDeadline) {
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<CommandResult> result =
      RunCommand({"/bin/sh", "-c", "echo started; sleep 100 & sleep 100"}, "/", milliseconds(300));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->signal, 9);
  EXPECT_EQ(result->output, "started\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(RunCommandTest, KeepsABoundedOutput) {
  const absl::StatusOr<CommandResult> result =
      RunCommand({"/bin/sh", "-c", "head -c 1000000 /dev/zero"}, "/", milliseconds(20'000));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output.size(), 65536u);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(RunCommandTest, AMissingProgramOrFolderIsAnError) {
  EXPECT_TRUE(
      absl::IsNotFound(RunCommand({"/no/such/program"}, "/", milliseconds(1'000)).status()));
  const absl::Status status =
      RunCommand({"/bin/true"}, "/no/such/folder", milliseconds(20'000)).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace irate
