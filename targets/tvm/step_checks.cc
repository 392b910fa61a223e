#include "targets/tvm/step_checks.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace irate::tvm_target {
namespace {

constexpr int64_t kKilobyte = 1024;
// What a pass needs anyway: smaller growth is not worth a number in every message.
constexpr int64_t kWorthTelling = 16 * kKilobyte * kKilobyte;

int64_t PeakBytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * kKilobyte;
}

int64_t Hash(const Any& module) {
  return Native<"ffi.StructuralHash">(module, true, false).cast<int64_t>();
}

bool HasBlock(const google::protobuf::RepeatedPtrField<Stmt>& stmts) {
  return std::ranges::any_of(stmts, [](const Stmt& stmt) {
    return stmt.kind() == BLOCK || HasBlock(stmt.body()) || HasBlock(stmt.orelse());
  });
}

// Why TVM's check refuses the module; empty if it does not.
std::string IllFormed(const Any& module) {
  try {
    Native<"tirx.analysis.VerifyWellFormed">(module, true);
    return "";
  } catch (const ffi::Error& error) {
    return error.message().empty() ? "ill-formed" : error.message();
  }
}

// A pass whose result has numbers that count on from module to module, by design.
bool NumbersOn(const std::string& pass) {
  return pass == "s_tir.transform.InstrumentProfileIntrinsics";
}

}  // namespace

StepChecks::StepChecks(const TargetOptions& options, const Module& module)
    : repeat_(options.repeat),
      check_well_formed_(options.check_well_formed),
      has_blocks_(std::ranges::any_of(
          module.functions(), [](const Function& function) { return HasBlock(function.body()); })) {
}

void StepChecks::Before(const Any& module) {
  peak_ = PeakBytes();
  if (is_first_ && check_well_formed_ && !has_blocks_) accepted_ = IllFormed(module).empty();
  is_first_ = false;
  if (!repeat_) return;
  before_ = module;
  hash_ = Hash(module);
}

bool StepChecks::IsRepeated(const Any& pass, const Any& result, FaultInjection* faults,
                            const StepObservation& step) const {
  try {
    Any again = Native<"transform.RunPass">(pass, before_);
    again = faults->After(step.pass(), step.index(), before_, std::move(again));
    return Native<"ffi.StructuralEqual">(result, again, true, false).cast<bool>();
  } catch (const ffi::Error&) {
    // It did work the first time.
    return false;
  }
}

void StepChecks::After(const Any& pass, const Any& result, FaultInjection* faults,
                       StepObservation* step) {
  if (const int64_t growth = PeakBytes() - peak_; growth >= kWorthTelling) {
    step->set_memory_growth(growth);
  }
  if (step->pass() == "s_tir.transform.LowerOpaqueBlock") has_blocks_ = false;
  if (check_well_formed_ && !has_blocks_) {
    const std::string problem = IllFormed(result);
    if (accepted_ && !problem.empty()) step->set_ill_formed(problem);
    accepted_ = problem.empty();
  }
  if (!repeat_) return;
  step->set_input_mutated(Hash(before_) != hash_);
  step->set_nondeterministic(!step->input_mutated() && !NumbersOn(step->pass()) &&
                             !IsRepeated(pass, result, faults, *step));
  before_ = Any();
}

}  // namespace irate::tvm_target
