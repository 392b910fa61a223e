// The parts of a Case around its module.
#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/ops.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {
namespace {

absl::Status Fail(std::string_view place, std::string_view message) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", place, message));
}

absl::Status CheckKnown(std::string_view place, const google::protobuf::Message& message) {
  if (!HasUnknownFields(message)) return absl::OkStatus();
  return Fail(place, "it has a field with an unknown number");
}

absl::Status CheckText(std::string_view place, const std::string& text, bool may_be_empty = false) {
  if (text.empty() && !may_be_empty) return Fail(place, "it is empty");
  if (!IsValidUtf8(text)) return Fail(place, "it is not valid UTF-8");
  return absl::OkStatus();
}

// Arguments of schedules and passes are constants; they stand outside every function.
absl::Status CheckConstant(std::string_view place, const Expr& expr) {
  if (expr.op() != CONST && expr.op() != STRING) {
    return Fail(place, "it is neither a constant nor a string");
  }
  Module module;
  Function* function = module.add_functions();
  function->set_name("arguments");
  Attribute* attribute = function->add_attrs();
  attribute->set_key("argument");
  *attribute->mutable_value() = expr;
  absl::Status status = FunctionVerifier(module, 0, {}, {}).Run();
  return status.ok() ? status : Fail(place, std::string(status.message()));
}

