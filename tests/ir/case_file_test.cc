#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "ir/file.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class CaseFiles : public ::testing::Test {
 protected:
  CaseFiles() {
    std::string name = (fs::temp_directory_path() / "irate-case-files-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~CaseFiles() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  std::string Write(const std::string& name, const std::string& contents) const {
    std::ofstream(Path(name), std::ios::binary) << contents;
    return Path(name);
  }
  static std::string Slurp(const std::string& path) {
    std::ostringstream contents;
    contents << std::ifstream(path, std::ios::binary).rdbuf();
    return contents.str();
  }
  size_t FileCount() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  static void ExpectError(const std::string& path, absl::StatusCode code, const std::string& what) {
    const absl::StatusOr<Case> result = ReadCaseFile(path);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), code);
    EXPECT_THAT(std::string(result.status().message()), AllOf(HasSubstr(path), HasSubstr(what)));
  }

  fs::path directory_;
  const Case case_ = samples::All()[1].test_case;
};

TEST_F(CaseFiles, EveryFormReadsBack) {
  for (const samples::Sample& sample : samples::All()) {
    if (sample.lifted) continue;
    for (const char* suffix : {".irate", ".textproto", ".bin", ""}) {
      const std::string path = Path(sample.name + suffix);
      const absl::Status written = WriteCaseFile(path, sample.test_case);
      if (sample.name == "expressions" && std::string(suffix) == ".textproto") {
        // Protobuf text has one NaN only.
        EXPECT_EQ(written.code(), absl::StatusCode::kInvalidArgument);
        EXPECT_THAT(std::string(written.message()), HasSubstr("write it with the suffix .irate"));
        EXPECT_FALSE(fs::exists(path));
        continue;
      }
      ASSERT_TRUE(written.ok()) << written;
      const absl::StatusOr<Case> read = ReadCaseFile(path);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->SerializeAsString(), sample.test_case.SerializeAsString()) << path;
    }
  }
}

TEST_F(CaseFiles, TheFormIsThatOfTheSuffix) {
  ASSERT_TRUE(WriteCaseFile(Path("a.irate"), case_).ok());
  EXPECT_EQ(Slurp(Path("a.irate")), PrintCase(case_));
  ASSERT_TRUE(WriteCaseFile(Path("a.textproto"), case_).ok());
  EXPECT_THAT(Slurp(Path("a.textproto")), HasSubstr("version: 1"));
  ASSERT_TRUE(WriteCaseFile(Path("a"), case_).ok());
  EXPECT_EQ(Slurp(Path("a")), case_.SerializeAsString());
}

TEST_F(CaseFiles, MissingEmptyAndWrongKindsOfFile) {
  ExpectError(Path("none.irate"), absl::StatusCode::kNotFound, "No such file");
  ExpectError(Path("no/directory"), absl::StatusCode::kNotFound, "No such file");
  for (const char* name : {"e.irate", "e.textproto", "e.bin"}) {
    ExpectError(Write(name, ""), absl::StatusCode::kInvalidArgument, "the file is empty");
  }
  ExpectError(directory_.string(), absl::StatusCode::kInvalidArgument, "is a directory");
  ASSERT_EQ(::mkfifo(Path("fifo").c_str(), 0600), 0);
  ExpectError(Path("fifo"), absl::StatusCode::kInvalidArgument, "is a device, pipe or socket");
}

TEST_F(CaseFiles, DamagedFiles) {
  ExpectError(Write("a.irate", "irate 1\nfunc main"), absl::StatusCode::kInvalidArgument,
              "line 2, column 6: expected \"@\"");
  ExpectError(Write("a.textproto", "version: 1\nmodul { }"), absl::StatusCode::kInvalidArgument,
              "line 2, column 7");
  ExpectError(Write("a.bin", "hello"), absl::StatusCode::kInvalidArgument,
              "its 5 bytes are no serialised Case");
  ExpectError(Write("b.irate", "irate 2\nfunc @f() { }"), absl::StatusCode::kInvalidArgument,
              "the Case has version 2");
  ExpectError(Write("c.irate", "irate 1\nfunc @f() { eval 1 + 1.0 }"),
              absl::StatusCode::kInvalidArgument,
              "function f, body[0].eval, value: ADD of i32 and f32");
  std::string deep = "version: 1 module { functions { name: \"f\" body { kind: EVALUATE ";
  for (int i = 0; i < 50'000; ++i) deep += "args { ";
  ExpectError(Write("deep.textproto", deep), absl::StatusCode::kInvalidArgument, "line 1");
}

TEST_F(CaseFiles, EveryTruncationIsAnErrorOrAnotherCase) {
  for (const char* name : {"t.irate", "t.textproto", "t.bin"}) {
    ASSERT_TRUE(WriteCaseFile(Path(name), case_).ok());
    const std::string whole = Slurp(Path(name));
    int errors = 0;
    for (size_t size = 0; size < whole.size(); size += 31) {
      const absl::StatusOr<Case> read = ReadCaseFile(Write(name, whole.substr(0, size)));
      if (!read.ok()) {
        ++errors;
        EXPECT_THAT(std::string(read.status().message()), HasSubstr(Path(name)));
      } else {
        EXPECT_TRUE(VerifyCase(*read).ok());
      }
    }
    EXPECT_GT(errors, static_cast<int>(whole.size() / 31 * 9 / 10)) << name;
  }
}

TEST_F(CaseFiles, LargeFilesAreRefused) {
  const std::string path = Write("large.bin", "x");
  fs::resize_file(path, (size_t{64} << 20) + 1);
  ExpectError(path, absl::StatusCode::kInvalidArgument, "is larger than 67108864 bytes");
}

TEST_F(CaseFiles, InvalidCasesAreNotWritten) {
  Case invalid = case_;
  invalid.set_version(0);
  const absl::Status status = WriteCaseFile(Path("x.irate"), invalid);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FileCount(), 0u);
}

TEST_F(CaseFiles, WritingReplacesAndLeavesNothingBeside) {
  const std::string path = Write("a.irate", "old");
  ASSERT_TRUE(WriteCaseFile(path, case_).ok());
  EXPECT_EQ(Slurp(path), PrintCase(case_));
  EXPECT_EQ(FileCount(), 1u);
  const absl::Status status = WriteCaseFile(Path("no/a.irate"), case_);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no/a.irate"));
  fs::create_directory(Path("d.irate"));
  EXPECT_FALSE(WriteCaseFile(Path("d.irate"), case_).ok());
  EXPECT_EQ(FileCount(), 2u);
}

// A file size limit stands for a full disk: the write fails half-way, with its own errno.
TEST_F(CaseFiles, AFailedWriteKeepsTheOldFile) {
  const std::string path = Write("a.irate", "old");
  ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit old = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const struct rlimit small = {.rlim_cur = 100, .rlim_max = old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = WriteCaseFile(path, case_);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(path), HasSubstr("File too large")));
  EXPECT_EQ(Slurp(path), "old");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(CaseFiles, ConcurrentWritersDoNotDisturbEachOther) {
  const std::string path = Path("shared.irate");
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Case mine = case_;
      mine.set_generator_seed(static_cast<uint64_t>(t) + 1);
      for (int i = 0; i < 20; ++i) {
        if (!WriteCaseFile(path, mine).ok() || !ReadCaseFile(path).ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(FileCount(), 1u);
}

}  // namespace
}  // namespace irate
