#include "oracles/normalise.h"

#include <signal.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

TEST(NormaliseMessageTest, TakesOutNumbersAddressesAndProgramNames) {
  EXPECT_EQ(NormaliseMessage("buffer C_1 at 0x7ffe12 has 128 elements, x3", {"C"}),
            "buffer V at ADDR has N elements, xN");
}

TEST(NormaliseMessageTest, PrefersTheLineOfTheFailedCheck) {
  EXPECT_EQ(NormaliseMessage("Traceback (most recent call last):\n  File \"a.cc\", line 3\n"
                             "InternalError: Check failed: (i < n) is false: for C[4]\nmore",
                             {}),
            "InternalError: Check failed: (i < n) is false");
}

TEST(NormaliseMessageTest, IsBoundedAndEmptyForNothing) {
  EXPECT_EQ(NormaliseMessage(std::string(9'000, 'x'), {}).size(), 100u);
  EXPECT_EQ(NormaliseMessage("\n \n", {}), "");
}

TEST(NormaliseReasonTest, KeepsTheRule) {
  EXPECT_EQ(NormaliseReason("out of bounds: index 17 of C"), "out of bounds");
  EXPECT_EQ(NormaliseReason("division by zero"), "division by zero");
}

TEST(NormaliseFrameTest, DropsTemplatesParametersAndReturnTypes) {
  EXPECT_EQ(NormaliseFrame("tvm::arith::Foo<int, A<B>>::Bar(tvm::Any const&) [clone .cold]"),
            "tvm::arith::Foo::Bar");
  EXPECT_EQ(NormaliseFrame("void tvm::Call<long>(int)"), "tvm::Call");
  EXPECT_EQ(NormaliseFrame("tvm::(anonymous namespace)::Go(int)"), "tvm::anon::Go");
  EXPECT_EQ(NormaliseFrame("tvm::X::operator()(int) const"), "tvm::X::operator()");
  EXPECT_EQ(NormaliseFrame("main"), "main");
  EXPECT_EQ(NormaliseFrame("libtvm_compiler.so+0x8e1c0"), "libtvm_compiler.so");
}

TEST(TopFramesTest, LeavesOutTheHandlingOfTheSignal) {
  google::protobuf::RepeatedPtrField<std::string> frames;
  for (const char* frame : {"raise", "abort", "tvm::A(int)", "tvm::B()", "tvm::C()", "main"}) {
    *frames.Add() = frame;
  }
  EXPECT_EQ(TopFrames(frames, 3), "tvm::A.tvm::B.tvm::C");
  EXPECT_EQ(TopFrames({}, 3), "");
}

TEST(SignalNameTest, NamesSignals) {
  EXPECT_EQ(SignalName(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(SignalName(SIGABRT), "SIGABRT");
  EXPECT_EQ(SignalName(200), "signal-200");
}

TEST(ProgramNamesTest, AreThoseOfFunctionsVariablesAndBuffers) {
  Module module;
  Function* function = module.add_functions();
  function->set_name("main");
  function->add_variables()->set_name("i");
  function->add_buffers()->set_name("A");
  EXPECT_THAT(ProgramNames(module), ::testing::ElementsAre("A", "i", "main"));
}

}  // namespace
}  // namespace irate
