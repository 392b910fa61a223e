#include "triage/report_data.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

constexpr size_t kMaxText = size_t{256} << 10;

// "" if there is no such file.
std::string ReadText(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxText, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() == kMaxText) text += "\n[cut]\n";
  return text;
}

}  // namespace

absl::StatusOr<Report> LoadReport(const FindingStore& store, const std::string& title,
                                  const std::string& now) {
  Report report{.title = title, .generated = now, .buckets = {}};
  IRATE_ASSIGN_OR_RETURN(std::vector<StoredBucket> buckets, store.Buckets());
  for (StoredBucket& stored : buckets) {
    ReportBucket bucket;
    bucket.record = std::move(stored.record);
    bucket.path = stored.path;
    bucket.problem = stored.problem;
    const auto read = [&stored](const char* name) { return ReadText(stored.path + "/" + name); };
    bucket.case_text = read("case.irate");
    bucket.reproducer = read("reproducer.py");
    bucket.log = read("log.txt");
    bucket.note = read("NOTE.md");
    bucket.before = read("before.txt");
    bucket.after = read("after.txt");
    bucket.tensors = read("tensors.json");
    bucket.stack = read("stack.txt");
    report.buckets.push_back(std::move(bucket));
  }
  return report;
}

int OpenBuckets(const Report& report) {
  return static_cast<int>(std::ranges::count_if(report.buckets, [](const ReportBucket& bucket) {
    const BucketState state = bucket.record.life.state;
    return state == BucketState::kNew || state == BucketState::kRegressed;
  }));
}

std::string Headline(const FindingRecord& record) {
  const Finding& finding = record.finding;
  return finding.summary().empty() ? finding.signature() : finding.summary();
}

std::string FailingRange(const BucketLife& life) {
  const std::string oldest = OldestFailing(life);
  const std::string newest = NewestFailing(life);
  return oldest == newest ? oldest : fmt::format("{} to {}", oldest, newest);
}

}  // namespace irate
