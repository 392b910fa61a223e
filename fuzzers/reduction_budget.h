// Whether a sighting is worth reducing. A run meets the same bug again and again; the reduced form
// decides whether it is the same, and costs some seconds. So the first few sightings of a kind
// (a signature before reduction) are always reduced, the rest while reduction takes less than a
// given share of the run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace irate {

class ReductionBudget {
 public:
  ReductionBudget(int always, double share) : always_(always), share_(share) {}

  // `elapsed` and `spent` in seconds since the start of the job: in all, and on triage.
  bool ShouldReduce(const std::string& kind, double elapsed, double spent);

  // What a reduced sighting of the kind turned out to be.
  void Learn(const std::string& kind, const std::string& signature);
  // The signature that every reduced sighting of the kind had; empty if they differed or there was
  // none.
  std::string OnlySignature(const std::string& kind) const;

 private:
  int always_;
  double share_;
  std::map<std::string, int> seen_;
  std::map<std::string, std::set<std::string>> signatures_;
};

}  // namespace irate
