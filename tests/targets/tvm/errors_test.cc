#include "targets/tvm/errors.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate::tvm_target {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ClassifyErrorTest, FailedChecksAreInternal) {
  EXPECT_EQ(ClassifyError("InternalError", "Check failed: (x) is false"), Failure::INTERNAL_ERROR);
  EXPECT_EQ(ClassifyError("IndexError", "Index 3 out of bounds 2"), Failure::INTERNAL_ERROR);
  EXPECT_EQ(ClassifyError("RuntimeError", "InternalError: Check failed: (x) is false"),
            Failure::INTERNAL_ERROR);
}

TEST(ClassifyErrorTest, RefusalsAreDiagnostics) {
  for (const char* kind : {"ValueError", "TypeError", "RuntimeError", "ScheduleError",
                           "NotImplementedError", "DiagnosticError"}) {
    EXPECT_EQ(ClassifyError(kind, "unsupported"), Failure::DIAGNOSTIC) << kind;
  }
}

TEST(ClassifyErrorTest, MemoryRanOut) {
  EXPECT_EQ(ClassifyError("InternalError", "std::bad_alloc"), Failure::OUT_OF_MEMORY);
}

TEST(FramesOfTest, NamesOnlyInnermostFirst) {
  const std::string backtrace =
      R"(  File "/project/src/s_tir/transform/lower_opaque_block.cc", line 54, in virtual tvm::ffi::UnchangedOr<tvm::tirx::Stmt> tvm::s_tir::OpaqueBlockLower::Mutate_(const tvm::s_tir::SBlockRealizeNode*, tvm::ffi::InplaceMode)
  File "<unknown>", line 0, in tvm::ffi::UnchangedOr<tvm::ffi::Any> tvm::ObjectMutator::DispatchNode<tvm::tirx::StmtExprMutator, tvm::tirx::ForNode>(tvm::ffi::Object const*, tvm::ObjectMutator*, tvm::ffi::InplaceMode)
  File "<unknown>", line 0, in tvm::ObjectMutator::Mutate(tvm::ffi::AnyView, tvm::ffi::InplaceMode)
  File "/project/src/tirx/transform/make_packed_api.cc", line 217, in tvm::tirx::MakePackedAPI(PrimFunc)::<lambda()>
  File "<unknown>", line 0, in tvm::sym::(anonymous namespace)::Rule::operator()(int) const [clone .cold]
  File "/somewhere/targets/tvm/native.h", line 45, in Native<irate::tvm_target::Name<18UL>{"transform.RunPass"}, tvm::ffi::Any &>
  File "<unknown>", line 0, in tvm::not::reached()
)";
  EXPECT_THAT(FramesOf(backtrace), ElementsAre("tvm::s_tir::OpaqueBlockLower::Mutate_",
                                               "tvm::tirx::MakePackedAPI::lambda",
                                               "tvm::sym::anonymous::Rule::operator_call"));
}

TEST(FramesOfTest, EndsAtTheHarnessWithoutDebugInformation) {
  EXPECT_THAT(FramesOf("  File \"<unknown>\", line 0, in tvm::A::f(int)\n"
                       "  File \"<unknown>\", line 0, in irate::tvm_target::Lift(int)\n"
                       "  File \"<unknown>\", line 0, in main\n"),
              ElementsAre("tvm::A::f"));
}

TEST(FramesOfTest, OtherTextHasNoFrames) {
  EXPECT_THAT(FramesOf(""), SizeIs(0));
  EXPECT_THAT(FramesOf("nothing here\n, in\n"), SizeIs(0));
}

TEST(FramesOfTest, DeepStacksAreCut) {
  std::string backtrace;
  for (int i = 0; i < 100; ++i) backtrace += "  File \"a.cc\", line 1, in tvm::A::f(int)\n";
  EXPECT_THAT(FramesOf(backtrace), SizeIs(32));
}

}  // namespace
}  // namespace irate::tvm_target
