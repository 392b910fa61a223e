// The passes that a Case is run with: its own, or where it has none its target's default ones with
// the Case's configuration.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/irate.pb.h"

namespace irate {

class CasePasses {
 public:
  // Asks `client` once for each spec. Errors as WorkerClient::DefaultPasses.
  absl::StatusOr<PassSequence> For(const Case& test_case, const TargetSpec& spec,
                                   WorkerClient& client);

 private:
  std::map<std::string, PassSequence> defaults_;  // by serialised TargetSpec
};

}  // namespace irate
