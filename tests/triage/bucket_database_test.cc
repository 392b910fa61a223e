// Buckets: the database and the folders say the same, whichever of them is lost.
#include "triage/bucket_database.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "ir/text.h"
#include "tests/triage/programs.h"
#include "tests/triage/temporary_folder.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

namespace fs = std::filesystem;
using ::irate::testing::RichCase;
using ::irate::testing::TemporaryFolder;
using ::testing::SizeIs;

Sighting MakeSighting(const std::string& signature, const std::string& version = "0.27.0") {
  Sighting sighting;
  sighting.finding.set_signature(signature);
  sighting.finding.set_oracle("pass-mismatch");
  sighting.finding.set_target("tvm");
  sighting.finding.set_culprit("tirx.transform.A");
  sighting.finding.set_summary("A changes a result");
  sighting.test_case = RichCase();
  sighting.compiler_version = version;
  return sighting;
}

void Write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(BucketDatabaseTest, KeepsCountsVersionsTheCaseAndTheState) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  ASSERT_TRUE(store.Record(MakeSighting("a")).ok());
  ASSERT_TRUE(store.Record(MakeSighting("a", "0.26.0")).ok());
  ASSERT_TRUE(store.Record(MakeSighting("b")).ok());
  ASSERT_TRUE(store.Count("b", 5).ok());
  ASSERT_TRUE(
      store
          .Update("a",
                  [](FindingRecord* record) { return ApplyMute("reported", "now", &record->life); })
          .ok());
  const std::vector<StoredBucket> buckets = *store.Buckets();
  ASSERT_THAT(buckets, SizeIs(2));
  EXPECT_EQ(buckets[0].record.finding.signature(), "b") << "muted buckets come later";
  EXPECT_EQ(buckets[0].record.count, 6U);
  EXPECT_EQ(buckets[1].record.life.mute_reason, "reported");
  EXPECT_EQ(OldestFailing(buckets[1].record.life), "0.26.0");

  bool is_new = true;
  BucketDatabase database = *BucketDatabase::Open(folder.path(), &is_new);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(*database.CaseText("a"), PrintCase(RichCase()));
  EXPECT_FALSE(database.Find("c")->has_value());
}

TEST(BucketDatabaseTest, IsMadeAnewFromTheFoldersIfItIsMissingOrDamaged) {
  TemporaryFolder folder;
  ASSERT_TRUE(FindingStore::Open(folder.path())->Record(MakeSighting("a")).ok());
  const std::string path = folder / std::string(kBucketDatabase);
  const std::string garbage(8'192, 'x');
  for (const bool damaged : {false, true}) {
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix);
    if (damaged) Write(path, garbage);
    const absl::StatusOr<FindingStore> store = FindingStore::Open(folder.path());
    ASSERT_TRUE(store.ok()) << store.status();
    const std::vector<StoredBucket> buckets = *store->Buckets();
    ASSERT_THAT(buckets, SizeIs(1));
    EXPECT_EQ(buckets[0].record.count, 1U);
    EXPECT_EQ(buckets[0].problem, "");
  }
  EXPECT_EQ(*ReadFile(path + ".damaged", 1 << 20), garbage);
}

TEST(BucketDatabaseTest, ADamagedFolderIsMendedFromTheDatabase) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store.Record(MakeSighting("a")).ok());
  Write(folder / "a/finding.json", "{");
  EXPECT_NE((*store.Buckets())[0].problem, "");
  ASSERT_TRUE(store.Record(MakeSighting("a")).ok());
  EXPECT_EQ(store.Read("a")->count, 4U);
}

TEST(BucketDatabaseTest, FoldersOfBeforeThereWereStatesAreNew) {
  TemporaryFolder folder;
  fs::create_directories(folder / "old");
  Write(folder / "old/finding.json",
        R"({"signature":"old","oracle":"hang","target":"tvm","culprit":"c","summary":"s",
            "count":7,"versions":["0.27.0"],"last_seen":"then"})");
  const std::vector<StoredBucket> buckets = *FindingStore::Open(folder.path())->Buckets();
  ASSERT_THAT(buckets, SizeIs(1));
  EXPECT_EQ(buckets[0].record.life.state, BucketState::kNew);
  EXPECT_EQ(buckets[0].record.count, 7U);
  EXPECT_TRUE(buckets[0].record.life.verdicts.at("0.27.0").fails);
}

TEST(BucketDatabaseTest, SeveralProcessesLoseNoSighting) {
  TemporaryFolder folder;
  constexpr int kProcesses = 4;
  constexpr int kEach = 10;
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() != 0) continue;
    const absl::StatusOr<FindingStore> store = FindingStore::Open(folder.path());
    bool ok = store.ok();
    for (int k = 0; ok && k < kEach; ++k) ok = store->Record(MakeSighting("a")).ok();
    _exit(ok ? 0 : 1);
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  bool is_new = true;
  BucketDatabase database = *BucketDatabase::Open(folder.path(), &is_new);
  EXPECT_EQ(database.Find("a")->value().count, static_cast<uint64_t>(kProcesses * kEach));
}

TEST(BucketDatabaseTest, NamesAreDataAndNotSql) {
  TemporaryFolder folder;
  bool is_new = false;
  BucketDatabase database = *BucketDatabase::Open(folder.path(), &is_new);
  FindingRecord record;
  record.finding.set_signature("x'; DROP TABLE bucket; --");
  ASSERT_TRUE(database.Put(record, "case").ok());
  EXPECT_THAT(*database.List(), SizeIs(1));
  EXPECT_EQ(*database.CaseText(record.finding.signature()), "case");
}

}  // namespace
}  // namespace irate
