#include "fuzzers/fuzz_summary.h"

#include <algorithm>

#include "fmt/format.h"

namespace irate {
namespace {
constexpr size_t kMaxFaultExamples = 5;
}  // namespace

uint64_t FuzzSummary::NewFindings() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(findings, [](const auto& entry) { return !entry.second.known; }));
}

void FuzzSummary::Add(const JobProgress& progress) {
  cases += progress.cases();
  dropped_undefined += progress.dropped_undefined();
  rejected += progress.rejected();
  elements += progress.elements();
  inconclusive += progress.inconclusive();
  triage_seconds += progress.triage_seconds();
  sanitized += progress.sanitized();
  not_sanitized += progress.not_sanitized();
  sanitized_seconds += progress.sanitized_seconds();
  mutated += progress.mutated();
  interesting += progress.interesting();
}

void FuzzSummary::Add(const JobSighting& sighting) {
  switch (sighting.outcome()) {
    case JobSighting::NOT_REPRODUCED:
      ++not_reproduced;
      return;
    case JobSighting::REFEREE_DISAGREES:
      ++referee_disagrees;
      return;
    case JobSighting::NOT_REDUCED:
      ++not_reduced;
      return;
    default:
      break;
  }
  FindingCount& entry = findings[sighting.finding().signature()];
  ++entry.count;
  if (sighting.outcome() == JobSighting::KNOWN) entry.known = true;
  if (entry.finding.signature().empty()) entry.finding = sighting.finding();
  if (!sighting.path().empty()) entry.path = sighting.path();
  entry.reproducer_verified |= sighting.reproducer_verified();
}

void FuzzSummary::Add(const JobFault& fault) {
  ++harness_faults;
  if (harness_fault_examples.size() < kMaxFaultExamples) {
    harness_fault_examples.push_back(
        fmt::format("case {}: {}", fault.case_index(), fault.message()));
  }
}

void FuzzSummary::Add(const JobMutators& counts) {
  for (const JobMutator& one : counts.mutators()) {
    MutatorCounts& total = mutators[one.name()];
    total.tried += one.tried();
    total.applied += one.applied();
    total.valid += one.valid();
    total.defined += one.defined();
    total.executed += one.executed();
    total.interesting += one.interesting();
  }
}

}  // namespace irate
