#include "triage/tvm_schedule.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/index_map.h"
#include "ir/schedule.h"
#include "ir/status_macros.h"
#include "ir/types.h"
#include "triage/python_text.h"

namespace irate {
namespace {

std::string Loop(const std::string& block, int64_t number) {
  return fmt::format("sch.get_loops({})[{}]", PythonString(block), number);
}

std::string Loops(const StepArgument& argument) {
  std::vector<std::string> loops;
  for (size_t i = 0; i < argument.ints.size(); ++i) {
    loops.push_back(Loop(argument.texts[i], argument.ints[i]));
  }
  return absl::StrJoin(loops, ", ");
}

// A block's name does for the block only where Python looks it up.
std::string Block(const std::string& name) {
  return fmt::format("sch.get_sblock({})", PythonString(name));
}

std::string Lambda(const StepArgument& argument) {
  const std::string& text = argument.texts[0];
  const std::string inputs = text.substr(0, text.find(" ->"));
  return fmt::format("lambda {}: [{}]", inputs, text.substr(text.find("-> ") + 3));
}

// Begin and end of every dimension.
std::string Regions(const StepArgument& argument) {
  const absl::StatusOr<IndexMap> map = ParseIndexMap(argument.texts[0]);
  const std::string& text = argument.texts[0];
  std::vector<std::string> pairs;
  for (size_t i = 0; map.ok() && i + 1 < map->outputs.size(); i += 2) {
    pairs.push_back(fmt::format(
        "({}, {})", PrintIndexMapOutputs({.inputs = map->inputs, .outputs = {map->outputs[i]}}),
        PrintIndexMapOutputs({.inputs = map->inputs, .outputs = {map->outputs[i + 1]}})));
  }
  return fmt::format("lambda {}: [{}]", text.substr(0, text.find(" ->")),
                     absl::StrJoin(pairs, ", "));
}

absl::StatusOr<std::string> Value(const StepArgument& argument) {
  std::vector<std::string> values;
  for (const Expr& value : argument.values) {
    IRATE_ASSIGN_OR_RETURN(std::string literal, PythonLiteral(value));
    values.push_back(std::move(literal));
  }
  return values.size() == 1 ? values[0] : fmt::format("[{}]", absl::StrJoin(values, ", "));
}

std::string TvmTypeName(ScalarType type) {
  if (type == BOOL) return "bool";
  if (type == BF16) return "bfloat16";
  if (type == F8E4M3FN) return "float8_e4m3fn";
  if (type == F8E5M2) return "float8_e5m2";
  const std::string_view kind = IsFloat(type) ? "float" : IsUnsigned(type) ? "uint" : "int";
  return fmt::format("{}{}", kind, 8 * ByteSize(type));
}

// The names of the parameters that Python takes by keyword only.
std::string_view Keyword(std::string_view primitive, StepParam kind) {
  if (kind == StepParam::kBool && primitive == "fuse") return "preserve_unit_iters=";
  if (kind == StepParam::kPadValue) return "pad_value=";
  return "";
}

absl::StatusOr<std::string> Argument(const StepArgument& argument) {
  switch (argument.kind) {
    case StepParam::kBlock:
      return Block(argument.texts[0]);
    case StepParam::kBlocks: {
      std::vector<std::string> blocks;
      for (const std::string& name : argument.texts) blocks.push_back(Block(name));
      return blocks.empty() ? std::string() : fmt::format("[{}]", absl::StrJoin(blocks, ", "));
    }
    case StepParam::kLoop:
      return Loop(argument.texts[0], argument.ints[0]);
    case StepParam::kLoops:
      return Loops(argument);
    case StepParam::kTarget:
      return argument.is_loop ? Loop(argument.texts[0], argument.ints[0])
                              : Block(argument.texts[0]);
    case StepParam::kTargets: {
      if (argument.is_loop) return Loop(argument.texts[0], argument.ints[0]);
      std::vector<std::string> blocks;
      for (const std::string& name : argument.texts) blocks.push_back(Block(name));
      return fmt::format("[{}]", absl::StrJoin(blocks, ", "));
    }
    case StepParam::kInt:
      return fmt::format("{}", argument.ints[0]);
    case StepParam::kBool:
      return std::string(argument.ints[0] != 0 ? "True" : "False");
    case StepParam::kInts:
      return fmt::format("[{}]", absl::StrJoin(argument.ints, ", "));
    case StepParam::kFactors: {
      std::vector<std::string> factors;
      for (const int64_t factor : argument.ints) {
        factors.push_back(factor == 0 ? "None" : fmt::format("{}", factor));
      }
      return fmt::format("[{}]", absl::StrJoin(factors, ", "));
    }
    case StepParam::kScope:
    case StepParam::kText:
      return PythonString(argument.texts[0]);
    case StepParam::kValue:
      return Value(argument);
    case StepParam::kIndexMap:
      return Lambda(argument);
    case StepParam::kRegions:
      return Regions(argument);
    case StepParam::kBuffer:
      return fmt::format("({}, {})", PythonString(argument.texts[0]), argument.ints[0]);
    case StepParam::kPadValue: {
      if (argument.values.empty()) return std::string();
      const Expr& value = argument.values[0];
      IRATE_ASSIGN_OR_RETURN(const std::string literal, PythonLiteral(value));
      return fmt::format("T.{}({})", TvmTypeName(value.type()), literal);
    }
    case StepParam::kNone:
      break;
  }
  return std::string();
}

}  // namespace

absl::StatusOr<std::string> TvmScheduleText(const Schedule& schedule, const std::string& function,
                                            const VariantObservation& observation) {
  std::set<int> refused;
  for (const StepObservation& step : observation.schedule_steps()) {
    if (step.outcome() == StepObservation::SKIPPED) refused.insert(step.index());
  }
  std::string text;
  for (int i = 0; i < schedule.steps_size(); ++i) {
    if (refused.contains(i)) continue;
    const ScheduleStep& step = schedule.steps(i);
    IRATE_ASSIGN_OR_RETURN(const std::vector<StepArgument> arguments, ParseStep(step));
    std::vector<std::string> printed;
    for (const StepArgument& argument : arguments) {
      IRATE_ASSIGN_OR_RETURN(const std::string value, Argument(argument));
      if (!value.empty()) {
        printed.push_back(fmt::format("{}{}", Keyword(step.primitive(), argument.kind), value));
      }
    }
    text += fmt::format("sch.{}({})\n", step.primitive(), absl::StrJoin(printed, ", "));
  }
  if (text.empty()) return text;
  return fmt::format("sch = tvm.s_tir.Schedule(Module)\nsch.work_on({})\n{}",
                     PythonString(function), text);
}

}  // namespace irate
