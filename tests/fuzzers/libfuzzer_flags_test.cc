#include "fuzzers/libfuzzer_flags.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LibFuzzerFlagsTest, OursAndThoseOfLibFuzzer) {
  const auto flags = ParseLibFuzzerFlags(
      {"-seed=1", "--target=selftest", "-ignore_crashes=1", "corpus", "--deadline=2.5",
       "--disable=stmt.if", "--no-mutation", "-error_exitcode=5", "-print_final_stats=0"});
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_EQ(flags->target, "selftest");
  EXPECT_EQ(flags->deadline, 2.5);
  EXPECT_THAT(flags->disabled_features, ElementsAre("stmt.if"));
  EXPECT_FALSE(flags->mutation);
  EXPECT_TRUE(flags->feedback);
  EXPECT_TRUE(flags->GoesOn());
  EXPECT_EQ(flags->error_exitcode, 5);
  EXPECT_FALSE(flags->print_final_stats);
}

TEST(LibFuzzerFlagsTest, ForksStopAtFindingsInTheirChildren) {
  EXPECT_FALSE(ParseLibFuzzerFlags({"-ignore_crashes=1", "-fork=2"})->GoesOn());
  EXPECT_FALSE(ParseLibFuzzerFlags({"-ignore_crashes=1", "-features_dir=x"})->GoesOn());
  EXPECT_FALSE(ParseLibFuzzerFlags({})->GoesOn());
}

TEST(LibFuzzerFlagsTest, WhatIsWrongIsNamed) {
  for (const std::string wrong : {"--targets=tvm", "--deadline=0", "--deadline=x",
                                  "--disable=nothing", "--encoded=zz", "--no-mutation=1"}) {
    const auto flags = ParseLibFuzzerFlags({wrong});
    ASSERT_FALSE(flags.ok()) << wrong;
    EXPECT_THAT(std::string(flags.status().message()), HasSubstr(wrong));
  }
}

TEST(LibFuzzerFlagsTest, LibFuzzerIsToldWhatFitsCases) {
  EXPECT_THAT(ForLibFuzzer({"tvm_passes", "-runs=3"}),
              ElementsAre("tvm_passes", "-runs=3", "-max_len=65536"));
  EXPECT_THAT(ForLibFuzzer({"tvm_passes", "-max_len=10"}),
              ElementsAre("tvm_passes", "-max_len=10"));
  const std::vector<std::string> with_timeout = ForLibFuzzer({"tvm_passes", "-timeout=25"});
  EXPECT_THAT(with_timeout, Contains("-timeout=1200"));
  EXPECT_EQ(ParseLibFuzzerFlags({with_timeout.begin() + 1, with_timeout.end()})->deadline, 25);
}

TEST(LibFuzzerFlagsTest, WhatAShellWouldTakeApartComesBack) {
  const std::string json = R"(--target-options={"kind": "llvm", "x": "a'b$c"})";
  const std::vector<std::string> told = ForLibFuzzer({"tvm_passes", json});
  EXPECT_THAT(told[1], HasSubstr("--encoded="));
  const auto flags = ParseLibFuzzerFlags({told.begin() + 1, told.end()});
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_EQ("--target-options=" + flags->target_options, json);
}

}  // namespace
}  // namespace irate
