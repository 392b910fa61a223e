#include <limits>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"

namespace irate::text {
namespace {

constexpr uint64_t kMaxUint32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMaxUint64 = std::numeric_limits<uint64_t>::max();

}  // namespace

absl::Status Parser::ParseCase(Case* test_case) {
  if (!IsWord("irate")) return Expected("\"irate 1\", the first line of a Case");
  Next();
  IRATE_ASSIGN_OR_RETURN(const uint64_t version, ParseUnsigned("the version", kMaxUint32));
  test_case->set_version(static_cast<uint32_t>(version));
  // The module's names are known after it was read.
  std::vector<Token> dims;
  while (!IsWord("func") && !IsWord("private")) {
    IRATE_RETURN_IF_ERROR(ParseSection(test_case, &dims));
  }
  IRATE_RETURN_IF_ERROR(ParseModule(test_case->mutable_module()));
  return ResolveDims(dims, test_case);
}

absl::Status Parser::ParseSection(Case* test_case, std::vector<Token>* dims) {
  const Token place = Peek();
  if (TakeWord("generator")) {
    IRATE_ASSIGN_OR_RETURN(*test_case->mutable_generator(), ParseString("the generator's name"));
    IRATE_RETURN_IF_ERROR(ExpectWord("seed"));
    IRATE_ASSIGN_OR_RETURN(const uint64_t seed, ParseUnsigned("a seed", kMaxUint64));
    test_case->set_generator_seed(seed);
    return absl::OkStatus();
  }
  if (TakeWord("features")) return ParseStrings(test_case->mutable_features());
  if (TakeWord("faults")) return ParseStrings(test_case->mutable_faults());
  if (TakeWord("target")) {
    TargetSpec* spec = test_case->add_targets();
    IRATE_ASSIGN_OR_RETURN(*spec->mutable_target(), ParseString("the target's name"));
    if (Peek().kind == Token::Kind::kString) spec->set_options(Next().text);
    return absl::OkStatus();
  }
  const auto fail_second = [&] { return Error(place, fmt::format("a second {}", place.text)); };
  if (TakeWord("inputs")) {
    return test_case->has_inputs() ? fail_second() : ParseInputs(test_case->mutable_inputs(), dims);
  }
  if (TakeWord("schedule")) {
    return test_case->has_schedule() ? fail_second() : ParseSchedule(test_case->mutable_schedule());
  }
  if (TakeWord("passes")) {
    return test_case->has_passes() ? fail_second() : ParsePasses(test_case->mutable_passes());
  }
  return Expected(
      "\"generator\", \"features\", \"faults\", \"target\", \"inputs\", \"schedule\", \"passes\" "
      "or \"func\"");
}

absl::Status Parser::ParseStrings(google::protobuf::RepeatedPtrField<std::string>* strings) {
  do {
    IRATE_ASSIGN_OR_RETURN(*strings->Add(), ParseString("a name"));
  } while (TakePunctuation(","));
  return absl::OkStatus();
}

absl::Status Parser::ParseConstants(Exprs* exprs) {
  // Outside functions: any name is an error.
  Node node;
  IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
  exprs->Swap(node.expr.mutable_args());
  return absl::OkStatus();
}

absl::Status Parser::ParseInputs(Inputs* inputs, std::vector<Token>* dims) {
  IRATE_RETURN_IF_ERROR(ExpectWord("seed"));
  IRATE_ASSIGN_OR_RETURN(const uint64_t seed, ParseUnsigned("a seed", kMaxUint64));
  inputs->set_seed(seed);
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (!TakePunctuation("}")) {
    if (TakeWord("param")) {
      ParamInput* param = inputs->add_params();
      IRATE_ASSIGN_OR_RETURN(const uint64_t index,
                             ParseUnsigned("the number of a parameter", kMaxUint32));
      param->set_param(static_cast<uint32_t>(index));
      IRATE_RETURN_IF_ERROR(ExpectWord("in"));
      IRATE_RETURN_IF_ERROR(Expect("["));
      IRATE_ASSIGN_OR_RETURN(const int64_t min, ParseSigned("a minimum"));
      param->set_min(min);
      IRATE_RETURN_IF_ERROR(Expect(","));
      IRATE_ASSIGN_OR_RETURN(const int64_t max, ParseSigned("a maximum"));
      param->set_max(max);
      IRATE_RETURN_IF_ERROR(Expect("]"));
      param->set_real(TakeWord("real"));
    } else if (TakeWord("dim")) {
      if (!IsName()) return Expected("the name of a dimension variable");
      dims->push_back(Next());
      IRATE_RETURN_IF_ERROR(Expect("="));
      IRATE_ASSIGN_OR_RETURN(const int64_t value, ParseSigned("a value"));
      inputs->add_dims()->set_value(value);
    } else {
      return Expected("\"param\", \"dim\" or \"}\"");
    }
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseSchedule(Schedule* schedule) {
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (!TakePunctuation("}")) {
    ScheduleStep* step = schedule->add_steps();
    IRATE_ASSIGN_OR_RETURN(*step->mutable_primitive(), ParsePath("a schedule primitive or \"}\""));
    IRATE_RETURN_IF_ERROR(ParseConstants(step->mutable_args()));
    if (TakeWord("on")) IRATE_RETURN_IF_ERROR(ParseStrings(step->mutable_strings()));
  }
  return absl::OkStatus();
}

absl::Status Parser::ParsePasses(PassSequence* passes) {
  if (TakeWord("wild")) {
    passes->set_mode(WILD);
  } else if (!TakeWord("strict")) {
    return Expected("\"strict\" or \"wild\"");
  }
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (!TakePunctuation("}")) {
    if (TakeWord("pass")) {
      PassStep* step = passes->add_steps();
      IRATE_ASSIGN_OR_RETURN(*step->mutable_name(), ParsePath("the name of a pass"));
      IRATE_RETURN_IF_ERROR(ParseConstants(step->mutable_args()));
    } else if (TakeWord("config")) {
      Attribute* config = passes->add_config();
      IRATE_ASSIGN_OR_RETURN(*config->mutable_key(), ParsePath("the name of an option"));
      IRATE_RETURN_IF_ERROR(Expect("="));
      IRATE_ASSIGN_OR_RETURN(*config->mutable_value(), ParseExpr());
    } else {
      return Expected("\"pass\", \"config\" or \"}\"");
    }
  }
  return absl::OkStatus();
}

absl::Status Parser::ResolveDims(const std::vector<Token>& dims, Case* test_case) {
  if (dims.empty()) return absl::OkStatus();
  Ids variables;
  const Function& entry = test_case->module().functions(0);
  for (int i = 0; i < entry.variables_size(); ++i) {
    variables[entry.variables(i).name()].push_back(static_cast<uint32_t>(i));
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, Resolve(dims[i], variables, "variable"));
    test_case->mutable_inputs()->mutable_dims(static_cast<int>(i))->set_variable(id);
  }
  return absl::OkStatus();
}

}  // namespace irate::text
