// A recorded finding reduced fully, named anew, blamed; with a target that commits faults on
// request.
#include "triage/retriage.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "tests/execution/worker_testing.h"
#include "tests/triage/programs.h"
#include "tests/triage/temporary_folder.h"
#include "triage/blame.h"
#include "triage/finding_probe.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;
using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kWrongPass[] = R"({"fault": "wrong-pass", "stage": "pass", "step": 1})";
constexpr char kWrongResult[] = R"({"fault": "wrong-result", "stage": "run"})";

Case FaultyCase(const std::string& fault) {
  Case test_case = RichCase();
  *test_case.add_targets() = SelftestSpec("");  // a second variant, without the fault
  *test_case.add_targets() = SelftestSpec(fault);
  return test_case;
}

ReduceFindingOptions Options(int jobs) {
  ReduceFindingOptions options;
  options.harness.worker = SelftestOptions();
  options.jobs = jobs;
  return options;
}

TEST(ReduceFindingTest, ReducesInSeveralWorkersToTheSameAsInOne) {
  const absl::StatusOr<ReducedFinding> one = ReduceFinding(FaultyCase(kWrongPass), "", Options(1));
  const absl::StatusOr<ReducedFinding> two = ReduceFinding(FaultyCase(kWrongPass), "", Options(2));
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_TRUE(one->finished);
  EXPECT_EQ(one->reduced.SerializeAsString(), two->reduced.SerializeAsString());
  EXPECT_EQ(one->reduced.targets_size(), 1) << "only the variant with the finding";
  EXPECT_LT(one->after.nodes, one->before.nodes);
  EXPECT_EQ(one->trials, 1);
  EXPECT_EQ(one->fallbacks, 0);
  EXPECT_EQ(one->finding.oracle(), "pass-mismatch");
}

TEST(ReduceFindingTest, ACaseWithoutTheFindingIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(ReduceFinding(RichCase(), "hang-tvm", Options(1)).status()));
  EXPECT_TRUE(
      absl::IsNotFound(ReduceFinding(FaultyCase(kWrongPass), "hang-tvm", Options(1)).status()));
}

TEST(RetriageTest, ABucketMovesToTheSignatureOfItsReducedCase) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  Sighting sighting;
  sighting.finding.set_signature("pass-mismatch-cut-short");
  sighting.finding.set_oracle("pass-mismatch");
  sighting.test_case = FaultyCase(kWrongPass);
  sighting.compiler_version = "1";
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(store.Record(sighting).ok());

  const absl::StatusOr<ReducedFinding> reduced = ReduceFinding(sighting.test_case, "", Options(1));
  ASSERT_TRUE(reduced.ok()) << reduced.status();
  RetriageOptions options;
  options.harness.worker = SelftestOptions();
  const absl::StatusOr<std::string> path =
      StoreReduced(store.PathOf("pass-mismatch-cut-short"), *reduced, options);
  ASSERT_TRUE(path.ok()) << path.status();
  const std::vector<StoredBucket> buckets = *store.Buckets();
  ASSERT_THAT(buckets, SizeIs(1));
  EXPECT_EQ(buckets[0].record.finding.signature(), reduced->finding.signature());
  EXPECT_EQ(buckets[0].record.count, 4U);
  EXPECT_EQ(buckets[0].record.life.history.back().detail, "pass-mismatch-cut-short");
  EXPECT_TRUE(std::filesystem::exists(folder / ".merged/pass-mismatch-cut-short/case.irate"));
  EXPECT_EQ(ReadCaseFile(*path + "/case.irate")->SerializeAsString(),
            reduced->reduced.SerializeAsString());
  EXPECT_TRUE(std::filesystem::exists(*path + "/tensors.json"));

  // A second bucket of the same cause joins it.
  ASSERT_TRUE(store.Record(sighting).ok());
  ASSERT_TRUE(StoreReduced(store.PathOf("pass-mismatch-cut-short"), *reduced, options).ok());
  ASSERT_THAT(*store.Buckets(), SizeIs(1));
  EXPECT_EQ((*store.Buckets())[0].record.count, 5U);
}

absl::StatusOr<Blame> BlameOf(const std::string& fault) {
  const HarnessOptions options = Options(1).harness;
  const std::unique_ptr<Harness> harness = *Harness::Create(options);
  const absl::StatusOr<Finding> finding = FindSignature(*harness, FaultyCase(fault), "");
  if (!finding.ok()) return finding.status();
  return BlameFinding(FaultyCase(fault), *finding, options, 2, [] { return false; });
}

TEST(BlameTest, NamesThePassesAndOptionsThatAreNeeded) {
  const absl::StatusOr<Blame> pass = BlameOf(kWrongPass);
  ASSERT_TRUE(pass.ok()) << pass.status();
  EXPECT_GE(pass->passes.size(), 1U);
  EXPECT_LE(static_cast<int>(pass->passes.size()), pass->passes_before);
  EXPECT_THAT(pass->options, ::testing::Contains(HasSubstr("fault=")));

  const absl::StatusOr<Blame> code = BlameOf(kWrongResult);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_THAT(code->passes, SizeIs(1)) << "code generation is to blame: any one pass will do";
}

}  // namespace
}  // namespace irate
