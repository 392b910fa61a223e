// What a compiler under test looks like from outside: the door that every folder in targets/
// implements and through which workers drive it.
//
// A target lowers, transforms, builds and runs. It never judges: what it saw goes into the
// VariantObservation. Exceptions of the compiler stop here and become a Failure.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/analysis.pb.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/pass_map.h"

namespace irate {

// Where a worker is, in memory shared with its parent: read after the worker died or hung.
struct Progress {
  std::atomic<uint64_t> sequence{0};  // the request being served
  std::atomic<int32_t> stage{0};      // Stage
  std::atomic<int32_t> step{-1};      // pass step for STAGE_PASS and STAGE_LIFT
  // The native tensors after a crash in generated code are not read: only the place is.
  char pass[112] = {};
};

struct TargetOptions {
  // Lift the module back after every pass that changed it.
  bool lift = true;
  // Build and run on guarded buffers (tier 1). Otherwise stop after the passes.
  bool run_native = true;
  // Run the generated code instrumented, with its contracts checked (docs/sanitizers.md).
  bool sanitize = false;
  // Ask the compiler's own well-formedness check after every step.
  bool check_well_formed = false;
  // Do every step, build and run twice, to see whether the two agree.
  bool repeat = false;
  // Further seeded faults that the Case may name, in the form of bench/faults.
  std::string fault_rules{};
};

class Target {
 public:
  virtual ~Target() = default;

  virtual std::string Name() const = 0;  // "tvm"
  // After Load: the compiler's own version, "0.27.0.post1".
  virtual std::string Version() const = 0;
  // Loads the compiler into this process. Errors say what is missing and how to install it.
  virtual absl::Status Load() = 0;
  // The specs that a Case without targets is run with.
  virtual std::vector<TargetSpec> DefaultSpecs() const = 0;
  // The default pass pipeline, as the compiler itself would run it for `spec` under these options,
  // which the result carries.
  virtual absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                                     const PassConfig& config) const = 0;
  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec) const {
    return DefaultPasses(spec, {});
  }

  // Runs one variant. `progress` is kept up to date before each step that may not return.
  // `passes` is the sequence to apply, never empty. Never throws.
  virtual VariantObservation Run(const Case& test_case, const TargetSpec& spec,
                                 const PassSequence& passes, const TargetOptions& options,
                                 Progress* progress) = 0;

  // The module in the compiler's own text form (TVMScript), after `steps` of `passes` (0: as
  // lowered).
  virtual absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec& spec,
                                                  const PassSequence& passes, int steps) = 0;

  // Asks the compiler's integer analyser (ir/analysis.proto); `progress->step` is the question
  // under way. Unimplemented where the compiler has none. Never throws.
  virtual absl::StatusOr<AnalysisBatchAnswers> Analyze(const AnalysisBatch& /*batch*/,
                                                       Progress* /*progress*/) {
    return absl::UnimplementedError("this target has no integer analyser");
  }
};

// Every target, by name; the one list is in targets/registry.cc.
std::unique_ptr<Target> MakeTarget(const std::string& name);
std::vector<std::string> TargetNames();

}  // namespace irate
