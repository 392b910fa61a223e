// irate run: one Case through everything, and what the oracles say.
#include <memory>

#include "execution/sanitized_tier.h"
#include "fmt/format.h"
#include "ir/compare.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "oracles/failure.h"
#include "oracles/oracle.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/fault_names.h"
#include "tools/record_findings.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct RunArguments {
  EnvironmentOptions environment;
  std::string path;
  std::string options;
  std::string json;
  std::string earlier;
  std::string findings;
  bool as_is = false;
  bool target_given = false;
  bool all_steps = false;
  bool sanitize = false;
  std::vector<std::string> faults;
  std::string rules;  // file of further faults
  bool thorough = false;
  std::string only;
};

std::string InterpretationText(const Interpretation& interpretation) {
  std::string text = Interpretation::Status_Name(interpretation.status());
  if (!interpretation.reason().empty()) text += ": " + interpretation.reason();
  if (!interpretation.place().empty()) text += " at " + interpretation.place();
  return text;
}

std::string StepText(const StepObservation& step) {
  const std::string meaning = step.lift_failure().empty()
                                  ? InterpretationText(step.interpretation())
                                  : "not lifted: " + step.lift_failure();
  const bool has_meaning =
      step.outcome() == StepObservation::CHANGED || !step.lift_failure().empty();
  return fmt::format("  {:>3}  {:<52} {:<10} {:6.2f} ms  {}\n", step.index(),
                     step.index() < 0 ? "(as lowered)" : step.pass(),
                     StepObservation::Outcome_Name(step.outcome()), step.compiler_ms(),
                     has_meaning ? meaning : "");
}

std::string FaultText(const FaultObservation& fault) {
  return fault.triggered() ? "triggered" : fault.reached() ? "reached" : "not reached";
}

std::string VariantText(const VariantObservation& variant, bool all_steps) {
  std::string text = fmt::format("{} {} {}\n", variant.spec().target(), variant.compiler_version(),
                                 variant.spec().options());
  for (const StepObservation& step : variant.steps()) {
    if (all_steps || step.outcome() != StepObservation::UNCHANGED) text += StepText(step);
  }
  if (variant.failure().kind() != Failure::NONE) {
    text += fmt::format("  {}\n", DescribeFailure(variant.failure()));
  } else if (variant.outputs_size() != 0) {
    text += fmt::format("  built in {:.1f} ms, ran in {:.2f} ms\n", variant.build_ms(),
                        variant.run_ms());
  }
  for (const FaultObservation& fault : variant.faults()) {
    text += fmt::format("  seeded fault {}: {}\n", fault.name(), FaultText(fault));
  }
  for (const ContractViolation& violation : variant.violations()) {
    text += fmt::format("  {}: {}\n", violation.kind(), violation.detail());
  }
  if (!variant.not_sanitized().empty()) {
    text += fmt::format("  not sanitized: {}\n", variant.not_sanitized());
  }
  return text;
}

Json FindingJson(const Finding& finding) {
  return {{"signature", finding.signature()}, {"oracle", finding.oracle()},
          {"target", finding.target()},       {"culprit", finding.culprit()},
          {"shape", finding.shape()},         {"summary", finding.summary()},
          {"detail", finding.detail()},       {"step", finding.step()}};
}

Json VariantJson(const VariantObservation& variant) {
  Json steps = Json::array();
  for (const StepObservation& step : variant.steps()) {
    steps.push_back(
        {{"index", step.index()},
         {"pass", step.pass()},
         {"outcome", StepObservation::Outcome_Name(step.outcome())},
         {"compiler_ms", step.compiler_ms()},
         {"interpretation", Interpretation::Status_Name(step.interpretation().status())},
         {"reason", step.interpretation().reason()},
         {"lift_failure", step.lift_failure()}});
  }
  Json violations = Json::array();
  for (const ContractViolation& violation : variant.violations()) {
    violations.push_back({{"kind", violation.kind()},
                          {"function", violation.function()},
                          {"place", violation.place()},
                          {"detail", violation.detail()}});
  }
  return {{"target", variant.spec().target()},
          {"options", variant.spec().options()},
          {"version", variant.compiler_version()},
          {"steps", steps},
          {"failure",
           {{"kind", Failure::Kind_Name(variant.failure().kind())},
            {"stage", Stage_Name(variant.failure().stage())},
            {"pass", variant.failure().pass()},
            {"message", variant.failure().message()}}},
          {"ran", variant.outputs_size() != 0},
          {"violations", violations},
          {"not_sanitized", variant.not_sanitized()}};
}

