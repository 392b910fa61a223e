// A worker that cannot be started is an error that says what happened and what to do.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "execution/worker_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

absl::Status StartError(const WorkerOptions& options) {
  const auto worker = WorkerClient::Start(options);
  EXPECT_FALSE(worker.ok());
  return worker.status();
}

absl::Status StartError(const std::string& executable) {
  WorkerOptions options = SelftestOptions();
  options.executable = executable;
  options.start_deadline = std::chrono::milliseconds(500);
  return StartError(options);
}

// A shell script in place of the worker.
std::string Script(const std::string& name, const std::string& body) {
  const std::string path = testing::TempDir() + "/worker_start_test_" + name;
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  chmod(path.c_str(), 0755);
  return path;
}

TEST(WorkerStartTest, MissingExecutable) {
  const absl::Status status = StartError("/nonexistent/irate-worker");
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("/nonexistent/irate-worker"), HasSubstr("ninja irate-worker")));
}

TEST(WorkerStartTest, FileWithoutPermission) {
  const std::string path = Script("plain", "exit 0");
  chmod(path.c_str(), 0644);
  EXPECT_TRUE(absl::IsPermissionDenied(StartError(path)));
  EXPECT_TRUE(absl::IsPermissionDenied(StartError(testing::TempDir())));
}

TEST(WorkerStartTest, FileThatIsNoProgram) {
  const std::string path = testing::TempDir() + "/worker_start_test_text";
  std::ofstream(path) << "no program\n";
  chmod(path.c_str(), 0755);
  const absl::Status status = StartError(path);
  EXPECT_THAT(std::string(status.message()), HasSubstr(path)) << status;
}

TEST(WorkerStartTest, ProcessThatEndsAtOnce) {
  const absl::Status status = StartError(Script("ends", "echo libfoo.so is missing >&2; exit 7"));
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("exit status 7"), HasSubstr("libfoo.so is missing")));
}

TEST(WorkerStartTest, ProcessThatDies) {
  const absl::Status status = StartError(Script("dies", "kill -SEGV $$"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("SIGSEGV")) << status;
}

TEST(WorkerStartTest, ProcessThatSaysNothing) {
  const auto start = std::chrono::steady_clock::now();
  const absl::Status status = StartError(Script("silent", "echo loading; exec sleep 600"));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("500 ms"), HasSubstr("loading")));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(WorkerStartTest, ProcessThatTalksNonsense) {
  const absl::Status status = StartError(Script("nonsense", "echo this is no protocol >&3"));
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not speak the worker protocol"));
}

// A Hello of protocol 999: field 1, varint.
TEST(WorkerStartTest, OtherProtocolVersion) {
  const absl::Status status =
      StartError(Script("other", R"(printf '\003\000\000\000\010\347\007' >&3; exec cat <&3)"));
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("speaks protocol 999"), HasSubstr("build both again")));
}

TEST(WorkerStartTest, UnknownTarget) {
  WorkerOptions options = SelftestOptions();
  options.target = "bogus";
  const absl::Status status = StartError(options);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("no target 'bogus'"), HasSubstr("selftest")));
}

TEST(WorkerStartTest, NothingIsLeftBehind) {
  const int files = OpenFileCount();
  EXPECT_FALSE(StartError(Script("ends", "exit 7")).ok());
  EXPECT_FALSE(StartError(Script("silent", "exec sleep 600")).ok());
  EXPECT_FALSE(StartError("/nonexistent/irate-worker").ok());
  EXPECT_EQ(OpenFileCount(), files);
  EXPECT_TRUE(Descendants(getpid()).empty());
}

}  // namespace
}  // namespace irate
