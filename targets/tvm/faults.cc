#include "targets/tvm/faults.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "execution/api/sanitizer.h"
#include "execution/planted_fault.h"
#include "ir/rewrite/apply.h"
#include "ir/status_macros.h"
#include "targets/tvm/device_faults.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/lift.h"

namespace irate::tvm_target {
namespace {

using Action = rewrite::Rule::Action;

// A worker is asked for the same rules again and again.
absl::StatusOr<const std::vector<rewrite::Rule>*> Parse(const std::string& text) {
  static auto& last = *new std::pair<std::string, std::vector<rewrite::Rule>>();
  if (last.first != text || last.second.empty()) {
    IRATE_ASSIGN_OR_RETURN(last.second, rewrite::ParseRules(text));
    last.first = text;
  }
  return &last.second;
}

bool LiftWhole(const Module& source, const Any& module, Module* lifted) {
  std::string construct;
  return Lifter(source).Lift(module, lifted, &construct) == Lifter::Outcome::kChanged;
}

[[noreturn]] void Throw(const char* kind, const std::string& message) {
  throw ffi::Error(kind, message, "");
}

void Leak(int64_t bytes) {
  // Touched, so that it is resident.
  auto* block = new std::vector<char>(static_cast<size_t>(bytes), 'x');
  static volatile const char* kept;
  kept = block->data();
  (void)kept;
}

}  // namespace

Any ReplaceFunctions(const Any& module, const Module& before, const Module& after) {
  std::map<std::string, std::string> old;
  for (const Function& function : before.functions()) {
    old[function.name()] = function.SerializeAsString();
  }
  std::unordered_map<std::string, Any> globals;
  ffi::Map<Any, Any> functions;
  for (const auto& [global, function] :
       Get<"ir.IRModule", "functions">(ObjectOf(module)).cast<ffi::Map<Any, Any>>()) {
    globals[ToString(Get<"ir.GlobalVar", "name_hint">(ObjectOf(global)))] = global;
    functions.Set(global, function);
  }
  for (const Function& function : after.functions()) {
    if (old[function.name()] == function.SerializeAsString()) continue;
    const Any& global = globals.at(function.name());
    const Any lowered = FunctionLowering(function, globals).Lower();
    const Any original = functions.at(global);
    functions.Set(
        global, Native<"tirx.PrimFunc">(Get<"tirx.PrimFunc", "params">(ObjectOf(lowered)),
                                        Get<"tirx.PrimFunc", "body">(ObjectOf(lowered)),
                                        Get<"tirx.PrimFunc", "ret_type">(ObjectOf(lowered)),
                                        Get<"ir.BaseFunc", "attrs">(ObjectOf(original)), nullptr));
  }
  return Native<"ir.IRModule">(functions, Get<"ir.IRModule", "attrs">(ObjectOf(module)),
                               Get<"ir.IRModule", "global_infos">(ObjectOf(module)));
}

absl::StatusOr<FaultInjection> FaultInjection::Create(const Case& test_case,
                                                      const std::string& text) {
  FaultInjection injection;
  if (test_case.faults().empty()) return injection;
  injection.source_ = test_case.module();
  IRATE_ASSIGN_OR_RETURN(const std::vector<rewrite::Rule>* rules, Parse(text));
  for (const std::string& name : test_case.faults()) {
    if (IsSanitizerFault(name) || IsDeviceFault(name))
      continue;  // no rule, and checked where it is switched on
    const auto rule = std::ranges::find(*rules, name, &rewrite::Rule::name);
    if (rule == rules->end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "fault \"", name, "\": there is no rule of this name (", rules->size(), " rules given)"));
    }
    Active active{.rule = *rule, .seen = {}};
    active.seen.set_name(name);
    injection.active_.push_back(std::move(active));
  }
  return injection;
}

Any FaultInjection::After(const std::string& pass, int step, const Any& input, Any result) {
  for (Active& fault : active_) {
    if (!rewrite::Concerns(fault.rule, pass)) continue;
    result = Act(&fault, pass, step, input, std::move(result));
  }
  return result;
}

// Replaces functions where they can be lowered; what cannot is a limit of ours, not a fault of TVM.
bool FaultInjection::Replace(Active* fault, const Module& before, const Module& after,
                             const Any& module, Any* result) {
  try {
    *result = ReplaceFunctions(module, before, after);
    return true;
  } catch (const ffi::Error& error) {
    std::fprintf(stderr, "fault \"%s\": the rewritten module cannot be lowered: %s\n",
                 fault->rule.name.c_str(), error.message().c_str());
    fault->seen.set_triggered(false);
    return false;
  }
}

Any FaultInjection::Act(Active* fault, const std::string& pass, int step, const Any& input,
                        Any result) {
  const rewrite::Rule& rule = fault->rule;
  Module module;
  const Any& subject = rule.action == Action::kMutateInput ? input : result;
  if (!LiftWhole(source_, subject, &module)) return result;
  fault->seen.set_reached(true);
  rewrite::Applied applied = rewrite::Apply(rule, module, pass, step);
  if (!applied.problem.empty()) {
    std::fprintf(stderr, "fault \"%s\" after %s: %s\n", rule.name.c_str(), pass.c_str(),
                 applied.problem.c_str());
  }
  if (!applied.triggered) return result;
  fault->seen.set_triggered(true);
  const std::string message =
      rule.message.empty() ? absl::StrCat("Check failed: fault (", rule.name, ")") : rule.message;
  switch (rule.action) {
    case Action::kRewrite:
      // A null fault without a replacement goes both ways all the same.
      if (!applied.changed) applied.module = module;
      Replace(fault, applied.changed ? module : Module(), applied.module, Any(result), &result);
      return result;
    case Action::kAlternate: {
      static uint64_t& count = *new uint64_t(0);
      if (++count % 2 == 1 || !applied.changed) return result;
      Replace(fault, module, applied.module, Any(result), &result);
      return result;
    }
    case Action::kMutateInput: {
      if (!applied.changed) return result;
      Any mutated;
      if (Replace(fault, module, applied.module, input, &mutated)) {
        Native<"ir.Module_Update">(input, mutated);
      }
      return result;
    }
    case Action::kSkip:
      return input;
    case Action::kThrow:
      Throw("InternalError", message);
    case Action::kDiagnose:
      Throw("ValueError", message);
    case Action::kCrash:
      CommitFault(FaultRequest::SEGV);
      break;
    case Action::kAbort:
      CommitFault(FaultRequest::ABORT);
      break;
    case Action::kHang:
      CommitFault(FaultRequest::HANG);
      break;
    case Action::kExhaust:
      CommitFault(FaultRequest::OUT_OF_MEMORY);
      break;
    case Action::kRuntime:
      break;  // the sanitized run does it
    case Action::kLeak:
      Leak(rule.amount);
      break;
  }
  return result;
}

void FaultInjection::Report(VariantObservation* observation) const {
  for (const Active& fault : active_) *observation->add_faults() = fault.seen;
}

}  // namespace irate::tvm_target
