// The command line with the real compiler.
#include "gmock/gmock.h"
#include "tests/tools/cli_testing.h"

namespace irate {
namespace {

using ::irate::testing::CliTest;
using ::testing::HasSubstr;

TEST_F(CliTest, RunsACaseThroughTvm) {
  const CommandResult result = Irate({"run", CaseFile(), "--json", "run.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json json = Json("run.json");
  ASSERT_EQ(json["variants"].size(), 1u);
  const nlohmann::json& variant = json["variants"][0];
  EXPECT_EQ(variant["target"], "tvm");
  EXPECT_EQ(variant["ran"], true);
  EXPECT_GT(variant["steps"].size(), 40u);
}

TEST_F(CliTest, ShowsTvmScript) {
  const std::string path = CaseFile();
  const CommandResult result = Irate({"show", path, "--native"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("@T.prim_func"));
  const CommandResult after = Irate({"show", path, "--native", "--after", "20"});
  ASSERT_EQ(after.exit_code, 0) << after.output;
  EXPECT_NE(after.output, result.output);
}

TEST_F(CliTest, FuzzesTvm) {
  const CommandResult result = Irate({"fuzz", "--count", "60", "--seed", "11", "--jobs", "2",
                                      "--no-doctor", "--json", "fuzz.json"});
  // Whether these Cases find something depends on the version of TVM.
  EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 1)) << result.output;
  const nlohmann::json json = Json("fuzz.json");
  EXPECT_EQ(json["cases"], 60);
  EXPECT_EQ(json["harness_faults"], 0) << json["harness_fault_examples"];
  EXPECT_LT(json["inconclusive_share"], 0.05);
}

// A fault that is not there would make the compiler right, and whoever asked for it believe so.
TEST_F(CliTest, FaultsThatThereAreNotAreUsageErrors) {
  const std::string path = CaseFile();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", path}, {"fuzz", "--count", "1", "--no-doctor"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--fault", "flatten-transpose"});
    const CommandResult result = Irate(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.output, HasSubstr("there is no fault \"flatten-transpose\""));
    EXPECT_THAT(result.output, HasSubstr("flatten-transposed"));
  }
  const CommandResult idle = Irate({"run", path, "--fault", "code.read-before"});
  EXPECT_EQ(idle.exit_code, 2) << idle.output;
  EXPECT_THAT(idle.output, HasSubstr("instrumented runs only"));
}

TEST_F(CliTest, AFaultByItsNameIsFound) {
  ASSERT_TRUE(
      WriteFileAtomically(folder_ / "skip.fault",
                          "fault \"no-flattening\" {\n  pass FlattenBuffer\n  match { for $i "
                          "in 0..$n { $body... } }\n  do throw \"planted\"\n}\n")
          .ok());
  const std::string path = CaseFile();
  const CommandResult result =
      Irate({"run", path, "--faults", "skip.fault", "--fault", "no-flattening"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("planted"));
}

TEST_F(CliTest, SeedsAreRightAtEveryTier) {
  const CommandResult result =
      Irate({"bench", "seeds", "--count", "3", "--levels", "0,3", "--json", "seeds.json"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json json = Json("seeds.json");
  EXPECT_EQ(json["runs"], 6);
  EXPECT_EQ(json["reports"].size(), 0u);
  EXPECT_EQ(json["not_looked_at"].size(), 0u);
  // Calls that TVM's own checks let through are known and seen in each: so it looked.
  EXPECT_GE(json["known"], 6);
  const CommandResult none = Irate({"bench", "seeds", "--seeds", "nowhere"});
  EXPECT_EQ(none.exit_code, 3) << none.output;
}

TEST_F(CliTest, DoctorPassesOnTvm) {
  const CommandResult result = Irate({"doctor", "--json", "doctor.json"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(Json("doctor.json")["target"], "tvm");
}

}  // namespace
}  // namespace irate
