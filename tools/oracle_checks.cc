#include "tools/oracle_checks.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "execution/harness.h"
#include "fmt/format.h"
#include "oracles/oracle.h"
#include "tools/small_case.h"

namespace irate {
namespace {

constexpr char kSelftest[] = "selftest";
constexpr std::chrono::milliseconds kDeadline{2'000};

struct PlantedFault {
  std::string_view oracle;  // that must speak up; empty: none may
  std::string_view options;
};

constexpr auto kFaults = std::to_array<PlantedFault>({
    {"", ""},
    {"compiler-crash", R"({"fault": "segv", "stage": "pass", "step": 1})"},
    {"hang", R"({"fault": "hang", "stage": "pass", "step": 1})"},
    {"out-of-memory", R"({"fault": "out-of-memory", "stage": "build"})"},
    {"internal-error", R"({"fault": "internal-error", "stage": "pass", "step": 1})"},
    {"pass-mismatch", R"({"fault": "wrong-pass", "stage": "pass", "step": 1})"},
    {"generated-code-crash", R"({"fault": "segv", "stage": "run"})"},
    {"codegen-mismatch", R"({"fault": "wrong-result", "stage": "run"})"},
    {"broken-promise", R"({"fault": "broken-promise", "stage": "pass", "step": 1})"},
    {"rejected", R"({"fault": "diagnostic", "stage": "pass", "step": 1})"},
});

DoctorCheck Check(const PlantedFault& fault, Harness& harness) {
  DoctorCheck check;
  check.name = fmt::format("oracle {}", fault.oracle.empty() ? "silence" : fault.oracle);
  Case test_case = SmallCase();
  TargetSpec* spec = test_case.add_targets();
  spec->set_target(kSelftest);
  spec->set_options(std::string(fault.options));
  const absl::StatusOr<Observation> observation = harness.Execute(test_case);
  if (!observation.ok()) {
    check.detail = std::string(observation.status().message());
    return check;
  }
  std::vector<Finding> findings = JudgeAll(test_case, *observation);
  for (Finding& finding : JudgeAdvisory(test_case, *observation)) {
    findings.push_back(std::move(finding));
  }
  for (const std::string& text : HarnessFaults(*observation)) {
    check.detail += fmt::format("fault of irate itself: {}; ", text);
  }
  for (const Finding& finding : findings) check.detail += finding.signature() + "; ";
  check.passed = fault.oracle.empty()
                     ? check.detail.empty()
                     : findings.size() == 1 && findings[0].oracle() == fault.oracle;
  if (check.detail.empty()) check.detail = "nothing is reported";
  return check;
}

}  // namespace

std::vector<DoctorCheck> CheckOracles(const WorkerOptions& worker) {
  HarnessOptions options;
  options.worker = worker;
  options.worker.target = kSelftest;
  options.worker.deadline = kDeadline;
  options.worker.memory_limit = uint64_t{256} << 20;
  const absl::StatusOr<std::unique_ptr<Harness>> harness = Harness::Create(options);
  if (!harness.ok()) {
    return {{"oracles", false, std::string(harness.status().message())}};
  }
  std::vector<DoctorCheck> checks;
  checks.reserve(kFaults.size());
  for (const PlantedFault& fault : kFaults) checks.push_back(Check(fault, **harness));
  return checks;
}

}  // namespace irate
