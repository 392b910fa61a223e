// What the null bench does with a range of Cases, in one process.
#pragma once

#include <optional>
#include <vector>

#include "bench/null.h"
#include "ir/observation.pb.h"

namespace irate {

// NotFound if the second reference has no compiler.
absl::Status CheckSecondReference();

class NullChecks {
 public:
  explicit NullChecks(const NullOptions& options);

  // Cases [first, last) of the run.
  NullReport Run(uint64_t first, uint64_t last);

 private:
  struct Entry {
    uint64_t index = 0;
    Case test_case;
    Interpretation reference;
  };

  // The rewritten Case with the original's interpretation, if there is one that is valid.
  std::optional<Entry> CheckRewrites(const Entry& entry, NullReport* report) const;
  // `rewritten`: the entries are results of rewrites.
  void CheckSecond(const std::vector<Entry>& entries, bool rewritten, NullReport* report) const;
  void CheckIdentity(const Entry& entry, NullReport* report) const;

  const NullOptions& options_;
  // Where one was asked for: it, or why there is none.
  absl::StatusOr<Identity> identity_;
};

}  // namespace irate
