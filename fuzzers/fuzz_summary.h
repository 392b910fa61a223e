// What a fuzzing run has come to so far.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fuzzers/job.pb.h"
#include "generators/mutate/yield.h"
#include "ir/observation.pb.h"

namespace irate {

struct FindingCount {
  Finding finding;
  uint64_t count = 0;
  bool known = false;  // in the folder of known findings: counted, not listed as new
  std::string path;
  bool reproducer_verified = false;
};

struct FuzzSummary {
  uint64_t cases = 0;
  uint64_t dropped_undefined = 0;
  uint64_t rejected = 0;
  uint64_t elements = 0;
  double inconclusive = 0;  // elements
  double seconds = 0;
  double triage_seconds = 0;  // of all jobs together
  // Sightings of kinds whose reduced forms differ: which of them it was is not known.
  uint64_t not_reduced = 0;
  uint64_t not_reproduced = 0;
  uint64_t referee_disagrees = 0;
  uint64_t harness_faults = 0;
  std::vector<std::string> harness_fault_examples;  // the first few
  std::map<std::string, FindingCount> findings;     // by signature
  uint64_t sanitized = 0;                           // variants that ran instrumented
  uint64_t not_sanitized = 0;
  double sanitized_seconds = 0;  // of all jobs together
  bool interrupted = false;
  uint64_t mutated = 0;                           // Cases that were made from earlier ones
  uint64_t interesting = 0;                       // Cases that showed something new
  std::map<std::string, MutatorCounts> mutators;  // by name, of jobs that have ended
  uint64_t first = 0;                             // the number of the first Case
  uint64_t next = 0;  // the first number of a Case that no job has started

  // New ones, known ones left out.
  uint64_t NewFindings() const;
  double InconclusiveShare() const {
    return elements == 0 ? 0 : inconclusive / static_cast<double>(elements);
  }

  void Add(const JobProgress& progress);
  void Add(const JobSighting& sighting);
  void Add(const JobFault& fault);
  void Add(const JobMutators& counts);
};

}  // namespace irate
