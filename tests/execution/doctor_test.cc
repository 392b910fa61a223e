// The doctor passes what works, and says of what does not what is wrong.
#include "execution/doctor.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> Names(const DoctorReport& report) {
  std::vector<std::string> names;
  for (const DoctorCheck& check : report.checks) names.push_back(check.name);
  return names;
}

class DoctorTest : public testing::TestWithParam<std::string> {};

TEST_P(DoctorTest, EveryPlantedFaultIsDetected) {
  WorkerOptions options = SelftestOptions();
  options.target = GetParam();
  const DoctorReport report = RunDoctor(options);
  EXPECT_TRUE(report.ok()) << report.ToText();
  EXPECT_THAT(Names(report), ElementsAre("start", "threads", "sound", "crash", "stack-overflow",
                                         "hang", "memory", "out-of-bounds", "miscompile"));
  EXPECT_FALSE(report.target_version.empty());
  EXPECT_GT(report.respawn_ms, 0);
  EXPECT_GT(report.round_trip_us, 0);
  EXPECT_THAT(report.ToText(), HasSubstr("ok    out-of-bounds"));
}

INSTANTIATE_TEST_SUITE_P(Targets, DoctorTest, testing::Values(IRATE_TEST_TARGETS),
                         [](const auto& info) { return info.param; });

TEST(DoctorFailureTest, WorkerThatDoesNotStart) {
  WorkerOptions options = SelftestOptions();
  options.executable = "/nonexistent/irate-worker";
  const DoctorReport report = RunDoctor(options);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(Names(report), ElementsAre("start"));
  ASSERT_NE(report.Find("start"), nullptr);
  EXPECT_THAT(report.Find("start")->detail, HasSubstr("/nonexistent/irate-worker"));
  EXPECT_EQ(report.Find("crash"), nullptr);
  EXPECT_THAT(report.ToText(), HasSubstr("FAIL  start"));
}

// A deadline that no answer meets: everything is taken for a hang, and nothing is called well.
TEST(DoctorFailureTest, WorkerThatNeverAnswers) {
  WorkerOptions options = SelftestOptions();
  options.deadline = std::chrono::milliseconds(0);
  const DoctorReport report = RunDoctor(options);
  EXPECT_FALSE(report.ok());
  EXPECT_FALSE(report.Find("sound")->passed);
  EXPECT_FALSE(report.Find("miscompile")->passed);
  EXPECT_FALSE(report.Find("out-of-bounds")->passed);
}

}  // namespace
}  // namespace irate