std::string ResultJson(const Observation& observation, const std::vector<Finding>& findings,
                       const std::vector<Finding>& advisory,
                       const std::vector<std::string>& faults) {
  Json variants = Json::array();
  for (const VariantObservation& variant : observation.variants()) {
    variants.push_back(VariantJson(variant));
  }
  Json found = Json::array();
  for (const Finding& finding : findings) found.push_back(FindingJson(finding));
  Json counted = Json::array();
  for (const Finding& finding : advisory) counted.push_back(FindingJson(finding));
  const Json json = {{"reference",
                      {{"status", Interpretation::Status_Name(observation.reference().status())},
                       {"reason", observation.reference().reason()},
                       {"place", observation.reference().place()},
                       {"steps", observation.reference().steps()},
                       {"inconclusive_share", InconclusiveShare(observation.reference())}}},
                     {"variants", variants},
                     {"findings", found},
                     {"advisory", counted},
                     {"harness_faults", faults}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The Cases of a folder in order of name.
absl::StatusOr<std::vector<Case>> ReadEarlier(const std::string& folder) {
  std::vector<Case> cases;
  if (folder.empty()) return cases;
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListFiles(folder, ".irate"));
  for (const std::string& path : paths) {
    IRATE_ASSIGN_OR_RETURN(Case test_case, ReadCaseFile(path));
    if (test_case.targets_size() == 0) {
      return absl::InvalidArgumentError(path + ": a Case that came earlier names its target");
    }
    cases.push_back(std::move(test_case));
  }
  return cases;
}

absl::StatusOr<int> Run(const RunArguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(Case test_case, ReadCaseFile(arguments.path));
  for (const std::string& fault : arguments.faults) test_case.add_faults(fault);
  const absl::StatusOr<std::string> rules =
      ResolveFaults(arguments.rules, arguments.sanitize, &test_case);
  if (!rules.ok()) return FailUsage(std::string(rules.status().message()));
  EnvironmentOptions environment = arguments.environment;
  if (arguments.target_given || !arguments.options.empty()) {
    // Without options: the target's own defaults.
    test_case.clear_targets();
    if (!arguments.options.empty()) {
      TargetSpec* spec = test_case.add_targets();
      spec->set_target(environment.target);
      spec->set_options(arguments.options);
    }
  } else if (test_case.targets_size() > 0) {
    environment.target = test_case.targets(0).target();
  }
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                         MakeHarness(environment, {.check_well_formed = arguments.thorough,
                                                   .repeat = arguments.thorough,
                                                   .fault_rules = *rules}));
  IRATE_ASSIGN_OR_RETURN(const std::vector<Case> earlier, ReadEarlier(arguments.earlier));
  std::unique_ptr<SanitizedTier> tier;
  if (arguments.sanitize) {
    IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, FindAsanWorker(environment));
    IRATE_ASSIGN_OR_RETURN(tier, SanitizedTier::Create(harness.get(), worker, *rules));
  }
  IRATE_ASSIGN_OR_RETURN(const Observation observation,
                         tier == nullptr ? harness->ExecuteAfter(earlier, test_case)
                                         : tier->ExecuteAfter(earlier, test_case));
  const std::vector<Finding> findings = JudgeAll(test_case, observation);
  const std::vector<Finding> advisory = JudgeAdvisory(test_case, observation);
  const std::vector<std::string> faults = HarnessFaults(observation);

  if (arguments.json != "-") {
    fmt::print("reference: {}, {} steps, {:.1f} % of the elements not judged\n",
               InterpretationText(observation.reference()), observation.reference().steps(),
               100 * InconclusiveShare(observation.reference()));
    for (const VariantObservation& variant : observation.variants()) {
      fmt::print("\n{}", VariantText(variant, arguments.all_steps));
    }
    for (const std::string& fault : faults) fmt::print("\nfault of irate itself: {}\n", fault);
    for (const Finding& finding : advisory) fmt::print("\nnote: {}\n", finding.summary());
    for (const Finding& finding : findings) {
      fmt::print("\nfinding: {}\n  {}\n  {}\n", finding.signature(), finding.summary(),
                 finding.detail());
    }
    if (findings.empty()) fmt::print("\nno findings\n");
  }
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(
        WriteOutput(arguments.json, ResultJson(observation, findings, advisory, faults)));
  }
  if (!faults.empty()) return kExitEnvironment;
  if (!arguments.findings.empty()) {
    IRATE_RETURN_IF_ERROR(
        RecordFindings(test_case, findings, environment, arguments.findings, !arguments.as_is));
  }
  if (arguments.only.empty()) return findings.empty() ? kExitOk : kExitFindings;
  for (const Finding& finding : findings) {
    if (finding.signature() == arguments.only) return kExitFindings;
  }
  return kExitOk;
}

}  // namespace

void AddRunCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command =
      app->add_subcommand("run", "Run one Case: every observation, and what the oracles say");
  command->add_option("case", arguments->path, "A Case file: .irate, .textproto or binary")
      ->required();
  CLI::Option* target = command->add_option("--target", arguments->environment.target,
                                            "Compiler, instead of those that the Case names");
  command->add_option("--target-options", arguments->options,
                      "The compiler's own target description (JSON)");
  command->add_flag("--all-steps", arguments->all_steps, "List passes that change nothing as well");
  command->add_flag("--thorough", arguments->thorough,
                    "Every step, build and run twice, and the compiler's own checks after each");
  command->add_flag("--sanitize", arguments->sanitize,
                    "Run the generated code instrumented as well, with its contracts checked");
  command->add_option("--only", arguments->only,
                      "The signature of the one finding that the exit code is about");
  command->add_option("--fault", arguments->faults,
                      "A seeded fault to switch on, beside those that the Case names; may be "
                      "repeated (docs/sanitizers.md, docs/faults.md)");
  command
      ->add_option("--faults", arguments->rules,
                   "File of faults that may be named, instead of the built-in ones")
      ->check(CLI::ExistingFile);
  command->add_option("--asan-worker", arguments->environment.asan_worker,
                      "Path of irate-worker-asan");
  command->add_option("--earlier", arguments->earlier,
                      "Folder of Cases that the worker serves first: earlier/ of a finding");
  command->add_option("--json", arguments->json,
                      "Write the result to this file as JSON; - : stdout");
  command->add_option("--findings", arguments->findings,
                      "Reduce what is found and record it in this folder, as irate fuzz does");
  command->add_flag("--as-is", arguments->as_is, "Record the Case without reducing it");
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for the Case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->footer(
      "Exit codes: 0 no findings (or the Case is not defined), 1 findings, 2 usage error,\n"
      "3 environment: the Case cannot be read, no worker, a fault of irate itself.");
  command->callback([arguments, target, exit_code] {
    arguments->target_given = target->count() > 0;
    *exit_code = ExitCode(Run(*arguments));
  });
}

}  // namespace irate
