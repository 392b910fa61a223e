#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "gmock/gmock.h"
#include "tests/tools/cli_testing.h"

namespace irate {
namespace {

using ::irate::testing::CliTest;

using ::testing::HasSubstr;

// A program in which the planted wrong pass shows.
constexpr char kSmallCase[] = R"(irate 1
inputs seed 1 {
}

func @main(buffer A, buffer B) {
  var i: i32
  buffer A: i32[16]
  buffer B: i32[16]

  for i in 0..16 parallel {
    B[i] = A[i] * 3 + 7
  }
}
)";
constexpr char kWrongPass[] = R"({"fault": "wrong-pass", "stage": "pass", "step": 1})";

TEST_F(CliTest, HelpEverywhere) {
  CommandResult result = Irate({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* command : {"fuzz", "run", "show", "generate", "doctor"}) {
    EXPECT_THAT(result.output, HasSubstr(command));
    const CommandResult help = Irate({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(help.output, HasSubstr("Exit codes")) << command;
  }
  EXPECT_EQ(Irate({"--version"}).exit_code, 0);
}

TEST_F(CliTest, UsageErrorsExitWithTwo) {
  EXPECT_EQ(Irate({}).exit_code, 2);
  EXPECT_EQ(Irate({"no-such-command"}).exit_code, 2);
  EXPECT_EQ(Irate({"fuzz", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(Irate({"fuzz", "--jobs", "-3"}).exit_code, 2);
  EXPECT_EQ(Irate({"run"}).exit_code, 2);
  const CommandResult result = Irate({"generate", "--disable", "no_such_feature"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("no_such_feature"));
  EXPECT_EQ(Irate({"generate", "--family", "no_such_family"}).exit_code, 2);
  EXPECT_EQ(Irate({"fuzz", "--family", "no_such_family"}).exit_code, 2);
}

TEST_F(CliTest, AMissingOrDamagedCaseIsNamed) {
  CommandResult result = Irate({"run", "absent.irate"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("absent.irate"));
  std::ofstream(folder_ / "damaged.irate") << "this is no Case";
  for (const char* command : {"run", "show"}) {
    result = Irate({command, "damaged.irate"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.output, HasSubstr("damaged.irate"));
    EXPECT_THAT(result.output, HasSubstr("line 1"));
  }
}

TEST_F(CliTest, AMissingWorkerSaysWhatToDo) {
  const std::string path = CaseFile();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", path}, {"fuzz", "--count", "1"}, {"doctor"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--worker", "/no/such/worker"});
    const CommandResult result = Irate(arguments);
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_THAT(result.output, HasSubstr("./quickstart"));
  }
}

TEST_F(CliTest, AnUnknownTargetIsAnEnvironmentProblem) {
  const CommandResult result = Irate({"run", CaseFile(), "--target", "no-such-target"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.output, HasSubstr("no-such-target"));
}

TEST_F(CliTest, GenerateIsDeterministic) {
  ASSERT_EQ(Irate({"generate", "--seed", "9", "--count", "20", "--out", "a"}).exit_code, 0);
  ASSERT_EQ(
      Irate({"generate", "--seed", "9", "--first", "5", "--count", "2", "--out", "b"}).exit_code,
      0);
  for (const char* name : {"case-000005.irate", "case-000006.irate"}) {
    EXPECT_EQ(*ReadFile(folder_ / "a/" + name, 1 << 20), *ReadFile(folder_ / "b/" + name, 1 << 20));
  }
  EXPECT_NE(*ReadFile(folder_ / "a/case-000005.irate", 1 << 20),
            *ReadFile(folder_ / "a/case-000006.irate", 1 << 20));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "a"), {}), 20);
}

TEST_F(CliTest, GenerateCounts) {
  const CommandResult result = Irate({"generate", "--count", "50", "--stats", "--json",
                                      "stats.json", "--disable", "loop.parallel"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("50 cases"));
  const nlohmann::json json = Json("stats.json");
  EXPECT_EQ(json["cases"], 50);
  EXPECT_EQ(json["features"]["loop.parallel"], 0);
  EXPECT_GT(json["cases_per_second"], 0);
  EXPECT_LT(json["drop_rate"], 0.2);
  double families = 0;
  for (const auto& [family, share] : json["families"].items()) families += share.get<double>();
  EXPECT_DOUBLE_EQ(families, 1.0);
}

// The Cases of a seed carry the passes that were asked for; the programs stay the same.
TEST_F(CliTest, GenerateAddsPassSequences) {
  // Device programs never walk.
  const std::vector<std::string> common = {"generate", "--seed",  "9",         "--count",
                                           "40",       "--stats", "--disable", "family.device"};
  for (const std::string kind : {"default", "options", "strict", "wild"}) {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), {"--sequences", kind, "--json", kind + ".json"});
    ASSERT_EQ(Irate(arguments).exit_code, 0) << kind;
    EXPECT_EQ(Json(kind + ".json")["sequences"], nlohmann::json({{kind, 1.0}}));
    EXPECT_EQ(Json(kind + ".json")["families"], Json("default.json")["families"]);
  }
  const CommandResult mixed = Irate({"generate", "--seed", "9", "--count", "100", "--stats"});
  EXPECT_THAT(mixed.output, HasSubstr("passes  strict"));
}

TEST_F(CliTest, SequencesThatThereAreNotAreUsageErrors) {
  const CommandResult unknown = Irate({"fuzz", "--sequences", "mild", "--count", "1"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("there are: mix default options strict wild"));
  const CommandResult no_map = Irate(
      {"fuzz", "--target", "selftest", "--sequences", "strict", "--count", "1", "--no-doctor"});
  EXPECT_EQ(no_map.exit_code, 2);
  EXPECT_THAT(no_map.output, HasSubstr("the target selftest has no pass map"));
}

TEST_F(CliTest, ShowPrintsACaseThatReadsBack) {
  const std::string path = CaseFile();
  const CommandResult result = Irate({"show", path});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output, *ReadFile(folder_ / path, 1 << 20));
  EXPECT_THAT(Irate({"show", path, "--inputs"}).output, HasSubstr("np."));
  const CommandResult passes = Irate({"show", path, "--passes", "--target", "selftest"});
  EXPECT_EQ(passes.exit_code, 0) << passes.output;
  EXPECT_THAT(passes.output, HasSubstr("as lowered"));
}

TEST_F(CliTest, RunReportsWhatTheOraclesSay) {
  const std::string path = "small.irate";
  std::ofstream(folder_ / path) << kSmallCase;
  CommandResult result = Irate({"run", path, "--target", "selftest"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("no findings"));

  result = Irate(
      {"run", path, "--target", "selftest", "--target-options", kWrongPass, "--json", "run.json"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("pass-mismatch-selftest-selftest.SerialiseLoops"));
  const nlohmann::json json = Json("run.json");
  EXPECT_EQ(json["reference"]["status"], "DEFINED");
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["oracle"], "pass-mismatch");
  EXPECT_EQ(json["findings"][0]["culprit"], "selftest.SerialiseLoops");
}

TEST_F(CliTest, FuzzFindsNothingWhereNothingIsPlanted) {
  const CommandResult result = Irate({"fuzz", "--target", "selftest", "--count", "30", "--jobs",
                                      "2", "--seed", "3", "--json", "fuzz.json", "--no-doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("no findings"));
  const nlohmann::json json = Json("fuzz.json");
  EXPECT_EQ(json["cases"], 30);
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["findings"].size(), 0u);
  EXPECT_EQ(json["harness_faults"], 0) << json["harness_fault_examples"];
}

TEST_F(CliTest, FuzzRecordsWhatIsPlantedAndKnowsItNextTime) {
  const std::vector<std::string> command = {"fuzz",     "--target", "selftest", "--target-options",
                                            kWrongPass, "--count",  "10",       "--jobs",
                                            "2",        "--seed",   "3",        "--no-doctor"};
  std::vector<std::string> first = command;
  first.insert(first.end(), {"--json", "fuzz.json"});
  CommandResult result = Irate(first);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("SIGNATURE"));
  const nlohmann::json json = Json("fuzz.json");
  ASSERT_GT(json["findings"].size(), 0u);
  for (const nlohmann::json& finding : json["findings"]) {
    EXPECT_EQ(finding["oracle"], "pass-mismatch");
    EXPECT_EQ(finding["culprit"], "selftest.SerialiseLoops");
    const std::string path = finding["path"];
    EXPECT_EQ(path, "findings/" + finding["signature"].get<std::string>());
    EXPECT_TRUE(std::filesystem::exists(folder_ / path + "/case.irate"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / path + "/finding.json"));
    // The recorded Case shows the finding by itself.
    EXPECT_EQ(Irate({"run", path + "/case.irate"}).exit_code, 1);
  }
  std::vector<std::string> second = command;
  second.insert(second.end(), {"--known", "findings", "--findings", "other"});
  result = Irate(second);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("known"));
}

TEST_F(CliTest, FuzzRefusesWhereItCannotWrite) {
  const CommandResult result = Irate({"fuzz", "--target", "selftest", "--count", "5", "--findings",
                                      "/proc/findings", "--no-doctor"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("/proc/findings"));
  EXPECT_EQ(Irate({"generate", "--out", "/proc/cases"}).exit_code, 3);
}

TEST_F(CliTest, AnInterruptEndsWithTheSummary) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (chdir(folder_.path().c_str()) != 0) _exit(99);
    execl(IRATE_PATH, IRATE_PATH, "fuzz", "--target", "selftest", "--jobs", "2", "--json",
          "fuzz.json", "--no-doctor", nullptr);
    _exit(98);
  }
  std::this_thread::sleep_for(std::chrono::seconds(2));
  ASSERT_EQ(kill(pid, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const nlohmann::json json = Json("fuzz.json");
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_GT(json["cases"], 0);
}

TEST_F(CliTest, DoctorProvesEachOracle) {
  const CommandResult result = Irate({"doctor", "--target", "selftest", "--json", "doctor.json"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json json = Json("doctor.json");
  EXPECT_EQ(json["ok"], true);
  std::set<std::string> names;
  for (const nlohmann::json& check : json["checks"]) {
    EXPECT_EQ(check["ok"], true) << check;
    names.insert(check["name"]);
  }
  for (const char* oracle :
       {"compiler-crash", "hang", "out-of-memory", "internal-error", "pass-mismatch",
        "generated-code-crash", "codegen-mismatch", "broken-promise", "rejected", "silence"}) {
    EXPECT_TRUE(names.contains(std::string("oracle ") + oracle)) << oracle;
  }
}

}  // namespace
}  // namespace irate
