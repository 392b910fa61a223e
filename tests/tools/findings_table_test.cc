#include "tools/findings_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/progress_line.h"

namespace irate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

JobSighting Sighting(const std::string& signature, JobSighting::Outcome outcome) {
  JobSighting sighting;
  sighting.set_outcome(outcome);
  sighting.mutable_finding()->set_signature(signature);
  sighting.mutable_finding()->set_oracle("pass-mismatch");
  sighting.mutable_finding()->set_culprit("tirx.transform.A");
  if (outcome == JobSighting::RECORDED) sighting.set_path("findings/" + signature);
  return sighting;
}

FuzzSummary Summary() {
  FuzzSummary summary;
  JobProgress progress;
  progress.set_cases(200);
  progress.set_dropped_undefined(2);
  progress.set_elements(1'000);
  progress.set_inconclusive(10);
  summary.Add(progress);
  summary.seconds = 10;
  summary.Add(Sighting("rare", JobSighting::RECORDED));
  JobSighting verified = Sighting("frequent", JobSighting::RECORDED);
  verified.set_reproducer_verified(true);
  summary.Add(verified);
  summary.Add(Sighting("frequent", JobSighting::RECORDED));
  for (int i = 0; i < 3; ++i) summary.Add(Sighting("old", JobSighting::KNOWN));
  summary.Add(Sighting("", JobSighting::NOT_REPRODUCED));
  return summary;
}

TEST(SummaryTest, CountsByOutcome) {
  const FuzzSummary summary = Summary();
  EXPECT_EQ(summary.NewFindings(), 2u);
  EXPECT_EQ(summary.findings.size(), 3u);
  EXPECT_EQ(summary.not_reproduced, 1u);
  EXPECT_DOUBLE_EQ(summary.InconclusiveShare(), 0.01);
}

TEST(SummaryTextTest, ListsNewFindingsByCountAndKnownOnesLast) {
  const std::string text = SummaryText(Summary());
  const size_t frequent = text.find("frequent");
  const size_t rare = text.find("rare");
  const size_t old = text.find("old");
  EXPECT_LT(frequent, rare);
  EXPECT_LT(rare, old);
  EXPECT_THAT(text, HasSubstr("findings/frequent/reproducer.py"));
  EXPECT_THAT(text, HasSubstr("findings/rare/case.irate"));
  EXPECT_THAT(text, HasSubstr("1 findings did not show in a fresh worker"));
}

TEST(SummaryTextTest, SaysSoWhereThereIsNothing) {
  EXPECT_THAT(SummaryText(FuzzSummary()), HasSubstr("no findings"));
  EXPECT_THAT(SummaryText(FuzzSummary()), Not(HasSubstr("SIGNATURE")));
}

TEST(SummaryJsonTest, HasTheKeysThatScriptsRelyOn) {
  const auto json = nlohmann::json::parse(SummaryJson(Summary(), 7, 2));
  EXPECT_EQ(json["cases"], 200);
  EXPECT_EQ(json["dropped_undefined"], 2);
  EXPECT_EQ(json["seconds"], 10);
  ASSERT_EQ(json["findings"].size(), 3u);
  EXPECT_EQ(json["findings"][0]["signature"], "frequent");
  EXPECT_EQ(json["findings"][0]["count"], 2);
  EXPECT_EQ(json["findings"][0]["path"], "findings/frequent");
  EXPECT_EQ(json["findings"][0]["culprit"], "tirx.transform.A");
  EXPECT_EQ(json["findings"][0]["oracle"], "pass-mismatch");
  EXPECT_EQ(json["findings"][0]["known"], false);
  // Known ones come last, however frequent.
  EXPECT_EQ(json["findings"][2]["known"], true);
  EXPECT_EQ(json["findings"][2]["count"], 3);
}

TEST(ProgressTextTest, ShowsRateAndFindings) {
  EXPECT_EQ(ProgressText(Summary()), "10 s  200 cases  20.0/s  2 dropped  2 findings (1 known)");
}

}  // namespace
}  // namespace irate
