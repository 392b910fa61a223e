// A stored finding of a seeded fault through the bench: reduced, named, still of that fault; and
// gone on with.
#include "bench/triage/triage_bench.h"

#include "bench/faults/fault_text.h"
#include "bench/triage/fault_truth.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text.h"

namespace irate {
namespace {

constexpr char kFault[] = "hoist-drops-else";

TEST(TriageBenchTest, ReducesWhatIsPendingAndNothingTwice) {
  TriageBenchOptions options;
  options.harness.worker.executable = IRATE_WORKER_PATH;
  options.rules_text = BuiltinFaultText();
  options.rules = *rewrite::ParseRules(options.rules_text);
  options.cases = 0;  // no search
  options.full = false;
  options.budget = 10;
  int changes = 0;
  options.changed = [&changes](const TriageRecords&) {
    ++changes;
    return absl::OkStatus();
  };
  TriageRecords records;
  TriageRecord record;
  record.fault = kFault;
  record.oracle = "pass-mismatch";
  record.culprit = "s_tir.transform.HoistIfThenElse";
  record.found = "pass-mismatch-tvm-s_tir.HoistIfThenElse-value";
  Case original = *ReadCaseFile(std::string("bench/faults/cases/") + kFault + ".irate");
  original.clear_faults();
  original.add_faults(kFault);
  record.original = PrintCase(original);
  records.records.push_back(record);
  record.fault = "no-such-fault";
  records.records.push_back(record);

  ASSERT_TRUE(RunTriageBench(options, &records).ok());
  EXPECT_EQ(changes, 2);
  const TriageRecord& done = records.records[0];
  ASSERT_TRUE(done.done);
  EXPECT_EQ(done.error, "");
  EXPECT_EQ(done.origin, Origin::kOwn);
  EXPECT_LT(done.after.nodes, done.before.nodes);
  EXPECT_THAT(done.signature, ::testing::StartsWith(done.found));
  EXPECT_THAT(records.records[1].error, ::testing::HasSubstr("no such fault"));

  ASSERT_TRUE(RunTriageBench(options, &records).ok());
  EXPECT_EQ(changes, 2) << "nothing is left to do";
}

}  // namespace
}  // namespace irate
