// The libFuzzer binary as a user runs it, on the selftest target.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fuzzers/case_codec.h"
#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "ir/text.h"
#include "tests/triage/temporary_folder.h"
#include "triage/run_command.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kWrongResult[] = R"(--target-options={"fault": "wrong-result", "stage": "run"})";

class LibFuzzerTest : public ::testing::Test {
 protected:
  // In an empty folder, without the proof of detection, which has tests of its own.
  CommandResult Fuzz(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {IRATE_FUZZER_PATH, "--target=selftest", "--no-doctor", "--sanitize=0"});
    const absl::StatusOr<CommandResult> result =
        RunCommand(arguments, folder_.path(), std::chrono::seconds(200));
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(CommandResult());
  }

  std::vector<std::string> Files(const std::string& name, const std::string& prefix = "") {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / name, error)) {
      const std::string file = entry.path().filename().string();
      if (file.starts_with(prefix) && entry.is_regular_file()) names.push_back(file);
    }
    std::ranges::sort(names);
    return names;
  }

  std::vector<std::string> Findings(const std::string& name = "findings") {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / name, error)) {
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  void MakeFolder(const std::string& name) { std::filesystem::create_directory(folder_ / name); }

  // A Case of the selftest target.
  std::string CaseFile(const std::string& name, uint64_t seed) {
    Case test_case = GenerateCase(seed);
    test_case.add_targets()->set_target("selftest");
    std::ofstream(folder_ / name, std::ios::binary) << EncodeCase(test_case);
    return name;
  }

  TemporaryFolder folder_;
};

TEST_F(LibFuzzerTest, TheSameSeedGivesTheSameCasesAndFindings) {
  std::vector<std::string> corpora[2];
  for (int i = 0; i < 2; ++i) {
    const std::string corpus = i == 0 ? "a" : "b";
    MakeFolder(corpus);
    const CommandResult result = Fuzz({"-seed=1", "-runs=200", "-ignore_crashes=1", kWrongResult,
                                       "--findings=found-" + corpus, corpus});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Done 200 runs"));
    corpora[i] = Files(corpus);  // named by their contents
  }
  EXPECT_GT(corpora[0].size(), 10u);
  EXPECT_EQ(corpora[0], corpora[1]);
  EXPECT_THAT(Findings("found-a"), Not(IsEmpty()));
  EXPECT_EQ(Findings("found-a"), Findings("found-b"));
}

TEST_F(LibFuzzerTest, NothingFoundIsExitCode0) {
  const CommandResult result = Fuzz({"-seed=2", "-runs=60", "-print_final_stats=1"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("stat::number_of_executed_units: 60"),
                                   HasSubstr("stat::irate_features"), HasSubstr("mutator")));
  EXPECT_THAT(Files("", "crash-"), IsEmpty());
}

TEST_F(LibFuzzerTest, AFindingStopsTheRunAndItsFileReplays) {
  const CommandResult found = Fuzz({"-seed=3", "-runs=200", kWrongResult, "-artifact_prefix=out-"});
  EXPECT_EQ(found.exit_code, 77) << found.output;
  EXPECT_THAT(found.output, HasSubstr("ERROR: irate: codegen-mismatch"));
  EXPECT_THAT(found.output, HasSubstr("SUMMARY: irate: codegen-mismatch"));
  EXPECT_THAT(found.output, HasSubstr("Test unit written to out-crash-"));
  const std::vector<std::string> artifacts = Files("", "out-crash-");
  ASSERT_THAT(artifacts, SizeIs(1));
  ASSERT_THAT(Findings(), SizeIs(1));

  // The file alone says what runs: no options of the target are given here.
  const CommandResult replayed = Fuzz({artifacts[0], "--findings=again"});
  EXPECT_EQ(replayed.exit_code, 77) << replayed.output;
  EXPECT_THAT(replayed.output, HasSubstr("Running: " + artifacts[0]));
  EXPECT_EQ(Findings("again"), Findings());
  const CommandResult other_code = Fuzz({artifacts[0], "-error_exitcode=9"});
  EXPECT_EQ(other_code.exit_code, 9);

  // Once it is known it does not stop anything.
  const CommandResult known = Fuzz({artifacts[0], "--known=findings", "--findings=third"});
  EXPECT_EQ(known.exit_code, 0) << known.output;
  EXPECT_THAT(Findings("third"), IsEmpty());
}

TEST_F(LibFuzzerTest, ACrashOfTheCompilerIsAFindingAndNotOneOfTheFuzzer) {
  const CommandResult result =
      Fuzz({"-seed=4", "-runs=50", R"(--target-options={"fault": "segv", "stage": "pass"})"});
  EXPECT_EQ(result.exit_code, 77) << result.output;
  EXPECT_THAT(result.output, HasSubstr("ERROR: irate: compiler-crash"));
  EXPECT_THAT(result.output, Not(HasSubstr("deadly signal")));
}

