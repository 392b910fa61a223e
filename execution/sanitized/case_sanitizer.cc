#include "execution/sanitized/case_sanitizer.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "execution/contract/faults.h"
#include "execution/sanitized/abi_check.h"
#include "execution/sanitized/case_arguments.h"
#include "execution/sanitized/code_faults.h"
#include "execution/sanitized/sanitized_module.h"
#include "execution/sanitized/signature.h"
#include "execution/sanitized/violations.h"
#include "execution/sanitized/wrong_calls.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::sanitized {
namespace {

constexpr int kShuffles = 1;

class CaseRun {
 public:
  CaseRun(const Case& test_case, VariantObservation* observation)
      : case_(test_case), function_(test_case.module().functions(0)), observation_(*observation) {}

  void Run(std::span<const EmittedCode> forms) {
    const absl::StatusOr<std::vector<contract::Argument>> arguments =
        CaseArguments(function_, case_.inputs());
    if (!arguments.ok()) return GiveUp(arguments.status());
    arguments_ = *arguments;
    options_.parallel.seed = case_.inputs().seed();
    if (const absl::Status status = FindFault(); !status.ok()) return GiveUp(status);
    for (EmittedCode form : forms) RunForm(std::move(form));
    if (fault_.empty()) return;
    FaultObservation* fault = observation_.add_faults();
    fault->set_name(fault_);
    fault->set_reached(ran_);
    fault->set_triggered(triggered_);
  }

 private:
  // The first of the Case's faults that is ours; its other faults are somebody else's.
  absl::Status FindFault() {
    for (const std::string& name : case_.faults()) {
      if (!IsSanitizerFault(name)) continue;
      fault_ = name;
      const std::string_view rest = std::string_view(name).substr(name.find('.') + 1);
      if (name.starts_with("runtime.")) return contract::ParseFault(rest, &options_.fault);
      code_fault_ = rest;
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  absl::Status AddCodeFault(EmittedCode* form) {
    if (code_fault_.empty()) return absl::OkStatus();
    IRATE_ASSIGN_OR_RETURN(std::optional<std::string> text,
                           InjectCodeFault(code_fault_, form->llvm_ir, arguments_));
    if (!text) return absl::OkStatus();
    form->llvm_ir = *std::move(text);
    triggered_ = true;
    return absl::OkStatus();
  }

  void RunForm(EmittedCode form) {
    if (const absl::Status status = AddCodeFault(&form); !status.ok()) return GiveUp(status);
    const absl::StatusOr<std::vector<AbiViolation>> calls = CheckAbi(form.llvm_ir);
    if (!calls.ok()) return GiveUp(calls.status());
    for (const AbiViolation& violation : *calls) Add(ToViolation(violation));

    const CompileOptions checks =
        form.optimised ? CompileOptions::Optimised() : CompileOptions::Strict();
    const auto module = SanitizedModule::Compile(form.llvm_ir, checks);
    if (!module.ok()) return GiveUp(module.status());
    const bool parallel = form.llvm_ir.find("@__tvm_parallel_lambda") != std::string::npos;
    const absl::StatusOr<RunResult> result =
        parallel ? RunInEveryOrder(**module, form.entry, arguments_, options_, kShuffles)
                 : (*module)->Run(form.entry, arguments_, options_);
    if (!result.ok()) return GiveUp(result.status());
    ran_ = true;
    triggered_ |= result->fault_triggered;
    for (const Report& report : result->reports) Add(ToViolation(report));
    if (!result->completed || result->returned != 0) {
      if (result->reports.empty()) {
        GiveUp(absl::FailedPreconditionError(fmt::format("the call returned {}: {}: {}",
                                                         result->returned, result->error.kind,
                                                         result->error.message)));
      }
      return;
    }
    if (result->reports.empty() && !form.optimised) MakeWrongCalls(**module, form.entry);
  }

  void MakeWrongCalls(SanitizedModule& module, const std::string& entry) {
    for (const WrongCall& call : WrongCalls(SignatureOf(function_), arguments_)) {
      RunOptions options = options_;
      options.mutate = call.mutate;
      const absl::StatusOr<RunResult> result = module.Run(entry, call.arguments, options);
      if (!result.ok()) {
        GiveUp(result.status());
        continue;
      }
      const std::vector<Report> reports = JudgeWrongCall(call, *result);
      if (!reports.empty()) Add(ToViolation(call, reports));
    }
  }

  void Add(ContractViolation violation) {
    const std::string key = violation.kind() + violation.function() + violation.place();
    if (seen_.insert(key).second) *observation_.add_violations() = std::move(violation);
  }

  // Not a fault of the code: what could not be looked at.
  void GiveUp(const absl::Status& status) {
    std::string* text = observation_.mutable_not_sanitized();
    if (!text->empty()) *text += "; ";
    *text += std::string(status.message());
  }

  const Case& case_;
  const Function& function_;
  VariantObservation& observation_;
  std::vector<contract::Argument> arguments_;
  RunOptions options_;
  std::set<std::string> seen_;
  std::string fault_;       // as the Case names it
  std::string code_fault_;  // without "code."; empty if the fault is none of the code
  bool ran_ = false;
  bool triggered_ = false;
};

class CaseSanitizer : public Sanitizer {
 public:
  void Run(const Case& test_case, std::span<const EmittedCode> forms,
           VariantObservation* observation) override {
    CaseRun(test_case, observation).Run(forms);
  }
};

}  // namespace

std::unique_ptr<Sanitizer> MakeCaseSanitizer() { return std::make_unique<CaseSanitizer>(); }

}  // namespace irate::sanitized
