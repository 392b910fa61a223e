// irate show: a Case as text, its inputs, the module after each pass, the compiler's own text.
#include <memory>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "ir/inputs.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "triage/python_text.h"

namespace irate {
namespace {

struct ShowArguments {
  EnvironmentOptions environment;
  std::string path;
  bool passes = false;
  bool native = false;
  bool inputs = false;
  int after = 0;
};

absl::Status ShowInputs(const Case& test_case) {
  const Function& entry = test_case.module().functions(0);
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> arguments,
                         MakeArguments(entry, test_case.inputs()));
  for (int i = 0; i < entry.params_size(); ++i) {
    const ArgumentValue& argument = arguments[static_cast<size_t>(i)];
    const int id = static_cast<int>(entry.params(i).id());
    const std::string& name =
        argument.is_scalar ? entry.variables(id).name() : entry.buffers(id).name();
    const absl::StatusOr<std::string> value =
        argument.is_scalar ? PythonScalar(argument.tensor) : NumpyArray(argument.tensor);
    fmt::print("{} = {}\n", name, value.ok() ? *value : std::string(value.status().message()));
  }
  return absl::OkStatus();
}

void ShowStep(const StepObservation& step, const std::string& target) {
  const std::string name = step.index() < 0 ? "as lowered" : "after " + step.pass();
  if (step.outcome() == StepObservation::SKIPPED) {
    fmt::print("// ---- {}: refused: {}\n", step.pass(), step.skip_reason());
  } else if (!step.lift_failure().empty()) {
    fmt::print("// ---- {}: not lifted: {}\n", name, step.lift_failure());
  } else if (step.has_lifted()) {
    fmt::print("// ---- {} ({}, step {})\n{}\n", name, target, step.index(),
               PrintModule(step.lifted()));
  }
}

absl::Status ShowPasses(const Case& test_case, Harness& harness) {
  IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.Execute(test_case));
  for (const VariantObservation& variant : observation.variants()) {
    for (const StepObservation& step : variant.steps()) {
      if (step.index() < 0) ShowStep(step, variant.spec().target());
    }
    for (const StepObservation& step : variant.schedule_steps()) {
      ShowStep(step, variant.spec().target());
    }
    for (const StepObservation& step : variant.steps()) {
      if (step.index() >= 0) ShowStep(step, variant.spec().target());
    }
  }
  if (observation.variants().empty()) {
    fmt::print("// not compiled: {} {}\n",
               Interpretation::Status_Name(observation.reference().status()),
               observation.reference().reason());
  }
  return absl::OkStatus();
}

absl::Status ShowNative(const Case& test_case, Harness& harness, int after) {
  google::protobuf::RepeatedPtrField<TargetSpec> specs = test_case.targets();
  if (specs.empty()) specs = harness.worker().hello().default_specs();
  PassSequence passes = test_case.passes();
  if (passes.steps().empty()) {
    IRATE_ASSIGN_OR_RETURN(passes, harness.worker().DefaultPasses(specs.Get(0), passes.config()));
  }
  IRATE_ASSIGN_OR_RETURN(const std::string text,
                         harness.worker().PrintNative(test_case, specs.Get(0), passes, after));
  fmt::print("{}\n", text);
  return absl::OkStatus();
}

absl::Status Show(const ShowArguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(const Case test_case, ReadCaseFile(arguments.path));
  if (!arguments.passes && !arguments.native && !arguments.inputs) {
    fmt::print("{}", PrintCase(test_case));
    return absl::OkStatus();
  }
  if (arguments.inputs) IRATE_RETURN_IF_ERROR(ShowInputs(test_case));
  if (!arguments.passes && !arguments.native) return absl::OkStatus();
  EnvironmentOptions environment = arguments.environment;
  if (test_case.targets_size() > 0) environment.target = test_case.targets(0).target();
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness, MakeHarness(environment));
  if (arguments.passes) IRATE_RETURN_IF_ERROR(ShowPasses(test_case, *harness));
  if (arguments.native) IRATE_RETURN_IF_ERROR(ShowNative(test_case, *harness, arguments.after));
  return absl::OkStatus();
}

}  // namespace

void AddShowCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = app->add_subcommand("show", "Print a Case: as text, or what becomes of it");
  command->add_option("case", arguments->path, "A Case file: .irate, .textproto or binary")
      ->required();
  command->add_flag("--passes", arguments->passes,
                    "The module after each step of the schedule and each pass that changed it");
  command->add_flag("--native", arguments->native,
                    "The module in the compiler's own text (for TVM: TVMScript)");
  command
      ->add_option("--after", arguments->after,
                   "With --native: after the schedule and this many passes")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--inputs", arguments->inputs,
                    "The arguments that the function is called with");
  command->add_option("--target", arguments->environment.target, "Compiler")->capture_default_str();
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->footer("Exit codes: 0 fine, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] {
    const absl::Status status = Show(*arguments);
    *exit_code = status.ok() ? kExitOk : FailEnvironment(status);
  });
}

}  // namespace irate
