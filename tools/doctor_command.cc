// irate doctor: is everything here, and would each kind of fault be noticed?
#include <chrono>
#include <memory>

#include "execution/doctor.h"
#include "fmt/format.h"
#include "generators/generator.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "nlohmann/json.hpp"
#include "targets/c/second_reference.h"
#include "tools/command.h"
#include "tools/device_checks.h"
#include "tools/environment.h"
#include "tools/lift_coverage.h"
#include "tools/oracle_checks.h"
#include "triage/run_command.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorArguments {
  EnvironmentOptions environment;
  std::string json;
  bool lift = false;
  uint64_t lift_count = 300;
  uint64_t lift_seed = 1;
};

// Reproducers need it; fuzzing does not.
DoctorCheck CheckPython(const EnvironmentOptions& environment, const std::string& version) {
  DoctorCheck check{.name = "python", .passed = false, .detail = ""};
  const std::string python = FindPython(environment);
  if (python.empty()) {
    check.detail = "no Python with the compiler: run ./quickstart";
    return check;
  }
  const absl::StatusOr<CommandResult> run = RunCommand(
      {python, "-c", "import numpy, tvm; print(tvm.__version__)"}, "/", std::chrono::seconds(60));
  if (!run.ok()) {
    check.detail = std::string(run.status().message());
    return check;
  }
  std::string output = run->output;
  while (!output.empty() && output.back() == '\n') output.pop_back();
  check.passed = run->exit_code == 0 && output == version;
  check.detail = fmt::format("{}: tvm {}", python, output);
  if (!check.passed) check.detail += fmt::format(", but the worker has {}", version);
  return check;
}

// Wrong results are recorded only where it agrees with the interpreter.
DoctorCheck CheckSecondReference() {
  DoctorCheck check{.name = "second-reference", .passed = false, .detail = ""};
  const Case test_case = GenerateCase(CaseSeed(1, 0));
  const absl::StatusOr<Interpretation> expected = Interpret(test_case.module(), test_case.inputs());
  const absl::StatusOr<std::vector<Tensor>> actual = RunSecondReference(test_case);
  if (!expected.ok() || !actual.ok()) {
    check.detail = std::string((expected.ok() ? actual.status() : expected.status()).message());
    return check;
  }
  const std::optional<Difference> difference = Compare(*expected, *actual);
  check.passed = !difference.has_value();
  check.detail = check.passed ? "agrees with the interpreter" : difference->ToString();
  return check;
}

std::string ReportJson(const DoctorReport& report) {
  Json checks = Json::array();
  for (const DoctorCheck& check : report.checks) {
    checks.push_back({{"name", check.name}, {"ok", check.passed}, {"detail", check.detail}});
  }
  const Json json = {{"ok", report.ok()},
                     {"target", report.target},
                     {"target_version", report.target_version},
                     {"start_ms", report.start_ms},
                     {"respawn_ms", report.respawn_ms},
                     {"round_trip_us", report.round_trip_us},
                     {"checks", checks}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int RunLiftCommand(const DoctorArguments& arguments) {
  TargetOptions passes_only;
  passes_only.run_native = false;
  absl::StatusOr<std::unique_ptr<Harness>> harness =
      MakeHarness(arguments.environment, passes_only);
  if (!harness.ok()) return FailEnvironment(harness.status());
  const absl::StatusOr<LiftCoverage> coverage = MeasureLifting(
      **harness, arguments.lift_seed, arguments.lift_count, [&arguments](uint64_t done) {
        if (done % 100 == 0) fmt::print(stderr, "irate: {}/{} cases\n", done, arguments.lift_count);
      });
  if (!coverage.ok()) return FailEnvironment(coverage.status());
  if (arguments.json != "-") fmt::print("{}", coverage->ToText());
  if (!arguments.json.empty()) {
    const absl::Status status = WriteOutput(arguments.json, coverage->ToJson());
    if (!status.ok()) return FailEnvironment(status);
  }
  return coverage->Sufficient() ? kExitOk : kExitFindings;
}

int RunDoctorCommand(const DoctorArguments& arguments) {
  if (arguments.lift) return RunLiftCommand(arguments);
  const absl::StatusOr<WorkerOptions> worker = FindWorker(arguments.environment);
  if (!worker.ok()) return FailEnvironment(worker.status());
  DoctorReport report = RunDoctor(*worker);
  if (report.target == "tvm") {
    report.checks.push_back(CheckPython(arguments.environment, report.target_version));
  }
  report.checks.push_back(CheckSecondReference());
  for (DoctorCheck& check : CheckOracles(*worker)) report.checks.push_back(std::move(check));
  if (report.target == "tvm") {
    for (DoctorCheck& check : CheckDevices(*worker)) report.checks.push_back(std::move(check));
  }
  if (arguments.json != "-") fmt::print("{}", report.ToText());
  if (!arguments.json.empty()) {
    const absl::Status status = WriteOutput(arguments.json, ReportJson(report));
    if (!status.ok()) return FailEnvironment(status);
  }
  const DoctorCheck* start = report.Find("start");
  if (start == nullptr || !start->passed) {
    return FailEnvironment(absl::UnavailableError(fmt::format(
        "the target {} cannot be started: run ./quickstart", arguments.environment.target)));
  }
  return report.ok() ? kExitOk : kExitFindings;
}

}  // namespace

void AddDoctorCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* command = app->add_subcommand(
      "doctor", "Check that all is installed and that each kind of fault would be noticed");
  command->add_option("--target", arguments->environment.target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--json", arguments->json,
                      "Write the report to this file as JSON; - : stdout");
  command->add_option("--python", arguments->environment.python,
                      "Python that can import the compiler");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->add_flag("--lift", arguments->lift,
                    "Instead: how many of the changed pass results are lifted and interpreted");
  command->add_option("--count", arguments->lift_count, "Cases for --lift")->capture_default_str();
  command->add_option("--seed", arguments->lift_seed, "Seed for --lift")->capture_default_str();
  command->footer(
      "Exit codes: 0 all checks pass, 1 a check failed, 2 usage error, 3 the compiler cannot be\n"
      "started.");
  command->callback([arguments, exit_code] { *exit_code = RunDoctorCommand(*arguments); });
}

}  // namespace irate
