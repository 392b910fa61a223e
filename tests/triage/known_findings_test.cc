#include "triage/known_findings.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

void Write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(KnownFindings, AreFoldersAndWhatTheyNameBeside) {
  TemporaryFolder folder;
  Write(folder / "a/finding.json", "{}");
  Write(folder / "a/also.txt", "# the same function\na-2  # in another pass\n\na-3\n");
  Write(folder / "b/finding.json", "{}");
  Write(folder / "no-finding/also.txt", "c\n");
  const auto known = ReadKnownFindings(folder.path());
  ASSERT_TRUE(known.ok()) << known.status();
  const std::string a = folder / "a";
  EXPECT_THAT(*known, ElementsAre(Pair("a", a), Pair("a-2", a), Pair("a-3", a),
                                  Pair("b", std::string(folder / "b"))));
  EXPECT_THAT(Signatures(*known), ElementsAre("a", "a-2", "a-3", "b"));
}

TEST(KnownFindings, OfAnAbsentFolderAreNone) {
  TemporaryFolder folder;
  const auto known = ReadKnownFindings(folder / "absent");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_THAT(*known, IsEmpty());
}

TEST(KnownFindings, HaveOneCauseForASignature) {
  TemporaryFolder folder;
  Write(folder / "a/finding.json", "{}");
  Write(folder / "a/also.txt", "b\n");
  Write(folder / "b/finding.json", "{}");
  EXPECT_THAT(std::string(ReadKnownFindings(folder.path()).status().message()),
              HasSubstr("b is claimed by"));
}

// A line that nothing reads would hide a finding, or keep one that is known.
TEST(KnownFindings, OfThisRepositoryAreRead) {
  const auto known = ReadKnownFindings(IRATE_SOURCE_DIR "/corpus/known");
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_GT(known->size(), 20u);
}

}  // namespace
}  // namespace irate
