#include "fmt/format.h"
#include "ir/text.h"
#include "ir/text_printer.h"

namespace irate {
namespace {

using text::Quote;

// Constants outside functions: no names to resolve.
std::string PrintConstant(const Expr& expr) {
  return PrintExpr(Function::default_instance(), expr);
}

template <typename Exprs>
std::string PrintConstants(const Exprs& exprs) {
  std::string result;
  for (const Expr& expr : exprs) {
    if (!result.empty()) result += ", ";
    result += PrintConstant(expr);
  }
  return result;
}

template <typename Strings>
std::string QuoteAll(const Strings& strings) {
  std::string result;
  for (const std::string& text : strings) {
    if (!result.empty()) result += ", ";
    result += Quote(text);
  }
  return result;
}

std::string PrintSchedule(const Schedule& schedule) {
  std::string result = "schedule {\n";
  for (const ScheduleStep& step : schedule.steps()) {
    result +=
        fmt::format("  {}({})", text::SpellPath(step.primitive()), PrintConstants(step.args()));
    if (step.strings_size() != 0) result += " on " + QuoteAll(step.strings());
    result += '\n';
  }
  return result + "}\n";
}

std::string PrintPasses(const PassSequence& passes) {
  std::string result = passes.mode() == WILD ? "passes wild {\n" : "passes strict {\n";
  for (const Attribute& config : passes.config()) {
    result += fmt::format("  config {} = {}\n", text::SpellPath(config.key()),
                          PrintConstant(config.value()));
  }
  for (const PassStep& step : passes.steps()) {
    result +=
        fmt::format("  pass {}({})\n", text::SpellPath(step.name()), PrintConstants(step.args()));
  }
  return result + "}\n";
}

std::string ParamComment(const Function& entry, const text::NameTable& names, uint32_t index) {
  if (index >= static_cast<uint32_t>(entry.params_size())) return "";
  const Param& param = entry.params(static_cast<int>(index));
  return "  # " +
         (param.kind() == PARAM_BUFFER ? names.Buffer(param.id()) : names.Variable(param.id()));
}

std::string PrintInputs(const Inputs& inputs, const Function& entry) {
  const text::NameTable names(entry);
  std::string result = fmt::format("inputs seed {} {{\n", inputs.seed());
  for (const ParamInput& param : inputs.params()) {
    result += fmt::format("  param {} in [{}, {}]{}{}\n", param.param(), param.min(), param.max(),
                          param.real() ? " real" : "", ParamComment(entry, names, param.param()));
  }
  for (const DimValue& dim : inputs.dims()) {
    result += fmt::format("  dim {} = {}\n", names.Variable(dim.variable()), dim.value());
  }
  return result + "}\n";
}

}  // namespace

std::string PrintCase(const Case& test_case) {
  std::string result = fmt::format("irate {}\n", test_case.version());
  if (!test_case.generator().empty() || test_case.generator_seed() != 0) {
    result += fmt::format("generator {} seed {}\n", Quote(test_case.generator()),
                          test_case.generator_seed());
  }
  if (test_case.features_size() != 0) {
    result += fmt::format("features {}\n", QuoteAll(test_case.features()));
  }
  if (test_case.faults_size() != 0) {
    result += fmt::format("faults {}\n", QuoteAll(test_case.faults()));
  }
  for (const TargetSpec& spec : test_case.targets()) {
    result += "target " + Quote(spec.target());
    if (!spec.options().empty()) result += " " + Quote(spec.options());
    result += '\n';
  }
  const Function& entry = test_case.module().functions_size() == 0
                              ? Function::default_instance()
                              : test_case.module().functions(0);
  if (test_case.has_inputs()) result += PrintInputs(test_case.inputs(), entry);
  if (test_case.has_schedule()) result += PrintSchedule(test_case.schedule());
  if (test_case.has_passes()) result += PrintPasses(test_case.passes());
  return result + "\n" + PrintModule(test_case.module());
}

}  // namespace irate
