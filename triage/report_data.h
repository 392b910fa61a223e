// What a report is made from: the buckets of a folder with the text files that lie in each.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "triage/finding_store.h"

namespace irate {

struct ReportBucket {
  FindingRecord record;
  std::string path;
  std::string problem;
  std::string case_text;
  std::string reproducer;
  std::string log;
  std::string note;    // NOTE.md, what a person wrote
  std::string before;  // the module before and after the culprit, in the compiler's own text
  std::string after;
  std::string tensors;  // tensors.json: expected against actual
  std::string stack;    // stack.txt
};

struct Report {
  std::string title;
  std::string generated;  // when, UTC
  std::vector<ReportBucket> buckets;
};

// A folder that cannot be read is in the report with its problem. Files longer than 256 KiB are
// cut, and say so.
absl::StatusOr<Report> LoadReport(const FindingStore& store, const std::string& title,
                                  const std::string& now);

// New and regressed buckets: what wants attention.
int OpenBuckets(const Report& report);

// One line for a table: the culprit and what it does wrong.
std::string Headline(const FindingRecord& record);
// "0.25.0 to 0.27.0" that showed it; "" if there is none.
std::string FailingRange(const BucketLife& life);

}  // namespace irate
