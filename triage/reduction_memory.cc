#include "triage/reduction_memory.h"

#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "triage/files.h"

namespace irate {
namespace {

constexpr size_t kMaxAnswers = size_t{256} << 20;

// FNV-1a; with two seeds an accident is out of the question.
uint64_t Hash(std::string_view bytes, uint64_t seed) {
  uint64_t hash = 0xcbf29ce484222325 ^ seed;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string ReductionMemory::KeyOf(const Case& test_case) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    test_case.SerializeToCodedStream(&coded);
  }
  return fmt::format("{:016x}{:016x}", Hash(bytes, 0), Hash(bytes, 0x9e3779b97f4a7c15));
}

absl::StatusOr<ReductionMemory> ReductionMemory::Open(const std::string& folder,
                                                      const Case& original) {
  ReductionMemory memory;
  memory.folder_ = folder;
  if (folder.empty()) return memory;
  IRATE_RETURN_IF_ERROR(MakeDirectories(folder));
  const std::string path = folder + "/answers";
  const std::string head = "reduction of " + KeyOf(original);
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxAnswers);
  bool same = false;
  if (text.ok()) {
    std::istringstream lines(*text);
    std::string line;
    same = std::getline(lines, line) && line == head;
    while (same && std::getline(lines, line)) {
      if (line.size() == 34 && line[32] == ' ' && (line[33] == '0' || line[33] == '1')) {
        memory.answers_[line.substr(0, 32)] = line[33] == '1';
      }
    }
  }
  if (same) {
    absl::StatusOr<Case> best = ReadCaseFile(folder + "/best.irate");
    if (best.ok()) memory.best_ = *std::move(best);
  } else {
    std::error_code error;
    std::filesystem::remove(folder + "/best.irate", error);
    IRATE_RETURN_IF_ERROR(WriteFileAtomically(path, head + "\n"));
  }
  memory.file_.reset(std::fopen(path.c_str(), "ae"));
  if (memory.file_ == nullptr) {
    return absl::UnavailableError(fmt::format("cannot write {}", path));
  }
  return memory;
}

std::optional<bool> ReductionMemory::Answer(const std::string& key) const {
  const auto found = answers_.find(key);
  return found == answers_.end() ? std::nullopt : std::optional<bool>(found->second);
}

void ReductionMemory::Remember(const std::string& key, bool kept) {
  answers_[key] = kept;
  if (file_ == nullptr) return;
  // A line that is lost is asked again.
  fmt::print(file_.get(), "{} {}\n", key, kept ? 1 : 0);
  std::fflush(file_.get());
}

absl::Status ReductionMemory::KeepBest(const Case& best) const {
  return folder_.empty() ? absl::OkStatus() : WriteCaseFile(folder_ + "/best.irate", best);
}

}  // namespace irate
