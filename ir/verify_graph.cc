// Functions of a module do not call themselves, directly or through others: compilers of tensor
// programs have no call stack to speak of, and whoever walks calls may rely on an end.
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "ir/verify_internal.h"
#include "ir/visit.h"

namespace irate::verify {
namespace {

// Callees of each function, by index; each at most once.
std::vector<std::vector<int>> Callees(const Module& module, const FunctionIndex& index) {
  std::vector<std::vector<int>> callees(static_cast<size_t>(module.functions_size()));
  std::vector<int> last_caller(callees.size(), -1);
  for (int caller = 0; caller < module.functions_size(); ++caller) {
    VisitExprs(module.functions(caller), [&](const Expr& expr) {
      if (expr.op() != CALL || expr.name().empty() || expr.name().front() != '@') return;
      const auto found = index.find(std::string_view(expr.name()).substr(1));
      if (found == index.end()) return;
      const int callee = found->second;
      if (std::exchange(last_caller[static_cast<size_t>(callee)], caller) == caller) return;
      callees[static_cast<size_t>(caller)].push_back(callee);
    });
  }
  return callees;
}

}  // namespace

absl::Status CheckCallGraph(const Module& module, const FunctionIndex& index) {
  const std::vector<std::vector<int>> callees = Callees(module, index);
  // Kahn's algorithm: what remains when functions without callers are taken away is a cycle.
  std::vector<int> callers(callees.size(), 0);
  for (const auto& list : callees) {
    for (int callee : list) ++callers[static_cast<size_t>(callee)];
  }
  std::vector<int> ready;
  for (size_t i = 0; i < callers.size(); ++i) {
    if (callers[i] == 0) ready.push_back(static_cast<int>(i));
  }
  size_t removed = 0;
  while (!ready.empty()) {
    const int caller = ready.back();
    ready.pop_back();
    ++removed;
    for (int callee : callees[static_cast<size_t>(caller)]) {
      if (--callers[static_cast<size_t>(callee)] == 0) ready.push_back(callee);
    }
  }
  if (removed == callees.size()) return absl::OkStatus();
  for (size_t i = 0; i < callers.size(); ++i) {
    if (callers[i] == 0) continue;
    return absl::InvalidArgumentError(
        fmt::format("function {}: it is part of, or called from, a cycle of calls",
                    module.functions(static_cast<int>(i)).name()));
  }
  return absl::OkStatus();
}

}  // namespace irate::verify
