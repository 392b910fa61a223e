// LLVM IR as a compiler emitted it, run so that nothing which it does wrong stays unseen.
//
//   auto module = SanitizedModule::Compile(ir_text, CompileOptions::Strict());
//   auto result = (*module)->Run("__tvm_ffi_main", arguments);
//   for (const Report& report : result->reports) ...
//
// The process must have AddressSanitizer's runtime (link with -fsanitize=address). Generated code
// runs in this process: a fault, a wild access or too many memory errors end the run, not the
// process. One run at a time per process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/errors.h"
#include "execution/contract/faults.h"
#include "execution/contract/host_buffers.h"
#include "execution/contract/packed_calls.h"
#include "execution/contract/parallel.h"
#include "execution/sanitized/options.h"
#include "execution/sanitized/report.h"

namespace irate::sanitized {

struct CompileTimes {
  double parse_ms = 0;
  double instrument_ms = 0;
  double code_ms = 0;
  double link_ms = 0;
  double total_ms() const { return parse_ms + instrument_ms + code_ms + link_ms; }
};

// The call as it is about to be made, for those who want it wrong.
struct CallFrame {
  contract::PackedAny* args = nullptr;
  int32_t num_args = 0;
  contract::HostBuffers* buffers = nullptr;
};

struct RunOptions {
  contract::ParallelOptions parallel;
  contract::Fault fault = contract::Fault::kNone;
  // Functions that the module may call by name, beside those that it defines.
  std::vector<std::pair<std::string, contract::PackedCallee>> packed;
  // The run ends at this many memory errors.
  int max_memory_errors = 1;
  // Changes the call just before it is made.
  std::function<void(CallFrame&)> mutate;
};

struct RunResult {
  // The function returned, with `returned`; otherwise `reports` says what ended it.
  bool completed = false;
  int returned = 0;
  contract::RaisedError error;
  // Of each tensor argument, in order: its elements in row-major order.
  std::vector<std::string> contents;
  std::vector<Report> reports;
  double run_ms = 0;
  bool fault_triggered = false;
};

class SanitizedModule {
 public:
  // InvalidArgument with the line if the text does not parse; FailedPrecondition if the process has
  // no AddressSanitizer and `options` ask for it.
  static absl::StatusOr<std::unique_ptr<SanitizedModule>> Compile(std::string ir_text,
                                                                  const CompileOptions& options);
  ~SanitizedModule();

  // Calls a packed function. NotFound if the module has none of that name; other errors are about
  // the arguments or about memory for them. What the code does is in the result.
  absl::StatusOr<RunResult> Run(const std::string& entry,
                                std::span<const contract::Argument> arguments,
                                const RunOptions& options = {});

  const CompileTimes& times() const;
  const std::vector<std::string>& packed_functions() const;

 private:
  struct Parts;
  SanitizedModule();
  std::unique_ptr<Parts> parts_;
};

// Runs the function forwards, backwards and in `shuffles` shuffled orders of its parallel tasks,
// with 1 task and with options.parallel.tasks. The first run's result, with the reports of all, and
// a kOrderDependence report where contents differ.
absl::StatusOr<RunResult> RunInEveryOrder(SanitizedModule& module, const std::string& entry,
                                          std::span<const contract::Argument> arguments,
                                          const RunOptions& options, int shuffles);

}  // namespace irate::sanitized
