// A pass leaves a call that does not fit its callee: convention or number of arguments, read off
// the IR of each step and off nothing else. The culprit is the first pass after which it is there.
// Shape: the kind of oracles/call_contract.h.
#include "oracles/call_contract.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "fmt/format.h"
#include "ir/visit.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

// TVM's CallingConv.
constexpr int64_t kDeviceKernelLaunch = 2;

const Expr* Attr(const Function& function, std::string_view key) {
  for (const Attribute& attribute : function.attrs()) {
    if (attribute.key() == key) return &attribute.value();
  }
  return nullptr;
}

bool IsDeviceKernel(const Function& function) {
  const Expr* convention = Attr(function, "calling_conv");
  return convention != nullptr && convention->int_value() == kDeviceKernelLaunch;
}

// A target's JSON begins with its own kind; that of its host comes later.
bool IsForHost(const Function& function) {
  const Expr* target = Attr(function, "target");
  if (target == nullptr) return false;
  constexpr std::string_view kKind = "\"kind\":";
  std::string text = target->name();
  std::erase(text, ' ');
  // A host's description is an object of its own.
  const size_t host = text.find("\"host\":");
  size_t kind = text.find(kKind);
  if (kind == std::string::npos) return false;
  if (host != std::string::npos && host < kind) kind = text.rfind(kKind);
  const std::string_view name = std::string_view(text).substr(kind + kKind.size());
  return name.starts_with("\"llvm\"") || name.starts_with("\"c\"");
}

bool IsPacked(const Function& function) {
  constexpr ScalarType kTypes[] = {HANDLE, HANDLE, I32, HANDLE};
  if (function.params_size() != 4) return false;
  for (int i = 0; i < 4; ++i) {
    const Param& param = function.params(i);
    if (param.kind() != PARAM_SCALAR ||
        param.id() >= static_cast<uint32_t>(function.variables_size()) ||
        function.variables(static_cast<int>(param.id())).type() != kTypes[i]) {
      return false;
    }
  }
  return true;
}

// What a packed function asserts of its number of arguments.
std::optional<int64_t> Arity(const Function& packed) {
  const uint32_t count = packed.params(2).id();
  std::optional<int64_t> arity;
  VisitStmts(packed, [&](const Stmt& stmt) {
    if (stmt.kind() != ASSERT || arity.has_value() || stmt.args_size() == 0) return;
    const Expr& condition = stmt.args(0);
    if (condition.op() != EQ || condition.args_size() != 2) return;
    for (int i = 0; i < 2; ++i) {
      const Expr& side = condition.args(i);
      const Expr& other = condition.args(1 - i);
      if (side.op() == VAR && side.id() == count && other.op() == CONST) arity = other.int_value();
    }
  });
  return arity;
}

class Checker {
 public:
  explicit Checker(const Module& module) : module_(module) {}

  std::vector<CallFault> Run() {
    for (const Function& caller : module_.functions()) {
      VisitExprs(caller, [&](const Expr& expr) {
        if (expr.op() == CALL) Visit(caller, expr);
      });
    }
    return std::move(faults_);
  }

 private:
  const Function* Find(std::string_view name) const {
    constexpr std::string_view kPrefix = "__tvm_ffi_";
    for (const Function& function : module_.functions()) {
      std::string_view symbol = function.name();
      if (symbol == name) return &function;
      if (symbol.starts_with(kPrefix) && symbol.substr(kPrefix.size()) == name) return &function;
    }
    return nullptr;
  }

  void Add(std::string kind, std::string text) {
    CallFault fault{std::move(kind), std::move(text)};
    if (std::ranges::find(faults_, fault) == faults_.end()) faults_.push_back(std::move(fault));
  }

