#include "bench/triage/triage_record.h"

#include "bench/faults/fault_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/rewrite/rule.h"

namespace irate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TriageRecord Done(const std::string& fault, const std::string& signature, int64_t nodes_left) {
  TriageRecord record;
  record.fault = fault;
  record.signature = signature;
  record.done = true;
  record.origin = Origin::kOwn;
  record.before = {.nodes = 100, .statements = 20, .passes = 50};
  record.after = {.nodes = nodes_left, .statements = 2, .passes = 1};
  record.seconds = 1.5;
  record.reduced = "irate 1";
  return record;
}

TriageRecords Some() {
  TriageRecords records;
  records.seed = 7;
  records.full = true;
  records.cases = 400;
  records.records = {Done("a", "x", 10), Done("a", "x", 20), Done("b", "x", 60)};
  records.records[1].origin = Origin::kSibling;
  records.records[2].origin = Origin::kMixed;
  TriageRecord pending;
  pending.fault = "c";
  pending.index = 12;
  pending.original = "irate 1\n";
  records.records.push_back(pending);
  TriageRecord failed = pending;
  failed.done = true;
  failed.error = "no worker";
  records.records.push_back(failed);
  return records;
}

TEST(TriageRecordTest, SummarisesWhatIsDone) {
  const TriageSummary summary = Summarise(Some());
  EXPECT_EQ(summary.findings, 3u);
  EXPECT_EQ(summary.errors, 1u);
  EXPECT_EQ(summary.slips, 1u);
  EXPECT_EQ(summary.mixed, 1u);
  EXPECT_EQ(summary.lost, 0u);
  EXPECT_EQ(summary.buckets, 1u);
  EXPECT_EQ(summary.faults, 2u);
  EXPECT_DOUBLE_EQ(summary.fewer_nodes.median, 0.8);
  EXPECT_DOUBLE_EQ(summary.fewer_nodes.max, 0.4);
  EXPECT_DOUBLE_EQ(summary.nodes.max, 60);
  EXPECT_DOUBLE_EQ(summary.pairs.Precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(summary.pairs.Recall(), 1);
}

TEST(TriageRecordTest, WhatIsWrittenCanBeGoneOnWith) {
  const absl::StatusOr<TriageRecords> read = TriageRecordsFromJson(ToJson(Some()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), ToJson(Some()));
  EXPECT_EQ(read->records[3].index, 12u);
  EXPECT_FALSE(read->records[3].done);
  for (const char* bad : {"", "[]", "{}", R"({"records": 1})", R"({"records": [1]})",
                          R"({"records": [{"fault": 3}]})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(TriageRecordsFromJson(bad).status())) << bad;
  }
}

TEST(TriageRecordTest, TheTextNamesWhatIsMixedUp) {
  EXPECT_THAT(ToText(Some()),
              HasSubstr("buckets of several faults\n  x\n       2  a\n       1  b"));
}

TEST(WithSiblingsTest, FaultsOfOnePassAreOnTogether) {
  const std::vector<rewrite::Rule> rules = *rewrite::ParseRules(BuiltinFaultText());
  const auto of = [&](const std::string& name) {
    return WithSiblings(*std::ranges::find(rules, name, &rewrite::Rule::name), rules);
  };
  EXPECT_THAT(of("unroll-order"),
              ElementsAre("unroll-skips-tail", "unroll-order", "unroll-same-index"));
  // One that hangs is on for its own findings only.
  EXPECT_THAT(of("unroll-hangs"), Contains("unroll-hangs"));
  EXPECT_THAT(of("unroll-order"), Not(Contains("null-nothing")));
  EXPECT_THAT(of("code-read-after"), ElementsAre("code.read-after"));
}

}  // namespace
}  // namespace irate
