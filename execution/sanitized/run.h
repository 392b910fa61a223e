// One run of instrumented code, from arguments to reports. Internal.
#pragma once

#include <span>

#include "absl/status/statusor.h"
#include "execution/contract/host_buffers.h"
#include "execution/contract/packed_calls.h"
#include "execution/sanitized/jit.h"
#include "execution/sanitized/prepare.h"
#include "execution/sanitized/sanitized_module.h"
#include "execution/sanitized/sites.h"

namespace irate::sanitized {

// A module that is loaded. All of it outlives the run.
struct RunnableCode {
  const PreparedModule& prepared;
  const JitImage& image;
  SiteDescriber& sites;
  void** library_context = nullptr;  // the module's variable for it, if it has one
  bool tracks_initialisation = true;
};

// Errors are about the arguments or about memory for them.
absl::StatusOr<RunResult> RunOnce(const RunnableCode& code, contract::PackedFunction function,
                                  std::span<const contract::Argument> arguments,
                                  const RunOptions& options);

}  // namespace irate::sanitized
