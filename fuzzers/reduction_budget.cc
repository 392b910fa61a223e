#include "fuzzers/reduction_budget.h"

namespace irate {

bool ReductionBudget::ShouldReduce(const std::string& kind, double elapsed, double spent) {
  const int before = seen_[kind]++;
  return before < always_ || spent < share_ * elapsed;
}

void ReductionBudget::Learn(const std::string& kind, const std::string& signature) {
  signatures_[kind].insert(signature);
}

std::string ReductionBudget::OnlySignature(const std::string& kind) const {
  const auto found = signatures_.find(kind);
  if (found == signatures_.end() || found->second.size() != 1) return "";
  return *found->second.begin();
}

}  // namespace irate
