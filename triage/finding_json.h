// finding.json: reading and writing. The keys are in finding_store.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/observation.pb.h"
#include "triage/blame.h"
#include "triage/bucket_state.h"

namespace irate {

struct FindingRecord {
  Finding finding;
  uint64_t count = 0;
  uint64_t size = 0;
  uint64_t earlier_cases = 0;  // that a worker must have served before
  std::string first_seen;
  std::string last_seen;
  std::vector<std::string> versions;  // of the compiler, in the order seen
  bool reproduced = false;
  bool reproducer_verified = false;
  BucketLife life;
  std::optional<Blame> blame;
};

std::string ToJson(const FindingRecord& record);
// InvalidArgument says what is wrong with the text.
absl::StatusOr<FindingRecord> FindingRecordFromJson(const std::string& text);

}  // namespace irate