TEST_F(LibFuzzerTest, ReplayedFilesAreJudgedOrRejectedWithTheReason) {
  const CommandResult fine = Fuzz({CaseFile("case", 5)});
  EXPECT_EQ(fine.exit_code, 0) << fine.output;
  EXPECT_THAT(fine.output, Not(HasSubstr("rejected")));
  std::ofstream(folder_ / "damaged") << "no Case at all";
  const CommandResult damaged = Fuzz({"damaged"});
  EXPECT_EQ(damaged.exit_code, 0) << damaged.output;
  EXPECT_THAT(damaged.output, HasSubstr("rejected an input of 14 bytes: the input is no Case"));
  // The text form, as `irate show` prints it and corpus/seeds has it.
  Case text = GenerateCase(6);
  text.add_targets()->set_target("selftest");
  ASSERT_TRUE(WriteCaseFile(folder_ / "case.irate", text).ok());
  const CommandResult as_text = Fuzz({"case.irate"});
  EXPECT_EQ(as_text.exit_code, 0) << as_text.output;
  EXPECT_THAT(as_text.output, Not(HasSubstr("rejected")));
}

TEST_F(LibFuzzerTest, MergeKeepsWhatAddsCoverage) {
  MakeFolder("all");
  MakeFolder("few");
  for (uint64_t i = 0; i < 12; ++i) {
    const std::string name = "all/" + std::to_string(i);
    CaseFile(name, i);
    CaseFile(name + "-again", i);
  }
  const CommandResult result = Fuzz({"-merge=1", "few", "all"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(Files("few"), Not(IsEmpty()));
  EXPECT_LE(Files("few").size(), 12u) << "no Case twice";
}

TEST_F(LibFuzzerTest, ForkRunsChildrenAndReportsTheirFinding) {
  MakeFolder("corpus");
  CaseFile("corpus/a", 1);
  const CommandResult fine = Fuzz({"-fork=1", "-runs=40", "-max_total_time=20", "corpus"});
  EXPECT_EQ(fine.exit_code, 0) << fine.output;
  const CommandResult found =
      Fuzz({"-fork=1", "-max_total_time=60", kWrongResult, "corpus", "-artifact_prefix=f-"});
  EXPECT_EQ(found.exit_code, 77) << found.output;
  EXPECT_THAT(found.output, HasSubstr("ERROR: irate: codegen-mismatch"));
  EXPECT_THAT(Files("", "f-crash-"), SizeIs(1));
}

TEST_F(LibFuzzerTest, TimeIsKept) {
  const auto start = std::chrono::steady_clock::now();
  const CommandResult result = Fuzz({"-seed=7", "-max_total_time=2"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_THAT(result.output, HasSubstr("DONE"));
}

TEST_F(LibFuzzerTest, WrongFlagsAndAMissingWorkerHaveTheirExitCodes) {
  const CommandResult wrong = Fuzz({"--no-such-flag"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.output, HasSubstr("--no-such-flag"));
  EXPECT_EQ(Fuzz({"--disable=no.such.feature"}).exit_code, 2);
  const CommandResult help = Fuzz({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("--findings"));
  const CommandResult missing = Fuzz({"-runs=5", "--worker=/no/such/worker"});
  EXPECT_EQ(missing.exit_code, 3) << missing.output;
  EXPECT_THAT(missing.output, HasSubstr("/no/such/worker"));
}

TEST_F(LibFuzzerTest, SwitchesOfTheAblation) {
  MakeFolder("a");
  EXPECT_EQ(Fuzz({"-seed=1", "-runs=30", "--no-mutation", "-print_final_stats=1"}).exit_code, 0);
  const CommandResult blind =
      Fuzz({"-seed=1", "-runs=30", "--no-feedback", "-print_final_stats=1", "a"});
  EXPECT_EQ(blind.exit_code, 0) << blind.output;
  EXPECT_THAT(blind.output, HasSubstr("stat::irate_features: 0"));
}

#ifdef IRATE_HAS_TVM
TEST_F(LibFuzzerTest, RunsTheRealCompiler) {
  MakeFolder("corpus");
  // A later flag wins over the fixture's.
  const CommandResult result =
      Fuzz({"--target=tvm", "-seed=1", "-runs=8", "-ignore_crashes=1", "corpus"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("Done 8 runs"));
  EXPECT_THAT(Files("corpus"), Not(IsEmpty()));
}
#endif

}  // namespace
}  // namespace irate
