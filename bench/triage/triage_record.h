// What `irate bench reduce` and `irate bench buckets` write down: one record for each finding that
// a seeded fault made, and what became of it when it was reduced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/triage/fault_truth.h"
#include "bench/triage/pair_scores.h"
#include "triage/full_reducer.h"

namespace irate {

struct TriageRecord {
  std::string fault;
  uint64_t index = 0;  // of the Case, in its run
  std::string oracle;
  std::string culprit;
  std::string found;  // the finding's signature in the unreduced Case
  std::string original;
  // From here on once it is `done`.
  bool done = false;
  std::string error;      // it could not be reduced
  std::string signature;  // the bucket
  Origin origin = Origin::kLost;
  CaseMeasure before;
  CaseMeasure after;
  double seconds = 0;
  int tests = 0;
  bool finished = false;  // and not ended by the budget
  std::string reduced;
};

struct TriageRecords {
  uint64_t seed = 1;
  bool full = false;   // reduced by the full reducer; otherwise by the thin one
  uint64_t cases = 0;  // searched
  // Siblings of each other's passes on at once.
  bool together = true;
  std::vector<TriageRecord> records;
};

struct Distribution {
  double median = 0;
  double p90 = 0;
  double max = 0;
};

struct TriageSummary {
  size_t findings = 0;  // reduced
  size_t errors = 0;
  size_t faults = 0;  // that have findings
  size_t buckets = 0;
  size_t slips = 0;  // reduced Cases that show a sibling or a live bug and not the fault any more
  size_t mixed = 0;  // that show the fault and a sibling
  size_t lost = 0;   // that show nothing where the faults are looked at one by one
  size_t finished = 0;
  Distribution fewer_nodes;  // share of the nodes that went; `max` and `p90` are the worst
  Distribution nodes;
  Distribution statements;
  Distribution passes;
  Distribution seconds;
  PairScores pairs;
};
TriageSummary Summarise(const TriageRecords& records);

std::string ToJson(const TriageRecords& records);
absl::StatusOr<TriageRecords> TriageRecordsFromJson(const std::string& text);
// For people: the summary, the faults that gave several buckets, the buckets with several faults.
std::string ToText(const TriageRecords& records);

}  // namespace irate
