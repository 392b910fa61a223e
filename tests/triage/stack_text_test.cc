// ClusterFuzz reads our stacks: by its own parser where that is installed, and by the expression
// that it takes frames with.
#include "triage/stack_text.h"

#include <signal.h>
#include <unistd.h>

#include <regex>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "tests/triage/temporary_folder.h"
#include "triage/run_command.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;

Failure MakeFailure() {
  Failure failure;
  failure.set_kind(Failure::SIGNAL);
  failure.set_signal(SIGSEGV);
  failure.add_frames("tvm::sym::Analyzer::Bind(tvm::Var const&)");
  failure.add_frames("tvm::tirx::StmtSimplifier::VisitStmt_");
  failure.add_frames("tvm::ffi::TypedFunction<tvm::IRModule (int)>::Run() const");
  failure.add_frames("libtvm_runtime.so+0x8e1c0");
  return failure;
}

TEST(StackTextTest, IsInTheFormatOfAddressSanitizer) {
  const std::string text = StackText(MakeFailure());
  EXPECT_THAT(text, HasSubstr("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x"));
  // SAN_STACK_FRAME_REGEX of clusterfuzz/stacktraces/constants.py, what it takes our lines with.
  const std::regex frame(
      R"(\s*#(\d+)\s+([xX0-9a-fA-F]+)\s+((in\s*(.*) (\(([^+]+)(\+([xX0-9a-fA-F]+))?\)))|(\((.*)\+([xX0-9a-fA-F]+)\))))");
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, frame)) names.push_back(match[5]);
  }
  ASSERT_EQ(names.size(), 4U) << text;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(names[static_cast<size_t>(i)], MakeFailure().frames(i));
}

TEST(StackTextTest, IsEmptyWithoutFrames) { EXPECT_EQ(StackText(Failure()), ""); }

TEST(StackTextTest, NamesTheSanitizersError) {
  Failure failure = MakeFailure();
  failure.set_kind(Failure::SANITIZER);
  failure.set_error_kind("heap-buffer-overflow");
  EXPECT_THAT(StackText(failure), HasSubstr("AddressSanitizer: heap-buffer-overflow on"));
}

TEST(StackTextTest, ClusterFuzzGetsOurFramesBack) {
  const std::string python = IRATE_CLUSTERFUZZ_PYTHON;
  if (access(python.c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no clusterfuzz: scripts/install-clusterfuzz";
  }
  TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "stack.txt", StackText(MakeFailure())).ok());
  const absl::StatusOr<CommandResult> run = RunCommand(
      {python, "-B", IRATE_SOURCE_DIR "/tests/triage/clusterfuzz_parse.py", folder / "stack.txt"},
      folder.path(), std::chrono::milliseconds(60'000));
  ASSERT_TRUE(run.ok()) << run.status();
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_THAT(run->output,
              HasSubstr("state: tvm::sym::Analyzer::Bind|"
                        "tvm::tirx::StmtSimplifier::VisitStmt_|tvm::ffi::TypedFunction"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(run->output, HasSubstr("frame: " + MakeFailure().frames(i)));
  }
}

}  // namespace
}  // namespace irate
