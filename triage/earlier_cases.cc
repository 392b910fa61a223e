#include "triage/earlier_cases.h"

#include <algorithm>
#include <utility>

#include "ir/status_macros.h"

namespace irate {
namespace {

class Budget {
 public:
  explicit Budget(const EarlierOptions& options)
      : options_(options), end_(std::chrono::steady_clock::now() + options.time) {}
  bool Spend() {
    if (options_.stop && options_.stop()) return false;
    return tests_++ < options_.tests && std::chrono::steady_clock::now() < end_;
  }

 private:
  const EarlierOptions& options_;
  const std::chrono::steady_clock::time_point end_;
  int tests_ = 0;
};

// Leaves out ever smaller runs of Cases while the finding still shows.
absl::Status LeaveOut(const ShowsAfter& shows, Budget* budget, std::vector<Case>* cases) {
  for (size_t length = cases->size() / 2; length >= 1; length /= 2) {
    for (size_t begin = 0; begin + length <= cases->size() && cases->size() > 1;) {
      if (!budget->Spend()) return absl::OkStatus();
      std::vector<Case> fewer(cases->begin(), cases->begin() + static_cast<ptrdiff_t>(begin));
      fewer.insert(fewer.end(), cases->begin() + static_cast<ptrdiff_t>(begin + length),
                   cases->end());
      IRATE_ASSIGN_OR_RETURN(const bool still, shows(fewer));
      if (still) {
        *cases = std::move(fewer);
      } else {
        begin += length;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Case>> NeededEarlierCases(std::span<const Case> earlier,
                                                     const ShowsAfter& shows,
                                                     const EarlierOptions& options) {
  if (earlier.empty()) return std::vector<Case>();
  Budget budget(options);
  IRATE_ASSIGN_OR_RETURN(const bool at_all, shows(earlier));
  if (!at_all) return std::vector<Case>();
  std::span<const Case> needed = earlier;
  for (size_t length = 1; length < earlier.size() && budget.Spend(); length *= 2) {
    const std::span<const Case> suffix = earlier.last(length);
    IRATE_ASSIGN_OR_RETURN(const bool enough, shows(suffix));
    if (!enough) continue;
    needed = suffix;
    break;
  }
  std::vector<Case> cases(needed.begin(), needed.end());
  IRATE_RETURN_IF_ERROR(LeaveOut(shows, &budget, &cases));
  return cases;
}

}  // namespace irate
