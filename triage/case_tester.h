// Who answers whether a candidate keeps the finding: several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/pass_map.h"

namespace irate {

class CaseTester {
 public:
  virtual ~CaseTester() = default;
  // How many candidates are worth giving at a time.
  virtual size_t width() const = 0;
  // One answer per candidate. Those after the first "yes" may be left unasked; their answer is then
  // empty.
  virtual absl::StatusOr<std::vector<std::optional<bool>>> Ask(
      std::span<const Case> candidates) = 0;
};

// For tests and for predicates that need no worker: one at a time.
std::unique_ptr<CaseTester> MakeCaseTester(std::function<absl::StatusOr<bool>(const Case&)> keeps);

// `jobs` workers, each driven by a thread of its own that lives as long as the tester (a worker
// dies with the thread that started it). `trials` runs for each candidate. `pass_map`: as in
// FindingProbe.
absl::StatusOr<std::unique_ptr<CaseTester>> MakeProbeTester(const HarnessOptions& options,
                                                            const Case& original,
                                                            const Finding& finding, int jobs,
                                                            int trials,
                                                            const PassMap* pass_map = nullptr);

}  // namespace irate
