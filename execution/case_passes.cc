#include "execution/case_passes.h"

#include <utility>

#include "ir/status_macros.h"

namespace irate {

absl::StatusOr<PassSequence> CasePasses::For(const Case& test_case, const TargetSpec& spec,
                                             WorkerClient& client) {
  if (test_case.passes().steps_size() != 0) return test_case.passes();
  const PassSequence& asked = test_case.passes();
  if (!asked.config().empty()) {
    // Options may switch passes, and hardly any two Cases have the same ones.
    IRATE_ASSIGN_OR_RETURN(PassSequence passes, client.DefaultPasses(spec, asked.config()));
    passes.set_mode(asked.mode());
    return passes;
  }
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
  passes.set_mode(asked.mode());
  return passes;
}

}  // namespace irate
