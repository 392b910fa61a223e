// RunInEveryOrder: the same call with its parallel tasks in several orders, which must not matter.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "execution/sanitized/sanitized_module.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::sanitized {

absl::StatusOr<RunResult> RunInEveryOrder(SanitizedModule& module, const std::string& entry,
                                          std::span<const contract::Argument> arguments,
                                          const RunOptions& options, int shuffles) {
  std::vector<contract::ParallelOptions> orders;
  for (int tasks : {options.parallel.tasks, 1}) {
    contract::ParallelOptions order = options.parallel;
    order.tasks = tasks;
    order.order = contract::TaskOrder::kForward;
    orders.push_back(order);
    if (tasks == 1) break;
    order.order = contract::TaskOrder::kReverse;
    orders.push_back(order);
    for (int i = 0; i < shuffles; ++i) {
      order.order = contract::TaskOrder::kShuffled;
      order.seed = options.parallel.seed + static_cast<uint64_t>(i);
      orders.push_back(order);
    }
  }
  std::optional<RunResult> first;
  for (const contract::ParallelOptions& order : orders) {
    RunOptions changed = options;
    changed.parallel = order;
    IRATE_ASSIGN_OR_RETURN(RunResult result, module.Run(entry, arguments, changed));
    if (!first) {
      first = std::move(result);
      continue;
    }
    for (Report& report : result.reports) {
      const auto known =
          std::find_if(first->reports.begin(), first->reports.end(),
                       [&](const Report& other) { return other.text == report.text; });
      if (known == first->reports.end()) first->reports.push_back(std::move(report));
    }
    first->run_ms += result.run_ms;
    if (first->completed && result.completed && first->contents != result.contents) {
      Report report;
      report.kind = ReportKind::kOrderDependence;
      report.text = fmt::format(
          "the result with {} tasks in order {} (seed {}) differs from that with {} tasks run "
          "forwards",
          order.tasks, static_cast<int>(order.order), order.seed, options.parallel.tasks);
      first->reports.push_back(std::move(report));
    }
  }
  return *std::move(first);
}

}  // namespace irate::sanitized
