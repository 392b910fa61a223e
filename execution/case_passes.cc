#include "execution/case_passes.h"

#include <utility>

namespace irate {

absl::StatusOr<PassSequence> CasePasses::For(const Case& test_case, const TargetSpec& spec,
                                             WorkerClient& client) {
  if (test_case.passes().steps_size() != 0) return test_case.passes();
  const auto [entry, is_new] = defaults_.try_emplace(spec.SerializeAsString());
  if (is_new) {
    absl::StatusOr<PassSequence> passes = client.DefaultPasses(spec);
    if (!passes.ok()) {
      defaults_.erase(entry);
      return passes.status();
    }
    entry->second = *std::move(passes);
  }
  PassSequence passes = entry->second;
  passes.MergeFrom(test_case.passes());
  return passes;
}

}  // namespace irate
