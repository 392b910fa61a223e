#include "triage/finding_store.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/file.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "tests/triage/programs.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;
using ::irate::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Sighting MakeSighting(const std::string& signature = "pass-mismatch-tvm-A-value") {
  Sighting sighting;
  sighting.finding.set_signature(signature);
  sighting.finding.set_oracle("pass-mismatch");
  sighting.finding.set_target("tvm");
  sighting.finding.set_culprit("tirx.transform.A");
  sighting.finding.set_shape("value");
  sighting.finding.set_summary("A changes a result from 1 to 2");
  sighting.test_case = RichCase();
  sighting.compiler_version = "0.27.0";
  sighting.reproducer = "print('hello')\n";
  sighting.reproducer_verified = true;
  sighting.log = "log\n";
  return sighting;
}

nlohmann::json ReadJson(const std::string& path) {
  return nlohmann::json::parse(*ReadFile(path, 1 << 20));
}

TEST(FindingStoreTest, RecordsAFolderThatAPersonOpens) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder / "findings");
  const Sighting sighting = MakeSighting();
  const absl::StatusOr<bool> stored = store.Record(sighting);
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_TRUE(*stored);
  EXPECT_TRUE(store.Contains(sighting.finding.signature()));

  const std::string path = store.PathOf(sighting.finding.signature());
  const absl::StatusOr<Case> read = ReadCaseFile(path + "/case.irate");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->SerializeAsString(), sighting.test_case.SerializeAsString());
  EXPECT_EQ(*ReadFile(path + "/reproducer.py", 1 << 20), sighting.reproducer);
  EXPECT_EQ(*ReadFile(path + "/log.txt", 1 << 20), "log\n");
  const nlohmann::json json = ReadJson(path + "/finding.json");
  EXPECT_EQ(json["signature"], sighting.finding.signature());
  EXPECT_EQ(json["culprit"], "tirx.transform.A");
  EXPECT_EQ(json["count"], 1);
  EXPECT_EQ(json["versions"], nlohmann::json({"0.27.0"}));
  EXPECT_EQ(json["reproduced"], true);
  EXPECT_EQ(json["reproducer_verified"], true);
}

TEST(FindingStoreTest, KeepsTheSmallestCaseAndCountsAll) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  Sighting sighting = MakeSighting();
  ASSERT_TRUE(*store.Record(sighting));
  EXPECT_FALSE(store.WouldStore(sighting.finding.signature(), CaseSize(sighting.test_case)));
  EXPECT_FALSE(*store.Record(sighting));

  Sighting smaller = sighting;
  smaller.compiler_version = "0.28.0";
  smaller.test_case.mutable_module()
      ->mutable_functions(0)
      ->mutable_body(0)
      ->mutable_body()
      ->RemoveLast();
  EXPECT_TRUE(*store.Record(smaller));
  ASSERT_TRUE(store.Count(sighting.finding.signature(), 5).ok());

  const std::vector<StoredFinding> list = *store.List();
  ASSERT_THAT(list, SizeIs(1));
  EXPECT_EQ(list[0].count, 8u);
  EXPECT_TRUE(list[0].problem.empty());
  EXPECT_EQ(ReadCaseFile(list[0].path + "/case.irate")->SerializeAsString(),
            smaller.test_case.SerializeAsString());
  EXPECT_EQ(ReadJson(list[0].path + "/finding.json")["versions"],
            nlohmann::json({"0.27.0", "0.28.0"}));
}

TEST(FindingStoreTest, SeveralWritersLoseNoCount) {
  TemporaryFolder folder;
  constexpr int kWriters = 4;
  constexpr int kEach = 25;
  std::vector<pid_t> writers;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      const absl::StatusOr<FindingStore> store = FindingStore::Open(folder.path());
      for (int n = 0; n < kEach; ++n) {
        if (!store.ok() || !store->Record(MakeSighting()).ok()) _exit(1);
      }
      _exit(0);
    }
    writers.push_back(pid);
  }
  for (const pid_t pid : writers) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::vector<StoredFinding> list = *FindingStore::Open(folder.path())->List();
  ASSERT_THAT(list, SizeIs(1));
  EXPECT_EQ(list[0].count, static_cast<uint64_t>(kWriters * kEach));
}

TEST(FindingStoreTest, ADamagedFindingIsReportedAndKeptAside) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  const Sighting sighting = MakeSighting();
  ASSERT_TRUE(store.Record(sighting).ok());
  const std::string json = store.PathOf(sighting.finding.signature()) + "/finding.json";
  std::ofstream(json) << "{\"signature\": ";
  const std::vector<StoredFinding> list = *store.List();
  ASSERT_THAT(list, SizeIs(1));
  EXPECT_THAT(list[0].problem, HasSubstr("not a finding.json"));
  EXPECT_EQ(list[0].finding.signature(), sighting.finding.signature());

  EXPECT_FALSE(*store.Record(sighting)) << "the database remembers";
  EXPECT_EQ(*ReadFile(json + ".damaged", 1 << 20), "{\"signature\": ");
  EXPECT_EQ(ReadJson(json)["count"], 2);
}

TEST(FindingStoreTest, AnUnwritableFolderIsAClearError) {
  if (geteuid() == 0) {
    // Root may write anywhere but where no file can be.
    const absl::Status status = FindingStore::Open("/proc/findings").status();
    EXPECT_THAT(std::string(status.message()), HasSubstr("/proc/findings"));
    EXPECT_FALSE(status.ok());
    return;
  }
  TemporaryFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0500), 0);
  const absl::Status status = FindingStore::Open(folder / "findings").status();
  ASSERT_EQ(chmod(folder.path().c_str(), 0700), 0);
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder / "findings"));
}

TEST(FindingStoreTest, AFullDiskIsAClearErrorAndLeavesNoFinding) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  Sighting sighting = MakeSighting();
  sighting.log = std::string(1 << 20, 'x');
  // A limit on the size of files fails as a full disk does, in the middle of a write.
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {64 << 10, 64 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    const absl::Status status = store.Record(sighting).status();
    const bool says_why = status.message().find("log.txt") != absl::string_view::npos;
    _exit(!status.ok() && says_why ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(store.Contains(sighting.finding.signature()));
  for (const auto& entry :
       std::filesystem::directory_iterator(store.PathOf(sighting.finding.signature()))) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));
  }
}

TEST(SignaturesInTest, NamesFoldersThatHoldAFinding) {
  TemporaryFolder folder;
  const FindingStore store = *FindingStore::Open(folder.path());
  ASSERT_TRUE(store.Record(MakeSighting("b")).ok());
  ASSERT_TRUE(store.Record(MakeSighting("a")).ok());
  std::filesystem::create_directory(folder / "c");
  EXPECT_THAT(*SignaturesIn(folder.path()), ElementsAre("a", "b"));
  EXPECT_THAT(*SignaturesIn(folder / "absent"), ::testing::IsEmpty());
}

}  // namespace
}  // namespace irate
