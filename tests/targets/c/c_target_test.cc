// C compilers as compilers under test.
#include "targets/c/c_target.h"

#include <fstream>

#include "case_maker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "statement_cases.h"
#include "targets/c/c_spec.h"
#include "targets/c/compiler.h"

namespace irate {
namespace {

using namespace build;
using c_target_test::CaseMaker;
using testing::HasSubstr;

TargetSpec Spec(const std::string& options) {
  TargetSpec spec;
  spec.set_target("c");
  spec.set_options(options);
  return spec;
}

VariantObservation RunOn(const Case& test_case, const std::string& options) {
  const std::unique_ptr<Target> target = MakeCTarget();
  EXPECT_TRUE(target->Load().ok());
  Progress progress;
  return target->Run(test_case, Spec(options), PassSequence(), TargetOptions(), &progress);
}

TEST(CTargetTest, EveryDefaultSpecAgreesWithTheInterpreter) {
  const std::unique_ptr<Target> target = MakeCTarget();
  ASSERT_TRUE(target->Load().ok());
  EXPECT_THAT(target->Version(), HasSubstr("clang version 22"));
  EXPECT_GE(target->DefaultSpecs().size(), 2u);
  std::vector<Case> cases = c_target_test::BlockCases();
  for (const TargetSpec& spec : target->DefaultSpecs()) {
    for (const Case& one : cases) {
      SCOPED_TRACE(spec.options() + " " + one.generator());
      Progress progress;
      const VariantObservation seen =
          target->Run(one, spec, PassSequence(), TargetOptions(), &progress);
      ASSERT_EQ(seen.failure().kind(), Failure::NONE) << seen.failure().message();
      EXPECT_FALSE(seen.compiler_version().empty());
      const auto reference = Interpret(one.module(), one.inputs());
      ASSERT_TRUE(reference.ok());
      const std::vector<Tensor> outputs(seen.outputs().begin(), seen.outputs().end());
      const auto difference = Compare(*reference, outputs);
      EXPECT_FALSE(difference.has_value()) << difference->ToString();
    }
  }
}

// A compiler of ours: a script that does what a broken compiler does.
class FakeCompiler {
 public:
  explicit FakeCompiler(const std::string& script)
      : directory_(*c_target::ScratchDirectory::Create()), path_(directory_.path() + "/cc") {
    std::ofstream(path_) << "#!/bin/sh\n"
                         << "[ \"$1\" = --version ] && { echo fake 1; exit 0; }\n"
                         << script << "\n";
    EXPECT_EQ(chmod(path_.c_str(), 0700), 0);
  }
  std::string Options() const { return R"({"compiler": ")" + path_ + R"("})"; }

 private:
  c_target::ScratchDirectory directory_;
  std::string path_;
};

Case Simple() { return c_target_test::BlockCases()[0]; }

TEST(CTargetTest, TellsFailuresOfTheCompilerApart) {
  const VariantObservation refused =
      RunOn(Simple(), FakeCompiler("echo 'error: no'; exit 1").Options());
  EXPECT_EQ(refused.failure().kind(), Failure::DIAGNOSTIC);
  EXPECT_EQ(refused.failure().stage(), STAGE_BUILD);
  EXPECT_THAT(refused.failure().message(), HasSubstr("error: no"));

  const VariantObservation internal =
      RunOn(Simple(), FakeCompiler("echo 'cc1: internal compiler error: oops'; exit 1").Options());
  EXPECT_EQ(internal.failure().kind(), Failure::INTERNAL_ERROR);

  const VariantObservation died = RunOn(Simple(), FakeCompiler("kill -SEGV $$").Options());
  EXPECT_EQ(died.failure().kind(), Failure::SIGNAL);
  EXPECT_EQ(died.failure().signal(), SIGSEGV);

  const VariantObservation missing = RunOn(Simple(), R"({"compiler": "no-such-compiler"})");
  EXPECT_EQ(missing.failure().kind(), Failure::HARNESS);
}

// A compiler that swaps an operator: the kind of fault that the oracles look for.
TEST(CTargetTest, ShowsAMiscompilation) {
  CaseMaker make("subtract");
  const uint32_t a = make.Param("a", I32, 4);
  make.Range(0, 1, 9);
  make.Add(Store(a, Binary(SUB, make.Load(a, {I32Const(0)}), I32Const(5)), {I32Const(0)}));
  const Case one = make.Done();
  const FakeCompiler wrong(
      "for last in \"$@\"; do case $last in *.c) sed -i 's/ - 5/ + 5/' $last;; esac; done\n"
      "exec clang-22 \"$@\"");
  const VariantObservation seen = RunOn(one, wrong.Options());
  ASSERT_EQ(seen.failure().kind(), Failure::NONE) << seen.failure().message();
  const auto reference = Interpret(one.module(), one.inputs());
  ASSERT_TRUE(reference.ok());
  EXPECT_TRUE(Compare(*reference, {seen.outputs().begin(), seen.outputs().end()}).has_value());
}

TEST(CTargetTest, ShowsCrashesOfTheGeneratedCode) {
  const FakeCompiler wrong(
      "for last in \"$@\"; do case $last in *.c) echo 'int irate_entry(void** a) "
      "{ (void)a; __builtin_trap(); }' > $last;; esac; done\nexec clang-22 \"$@\"");
  const VariantObservation seen = RunOn(Simple(), wrong.Options());
  EXPECT_EQ(seen.failure().kind(), Failure::SIGNAL);
  EXPECT_EQ(seen.failure().stage(), STAGE_RUN);
  EXPECT_EQ(seen.failure().signal(), SIGILL);
}

TEST(CTargetTest, AnUnprintableProgramIsNotTheCompilersFault) {
  CaseMaker make("barrier");
  make.Add(c_target_test::Plain(BARRIER));
  const VariantObservation seen = RunOn(make.Done(), "");
  EXPECT_EQ(seen.failure().kind(), Failure::HARNESS);
  EXPECT_EQ(seen.failure().stage(), STAGE_LOWER);
}

TEST(CTargetTest, OptionsAreChecked) {
  EXPECT_TRUE(c_target::ParseSpec("").ok());
  const auto spec =
      c_target::ParseSpec(R"({"compiler": "gcc", "opt": "-O3", "flags": ["-fwrapv"]})");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(c_target::ParseSpec(c_target::FormatSpec(*spec))->flags, spec->flags);
  for (const std::string bad :
       {"{", "[]", R"({"level": 3})", R"({"opt": 3})", R"({"flags": "-g"})", R"({"flags": [1]})"}) {
    EXPECT_EQ(c_target::ParseSpec(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

TEST(CTargetTest, PrintsItsNativeForm) {
  const auto text = MakeCTarget()->PrintNative(Simple(), Spec(""), PassSequence(), 0);
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("int irate_entry(void** args)"));
}

}  // namespace
}  // namespace irate