  void Visit(const Function& caller, const Expr& call) {
    if (call.name().starts_with("@")) {
      const Function* callee = Find(std::string_view(call.name()).substr(1));
      if (callee == nullptr) return;
      CheckConvention(caller, *callee);
      if (call.args_size() != callee->params_size()) {
        Add("argument-count",
            fmt::format("{} passes {} arguments to {}, which takes {}", caller.name(),
                        call.args_size(), callee->name(), callee->params_size()));
      }
      return;
    }
    const bool lowered =
        call.name() == "tvm_call_packed_lowered" || call.name() == "tvm_call_cpacked_lowered";
    if (!lowered || call.args_size() < 4) return;
    const Function* callee = Find(call.args(0).name());
    if (callee == nullptr) return;
    CheckConvention(caller, *callee);
    if (IsDeviceKernel(*callee) && !IsForHost(*callee)) return CheckLaunch(caller, call, *callee);
    if (!IsPacked(*callee)) {
      Add("calling-convention",
          fmt::format("{} calls {} as a packed function, but it takes {} parameters of its own",
                      caller.name(), callee->name(), callee->params_size()));
      return;
    }
    const Expr& begin = call.args(2);
    const Expr& end = call.args(3);
    const std::optional<int64_t> arity = Arity(*callee);
    if (begin.op() != CONST || end.op() != CONST || !arity.has_value()) return;
    if (const int64_t passed = end.int_value() - begin.int_value(); passed != *arity) {
      Add("packed-argument-count", fmt::format("{} passes {} arguments to {}, which reads {}",
                                               caller.name(), passed, callee->name(), *arity));
    }
  }

  // A kernel's launch passes its arguments, then the extents of its launch parameters.
  void CheckLaunch(const Function& caller, const Expr& call, const Function& kernel) {
    const Expr* parameters = Attr(kernel, "tirx.kernel_launch_params");
    if (parameters == nullptr || call.args(2).op() != CONST || call.args(3).op() != CONST) return;
    const int64_t passed = call.args(3).int_value() - call.args(2).int_value();
    const int64_t expected = kernel.params_size() + parameters->args_size();
    if (passed == expected) return;
    Add("launch-argument-count", fmt::format("{} launches {} with {} arguments and extents, not {}",
                                             caller.name(), kernel.name(), passed, expected));
  }

  void CheckConvention(const Function& caller, const Function& callee) {
    if (!IsDeviceKernel(callee) || !IsForHost(callee)) return;
    Add("calling-convention",
        fmt::format(
            "{} calls {}, which is for the host and has the convention of a device's kernel",
            caller.name(), callee.name()));
  }

  const Module& module_;
  std::vector<CallFault> faults_;
};

class CallContractOracle : public Oracle {
 public:
  std::string_view Name() const override { return "call-contract"; }
  std::string_view Description() const override {
    return "a pass leaves a call that does not fit its callee's convention or number of arguments";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    std::vector<CallFault> before;
    std::vector<Finding> findings;
    for (const StepObservation& step : observation.variants(static_cast<int>(variant)).steps()) {
      if (!step.has_lifted()) continue;
      std::vector<CallFault> after = CheckCalls(step.lifted());
      for (const CallFault& fault : after) {
        const bool is_new = std::ranges::none_of(
            before, [&](const CallFault& old) { return old.kind == fault.kind; });
        const bool is_first = std::ranges::none_of(
            findings, [&](const Finding& other) { return other.shape() == fault.kind; });
        if (step.index() < 0 || !is_new || !is_first) continue;
        Finding finding = NewFinding(Name(), observation, variant, step.pass(), step.index());
        finding.set_shape(fault.kind);
        finding.set_summary(fmt::format("after {}: {}", step.pass(), fault.text));
        finding.set_detail(fault.text);
        findings.push_back(std::move(finding));
      }
      before = std::move(after);
    }
    return findings;
  }
};

}  // namespace

std::vector<CallFault> CheckCalls(const Module& module) { return Checker(module).Run(); }

std::unique_ptr<Oracle> MakeCallContractOracle() { return std::make_unique<CallContractOracle>(); }

}  // namespace irate
