#include "tools/fault_names.h"

#include <algorithm>
#include <vector>

#include "bench/faults/fault_text.h"
#include "execution/api/sanitizer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ir/file.h"
#include "ir/rewrite/rule.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

constexpr size_t kMaxRuleFile = size_t{4} << 20;

absl::Status Unknown(const std::string& name, const std::vector<rewrite::Rule>& rules) {
  std::vector<std::string> names(kSanitizerFaults.begin(), kSanitizerFaults.end());
  for (const rewrite::Rule& rule : rules) names.push_back(rule.name);
  return absl::InvalidArgumentError(
      fmt::format("there is no fault \"{}\"; there are {}", name, fmt::join(names, ", ")));
}

}  // namespace

absl::StatusOr<std::string> ResolveFaults(const std::string& file, bool sanitized,
                                          Case* test_case) {
  std::string text;
  if (!file.empty()) {
    IRATE_ASSIGN_OR_RETURN(text, ReadFile(file, kMaxRuleFile));
  } else if (!test_case->faults().empty()) {
    text = BuiltinFaultText();
  }
  absl::StatusOr<std::vector<rewrite::Rule>> rules = rewrite::ParseRules(text);
  if (!rules.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", file, std::string(rules.status().message())));
  }
  for (std::string& name : *test_case->mutable_faults()) {
    // Of a device: the variant that has one knows its names (targets/tvm/device_faults.h).
    if (name.starts_with("device.")) continue;
    const auto rule = std::ranges::find(*rules, name, &rewrite::Rule::name);
    if (rule != rules->end() && rule->action == rewrite::Rule::Action::kRuntime) {
      name = rule->message;
    } else if (rule != rules->end()) {
      continue;
    }
    if (std::ranges::find(kSanitizerFaults, name) == kSanitizerFaults.end())
      return Unknown(name, *rules);
    if (!sanitized) {
      return absl::InvalidArgumentError(fmt::format(
          "the fault \"{}\" does something in instrumented runs only (--sanitize)", name));
    }
  }
  return text;
}

}  // namespace irate