absl::Status CheckSchedule(const Schedule& schedule) {
  IRATE_RETURN_IF_ERROR(CheckKnown("schedule", schedule));
  for (int i = 0; i < schedule.steps_size(); ++i) {
    const ScheduleStep& step = schedule.steps(i);
    const std::string place = fmt::format("schedule.steps[{}]", i);
    IRATE_RETURN_IF_ERROR(CheckKnown(place, step));
    IRATE_RETURN_IF_ERROR(CheckText(place + ".primitive", step.primitive()));
    for (const Expr& arg : step.args()) {
      IRATE_RETURN_IF_ERROR(CheckConstant(place + ".args", arg));
    }
    for (const std::string& text : step.strings()) {
      IRATE_RETURN_IF_ERROR(CheckText(place + ".strings", text, true));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckPasses(const PassSequence& passes) {
  IRATE_RETURN_IF_ERROR(CheckKnown("passes", passes));
  if (!PassMode_IsValid(passes.mode())) return Fail("passes.mode", "unknown mode");
  for (int i = 0; i < passes.steps_size(); ++i) {
    const PassStep& step = passes.steps(i);
    const std::string place = fmt::format("passes.steps[{}]", i);
    IRATE_RETURN_IF_ERROR(CheckKnown(place, step));
    IRATE_RETURN_IF_ERROR(CheckText(place + ".name", step.name()));
    for (const Expr& arg : step.args()) {
      IRATE_RETURN_IF_ERROR(CheckConstant(place + ".args", arg));
    }
  }
  std::set<std::string_view> keys;
  for (int i = 0; i < passes.config_size(); ++i) {
    const Attribute& config = passes.config(i);
    const std::string place = fmt::format("passes.config[{}]", i);
    IRATE_RETURN_IF_ERROR(CheckKnown(place, config));
    IRATE_RETURN_IF_ERROR(CheckText(place + ".key", config.key()));
    if (!keys.insert(config.key()).second) {
      return Fail(place, fmt::format("the key {} occurs twice", config.key()));
    }
    if (!config.has_value()) return Fail(place, "it has no value");
    IRATE_RETURN_IF_ERROR(CheckConstant(place, config.value()));
  }
  return absl::OkStatus();
}

absl::Status CheckParamInput(const std::string& place, const Function& entry,
                             const ParamInput& input) {
  IRATE_RETURN_IF_ERROR(CheckKnown(place, input));
  if (input.param() >= static_cast<uint32_t>(entry.params_size())) {
    return Fail(place, fmt::format("there is no parameter {}; function {} has {}", input.param(),
                                   entry.name(), entry.params_size()));
  }
  if (input.min() > input.max()) {
    return Fail(place, fmt::format("min {} is above max {}", input.min(), input.max()));
  }
  const Param& param = entry.params(static_cast<int>(input.param()));
  const ScalarType type = param.kind() == PARAM_BUFFER
                              ? entry.buffers(static_cast<int>(param.id())).type()
                              : entry.variables(static_cast<int>(param.id())).type();
  if (input.real() && !IsFloat(type)) {
    return Fail(place, fmt::format("real values for a parameter of type {}", TypeName(type)));
  }
  const bool below = input.min() < MinValue(type);
  const bool above = type != U64 && input.max() > MaxValue(type);
  if ((IsInteger(type) || type == BOOL) && (below || above)) {
    return Fail(place, fmt::format("[{}, {}] is not within the range of {}", input.min(),
                                   input.max(), TypeName(type)));
  }
  return absl::OkStatus();
}

absl::Status CheckDim(const std::string& place, const Function& entry, const DimValue& dim) {
  IRATE_RETURN_IF_ERROR(CheckKnown(place, dim));
  const Variable& variable = entry.variables(static_cast<int>(dim.variable()));
  const bool fits = variable.type() == U64 || dim.value() <= MaxValue(variable.type());
  if (dim.value() >= 0 && fits) return absl::OkStatus();
  return Fail(place, fmt::format("{} is no value for the dimension {} of type {}", dim.value(),
                                 variable.name(), TypeName(variable.type())));
}

absl::Status CheckInputs(const Inputs& inputs, const Function& entry) {
  IRATE_RETURN_IF_ERROR(CheckKnown("inputs", inputs));
  std::set<uint32_t> params;
  for (int i = 0; i < inputs.params_size(); ++i) {
    const std::string place = fmt::format("inputs.params[{}]", i);
    IRATE_RETURN_IF_ERROR(CheckParamInput(place, entry, inputs.params(i)));
    if (!params.insert(inputs.params(i).param()).second) {
      return Fail(place, fmt::format("parameter {} occurs twice", inputs.params(i).param()));
    }
  }
  const std::vector<uint32_t> wanted = DimensionVariables(entry);
  std::set<uint32_t> missing(wanted.begin(), wanted.end());
  for (int i = 0; i < inputs.dims_size(); ++i) {
    const std::string place = fmt::format("inputs.dims[{}]", i);
    const uint32_t variable = inputs.dims(i).variable();
    if (missing.erase(variable) == 0) {
      const bool known = std::ranges::find(wanted, variable) != wanted.end();
      return Fail(place, known ? fmt::format("a second value for {}",
                                             entry.variables(static_cast<int>(variable)).name())
                               : fmt::format("variable {} of function {} is no dimension", variable,
                                             entry.name()));
    }
    IRATE_RETURN_IF_ERROR(CheckDim(place, entry, inputs.dims(i)));
  }
  if (missing.empty()) return absl::OkStatus();
  return Fail("inputs.dims", fmt::format("no value for the dimension {} of function {}",
                                         entry.variables(static_cast<int>(*missing.begin())).name(),
                                         entry.name()));
}

}  // namespace

absl::Status CheckCaseParts(const Case& test_case) {
  IRATE_RETURN_IF_ERROR(CheckKnown("case", test_case));
  IRATE_RETURN_IF_ERROR(CheckSchedule(test_case.schedule()));
  IRATE_RETURN_IF_ERROR(CheckPasses(test_case.passes()));
  for (int i = 0; i < test_case.targets_size(); ++i) {
    const TargetSpec& spec = test_case.targets(i);
    const std::string place = fmt::format("targets[{}]", i);
    IRATE_RETURN_IF_ERROR(CheckKnown(place, spec));
    IRATE_RETURN_IF_ERROR(CheckText(place + ".target", spec.target()));
    IRATE_RETURN_IF_ERROR(CheckText(place + ".options", spec.options(), true));
  }
  IRATE_RETURN_IF_ERROR(CheckInputs(test_case.inputs(), test_case.module().functions(0)));
  IRATE_RETURN_IF_ERROR(CheckText("generator", test_case.generator(), true));
  for (const std::string& feature : test_case.features()) {
    IRATE_RETURN_IF_ERROR(CheckText("features", feature));
  }
  for (const std::string& fault : test_case.faults()) {
    IRATE_RETURN_IF_ERROR(CheckText("faults", fault));
  }
  return absl::OkStatus();
}

}  // namespace irate::verify
