// Faults that the selftest target commits on request: every way in which a compiler under test can
// go wrong, so that the harness can be shown to notice each.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "execution/protocol.pb.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate::selftest {

enum class Fault {
  kNone,
  kDeath,  // FaultPlan::death says of what
  kSleep,  // 50 ms
  // The worker's own socket.
  kCloseSocket,
  kTruncatedReply,
  kOversizedReply,
  kGarbledReply,
  // Answers.
  kInternalError,
  kDiagnostic,
  kWrongPass,       // the module means something else from this step on
  kWrongResult,     // one element of the first output is off by one bit
  kBrokenPromise,   // a loop is vectorized behind the step, whatever that promised
  kNondeterminism,  // one element of the first output counts the requests
};

// TargetSpec.options, as JSON:
//   {"fault": "segv", "stage": "pass", "step": 2, "after": 10}
// `fault` is one of segv, null-call, abort, uncaught-exception, stack-overflow, heap-overflow,
// exit, killed, hang, out-of-memory, sleep, close-socket, truncated-reply, oversized-reply,
// garbled-reply, internal-error, diagnostic, wrong-pass, wrong-result, broken-promise,
// nondeterminism. `stage` is "lower", "pass" (the default), "build" or "run"; `step` (default 0)
// counts for "pass" only. The fault is committed from the request number `after` (default 0) of the
// process on. Empty options plant nothing.
struct FaultPlan {
  Fault fault = Fault::kNone;
  FaultRequest::Kind death = FaultRequest::NONE;
  Stage stage = STAGE_PASS;
  int step = 0;
  uint64_t after = 0;

  // Errors: InvalidArgument with the part that is not understood.
  static absl::StatusOr<FaultPlan> Parse(const std::string& options);
  bool IsDueAt(Stage at_stage, int at_step, uint64_t request) const;
};

// Commits a death or a fault of the socket, or sleeps; returns at once for all others.
void Commit(const FaultPlan& plan);

// Adds one to the value of the first store of integers or floats; false if there is none.
bool PlantWrongStore(Module* module);
// Makes the first loop a vectorized one; false if there is none.
bool PlantVectorizedLoop(Module* module);
// Flips the lowest bit of the first byte.
void PlantWrongElement(Tensor* tensor);

}  // namespace irate::selftest
