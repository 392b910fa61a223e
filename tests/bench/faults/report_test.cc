#include "bench/faults/fault_bench.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

FaultReport Report() {
  FaultReport report;
  report.name = "a";
  report.reached = report.triggered = report.detected = true;
  report.oracle = report.expected_oracle = "pass-mismatch";
  report.culprit = report.expected_culprit = "p";
  report.cases = 12;
  report.seconds = 1.5;
  report.trials.resize(1);
  report.trials[0].summary = "text with a \xff byte";
  return report;
}

TEST(FaultReportTest, JsonHasTheFieldsThatTheDocumentNames) {
  const nlohmann::json array = nlohmann::json::parse(ToJson({Report()}));
  ASSERT_EQ(array.size(), 1u);
  for (const char* field : {"name", "null", "reached", "triggered", "detected", "oracle",
                            "expected_oracle", "culprit", "expected_culprit", "cases", "seconds"}) {
    EXPECT_TRUE(array[0].contains(field)) << field;
  }
  EXPECT_EQ(array[0]["null"], false);
  EXPECT_EQ(array[0]["cases"], 12);
}

TEST(FaultReportTest, ReadsBackWhatItWrote) {
  const std::string text = ToJson({Report()});
  const absl::StatusOr<std::vector<FaultReport>> reports = ReportsFromJson(text);
  ASSERT_TRUE(reports.ok()) << reports.status();
  EXPECT_EQ(ToJson(*reports), text);
  EXPECT_FALSE(ReportsFromJson("{}").ok());
  EXPECT_FALSE(ReportsFromJson("[").ok());
  EXPECT_FALSE(ReportsFromJson("[3]").ok());
}

TEST(FaultReportTest, WhatCountsAsExpected) {
  FaultReport report = Report();
  EXPECT_TRUE(report.IsAsExpected());
  report.culprit = "q";
  EXPECT_FALSE(report.IsAsExpected());
  report.is_null = true;
  EXPECT_FALSE(report.IsAsExpected());
  report.detected = false;
  EXPECT_TRUE(report.IsAsExpected());
  EXPECT_THAT(ToTable({report}), testing::HasSubstr("silent"));
  report.error = "no worker";
  EXPECT_FALSE(report.IsAsExpected());
}

}  // namespace
}  // namespace irate
