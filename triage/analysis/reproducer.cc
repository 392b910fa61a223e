#include "triage/analysis/reproducer.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "oracles/analysis/points.h"

namespace irate::analysis {
namespace {

std::string Type(ScalarType type) { return fmt::format("\"int{}\"", BitWidth(type)); }

uint32_t LanesIn(const Expr& expr) {
  uint32_t lanes = std::max(1u, expr.lanes());
  for (const Expr& arg : expr.args()) lanes = std::max(lanes, LanesIn(arg));
  return lanes;
}

const std::string& NameOf(const AnalysisQuestion& question, uint32_t id) {
  return question.variables(static_cast<int>(id)).name();
}

std::string Names(const AnalysisQuestion& question,
                  const google::protobuf::RepeatedField<uint32_t>& ids) {
  std::vector<std::string> names;
  for (const uint32_t id : ids) names.push_back(NameOf(question, id));
  return fmt::format("[{}]", absl::StrJoin(names, ", "));
}

// "{x: int_set(0, 4, "int32"), ...}" of some variables.
std::string Sets(const AnalysisQuestion& question, const std::vector<uint32_t>& ids) {
  std::vector<std::string> entries;
  for (const uint32_t id : ids) {
    const VariableRange& range = question.ranges(static_cast<int>(id));
    entries.push_back(fmt::format("{}: int_set({}, {}, {})", NameOf(question, id), range.min(),
                                  range.extent(),
                                  Type(question.variables(static_cast<int>(id)).type())));
  }
  return fmt::format("{{{}}}", absl::StrJoin(entries, ", "));
}

// How the wheel is asked: an expression in terms of `analyzer` and ASKED.
std::string AskText(const AnalysisQuestion& question, const AnalysisAsk& ask) {
  const std::string function = FunctionName(ask.function());
  const std::string predicate =
      ask.has_predicate() ? NativeText(ask.predicate(), question) : "Int(\"bool\", 1)";
  switch (ask.function()) {
    case SIMPLIFY:
    case CAN_PROVE:
      return fmt::format("call(\"{}\")(analyzer, ASKED[0], {})", function, ask.option());
    case CAN_PROVE_EQUAL:
      return fmt::format("call(\"{}\")(analyzer, ASKED[0], ASKED[1])", function);
    case TRY_COMPARE:
      return fmt::format("call(\"{}\")(analyzer, ASKED[0], ASKED[1], {})", function,
                         ask.option() != 0 ? "True" : "False");
    case INT_SET:
      return fmt::format("call(\"{}\")(analyzer, ASKED[0], {})", function,
                         Sets(question, {ask.variables().begin(), ask.variables().end()}));
    case LINEAR_EQUATION:
    case CLIP_BOUND:
      return fmt::format("call(\"{}\")(ASKED[0], {})", function, Names(question, ask.variables()));
    case DEDUCE_BOUND: {
      std::vector<uint32_t> hints;
      for (int i = 0; i < question.variables_size(); ++i) {
        const auto id = static_cast<uint32_t>(i);
        if (question.ranges(i).bound() && id != ask.variables(0)) hints.push_back(id);
      }
      return fmt::format("call(\"{}\")({}, ASKED[0], {}, {})", function,
                         NameOf(question, ask.variables(0)), Sets(question, hints),
                         Sets(question, {ask.variables().begin() + 1, ask.variables().end()}));
    }
    case ITER_MAP_DETECT:
    case ITER_MAP_SIMPLIFY:
      return fmt::format("call(\"{}\")(ASKED, RANGES, {}, {}, True, analyzer)", function, predicate,
                         ask.option());
    case ITER_SUM:
      return fmt::format("call(\"{}\")(ASKED[0], RANGES, analyzer)", function);
    case ITER_MAP_INVERSE:
      return "call(\"sym.InverseAffineIterMap\")(call(\"sym.DetectIterMap\")(ASKED, RANGES, "
             "Int(\"bool\", 1), 0, True, analyzer).indices, OUTPUTS)";
    case SUBSPACE_DIVIDE:
      return fmt::format("call(\"{}\")(ASKED, RANGES, {}, {}, {}, True, analyzer)", function,
                         Names(question, ask.variables()), predicate, ask.option());
    case REGION_LOWER_BOUND:
    case REGION_STRICT_BOUND:
    case REGION_UPPER_BOUND:
      return fmt::format(
          "call(\"{}\")([call(\"ir.Range_from_min_extent\")(ASKED[i], ASKED[i + 1], None) "
          "for i in range(0, len(ASKED), 2)], RANGES, {}, analyzer)",
          function, predicate);
    default:
      return fmt::format("call(\"{}\")(analyzer, ASKED[0])", function);
  }
}

// Makes `answers`, a list of expressions, of `answer`.
std::string AnswersText(const AnalysisAsk& ask) {
  switch (ask.function()) {
    case INT_SET:
    case DEDUCE_BOUND:
      return "[call(\"sym.IntervalSetGetMin\")(answer), call(\"sym.IntervalSetGetMax\")(answer)]";
    case REGION_LOWER_BOUND:
    case REGION_STRICT_BOUND:
    case REGION_UPPER_BOUND:
      return "[call(end)(s) for s in answer or [] "
             "for end in (\"sym.IntervalSetGetMin\", \"sym.IntervalSetGetMax\")]";
    case ITER_MAP_DETECT:
      return "[call(\"sym.NormalizeIterMapToExpr\")(e) for e in answer.indices]";
    case ITER_SUM:
      return "[call(\"sym.NormalizeIterMapToExpr\")(answer)]";
    case SUBSPACE_DIVIDE:
      return "[(*(call(\"sym.NormalizeIterMapToExpr\")(m.source) for m in row), row[1].extent) "
             "for row in list(answer)[:-1]]";
    case LINEAR_EQUATION:
    case CLIP_BOUND:
    case ITER_MAP_SIMPLIFY:
      return "list(answer)";
    case REWRITE_SIMPLIFY:
    case CANONICAL_SIMPLIFY:
    case SIMPLIFY:
      return "[answer]";
    default:
      return "[]";
  }
}

const char* const kEqual = R"py(for values, lane, asked in judged_points():
    for want, node in zip(asked, answers):
        got = answer_at(node, values, lane)
        if got is not None and got != want:
            wrong(values, lane, f"expected {want}, the answer is {got}")
for e, node in zip(ASKED, answers):
    if str(e.ty.dtype) != str(node.ty.dtype):
        wrong({}, 0, f"the answer has another type: {node.ty.dtype}")
)py";

const char* const kInjective = R"py(images = {}
for values, lane, asked in judged_points():
    if answers and tuple(asked) in images:
        wrong(values, lane, f"said to be bijective; the same indices at {images[tuple(asked)]}")
    images[tuple(asked)] = values
)py";

const char* const kBound = R"py(for values, lane, asked in judged_points():
    if not answer.min_value <= asked[0] <= answer.max_value:
        wrong(values, lane, f"{asked[0]} is not in [{answer.min_value}, {answer.max_value}]")
)py";

const char* const kModular = R"py(for values, lane, asked in judged_points():
    rest = asked[0] - answer.base
    if rest % answer.coeff != 0 if answer.coeff else rest != 0:
        wrong(values, lane, f"{asked[0]} is not {answer.coeff} * n + {answer.base}")
)py";

const char* const kWithout = R"py(def variables_of(node, found):
    if type(node).__name__ == "Var":
        found.add(node.name)
    for part in ("a", "b", "value", "condition", "true_value", "false_value", "base", "stride"):
        if hasattr(node, part) and hasattr(getattr(node, part), "ty"):
            variables_of(getattr(node, part), found)
    return found


for node in answers:
    if node is not None and variables_of(node, set()) & FORBIDDEN:
        wrong({}, 0, f"the answer {node} has one of the variables {FORBIDDEN}")
)py";

const char* const kSet = R"py(for values, lane, asked in judged_points():
    low, high = (answer_at(node, values, lane) for node in answers)
    if isinstance(low, int) and asked[0] < low or isinstance(high, int) and asked[0] > high:
        wrong(values, lane, f"{asked[0]} is not in [{low}, {high}]")
)py";

const char* const kDeduced = R"py(for values, lane, asked in judged_points():
    low, high = (answer_at(node, values, lane) for node in answers)
    if isinstance(low, int) and isinstance(high, int) and low <= values[TARGET] <= high:
        if not asked[0]:
            wrong(values, lane, f"the condition is false within the deduced [{low}, {high}]")
)py";

const char* const kProven = R"py(for values, lane, asked in judged_points():
    if answer and (asked[0] != asked[1] if len(asked) > 1 else not asked[0]):
        wrong(values, lane, f"proven, but the values are {asked}")
)py";

const char* const kCompared = R"py(for values, lane, asked in judged_points():
    outcome = 1 if asked[0] == asked[1] else 2 if asked[0] < asked[1] else 4
    if not answer & outcome:
        wrong(values, lane, f"the values are {asked}; compared as {answer} (1 ==, 2 <, 4 >)")
)py";

const char* const kLinear = R"py(for values, lane, asked in judged_points():
    got = [answer_at(node, values, lane) for node in answers]
    if got and all(isinstance(g, int) for g in got):
        total = sum(c * values[v] for c, v in zip(got, TARGETS)) + got[-1]
        if total != asked[0]:
            wrong(values, lane, f"expected {asked[0]}, the linear form is {total}")
)py";

const char* const kClip = R"py(for values, lane, asked in judged_points():
    if not answers:
        break
    within = True
    for i, v in enumerate(TARGETS):
        low, high = answers[2 * i], answers[2 * i + 1]
        within &= low is None or answer_at(low, values, lane) <= values[v]
        within &= high is None or values[v] <= answer_at(high, values, lane)
    if within != bool(asked[0]):
        wrong(values, lane, f"the condition is {bool(asked[0])}, the bounds say {within}")
)py";

const char* const kInverse = R"py(for values, lane, asked in judged_points():
    known = {**values, **{f"out{i}": value for i, value in enumerate(asked)}}
    for var, node in answer.items():
        got = answer_at(node, known, lane)
        if got is not None and got != values[var.name]:
            wrong(values, lane, f"the inverse gives {var.name} = {got}")
)py";

const char* const kSubspace = R"py(constants = {}
for values, lane, asked in judged_points():
    for i, row in enumerate(answers):
        outer, inner, extent = (answer_at(node, values, lane) for node in row)
        rest = asked[i] - (outer * extent + inner)
        if constants.setdefault(i, rest) != rest:
            wrong(values, lane, f"{asked[i]} is not {outer} * {extent} + {inner} + {constants[i]}")
)py";

const char* const kRegion = R"py(touched = set()
for values, lane, asked in judged_points():
    low = [answer_at(node, values, 0) for node in answers[0::2]]
    high = [answer_at(node, values, 0) for node in answers[1::2]]
    for element in itertools.product(
            *(range(asked[i], asked[i] + asked[i + 1]) for i in range(0, len(asked), 2))):
        touched.add(element)
        if UPPER and answers and not all(l <= e <= h for l, e, h in zip(low, element, high)):
            wrong(values, lane, f"element {element} is not in {low} to {high}")
if LOWER and answers:
    for element in itertools.product(*(range(l, h + 1) for l, h in zip(low, high))):
        if element not in touched:
            wrong({}, 0, f"element {element} is in {low} to {high} and not touched")
)py";

std::string CheckText(const AnalysisAsk& ask) {
  switch (ask.function()) {
    case CONST_INT_BOUND:
      return kBound;
    case MODULAR_SET:
      return kModular;
    case INT_SET:
      return std::string(kWithout) + kSet;
    case CAN_PROVE:
    case CAN_PROVE_EQUAL:
      return kProven;
    case TRY_COMPARE:
      return kCompared;
    case LINEAR_EQUATION:
      return std::string(kWithout) + kLinear;
    case CLIP_BOUND:
      return kClip;
    case DEDUCE_BOUND:
      return std::string(kWithout) + kDeduced;
    case ITER_MAP_DETECT:
      return ask.option() == 0 ? std::string(kEqual) + kInjective : kEqual;
    case ITER_MAP_INVERSE:
      return kInverse;
    case SUBSPACE_DIVIDE:
      return kSubspace;
    case REGION_LOWER_BOUND:
    case REGION_STRICT_BOUND:
    case REGION_UPPER_BOUND:
      return kRegion;
    default:
      return kEqual;
  }
}

// The points that Python goes over: the ranges; of a variable without one the values around zero
// and that of the point.
std::string Domains(const AnalysisQuestion& question, const Wrong& wrong) {
  std::vector<std::string> entries;
  for (int v = 0; v < question.variables_size(); ++v) {
    const VariableRange& range = question.ranges(v);
    if (range.local()) continue;
    const std::string& name = question.variables(v).name();
    if (range.bound()) {
      entries.push_back(
          fmt::format("\"{}\": range({}, {})", name, range.min(), range.min() + range.extent()));
    } else {
      const auto index = static_cast<size_t>(v);
      const int64_t value = index < wrong.point.size() ? wrong.point[index] : 0;
      entries.push_back(fmt::format("\"{}\": [{}, *range(-9, 10)]", name, value));
    }
  }
  return fmt::format("DOMAINS = {{{}}}\n", absl::StrJoin(entries, ", "));
}

std::string Quoted(const AnalysisQuestion& question,
                   const google::protobuf::RepeatedField<uint32_t>& ids) {
  std::vector<std::string> names;
  for (const uint32_t id : ids) names.push_back(fmt::format("\"{}\"", NameOf(question, id)));
  return absl::StrJoin(names, ", ");
}

std::string Setup(const AnalysisQuestion& question, const AnalysisAsk& ask, const Wrong& wrong) {
  std::string text;
  std::vector<std::string> ranges;
  for (int v = 0; v < question.variables_size(); ++v) {
    const Variable& variable = question.variables(v);
    const VariableRange& range = question.ranges(v);
    text += fmt::format("{} = variable(\"{}\", {})\n", variable.name(), variable.name(),
                        Type(variable.type()));
    if (range.bound()) {
      ranges.push_back(fmt::format("{}: interval({}, {}, {})", variable.name(), range.min(),
                                   range.extent(), Type(variable.type())));
    }
  }
  text += fmt::format("RANGES = {{{}}}\n", absl::StrJoin(ranges, ", "));
  std::vector<std::string> asked;
  uint32_t lanes = 1;
  for (const Expr& expr : ask.exprs()) {
    asked.push_back("\n    " + NativeText(expr, question) + ",");
    lanes = std::max(lanes, LanesIn(expr));
  }
  text += fmt::format("ASKED = [{}\n]\n", absl::StrJoin(asked, ""));
  std::vector<std::string> conditions;
  if (question.has_constraint()) {
    text += fmt::format("CONSTRAINT = {}\n", NativeText(question.constraint(), question));
    if (!ask.outside()) conditions.emplace_back("CONSTRAINT");
  }
  if (ask.has_predicate()) conditions.push_back(NativeText(ask.predicate(), question));
  text += fmt::format("CONDITIONS = [{}]\nLANES = {}\n", absl::StrJoin(conditions, ", "), lanes);
  text += Domains(question, wrong);
  if (ask.variables_size() != 0) {
    text += fmt::format("TARGETS = [{0}]\nTARGET = TARGETS[0]\nFORBIDDEN = {{{0}}}\n",
                        Quoted(question, ask.variables()));
  } else {
    text += "FORBIDDEN = set()\n";
  }
  if (ask.function() == ITER_MAP_INVERSE) {
    text += fmt::format("OUTPUTS = [variable(f\"out{{i}}\", {}) for i in range(len(ASKED))]\n",
                        Type(ask.exprs(0).type()));
  }
  text += fmt::format("UPPER = {}\nLOWER = {}\n",
                      ask.function() != REGION_LOWER_BOUND ? "True" : "False",
                      ask.function() != REGION_UPPER_BOUND ? "True" : "False");
  return text;
}

bool IsDeath(const Wrong& wrong) {
  return wrong.kind == "hang" || wrong.kind == "slow" || wrong.kind == "out of memory" ||
         wrong.kind.starts_with("SIG") || wrong.kind.starts_with("death");
}

}  // namespace

std::string MakeReproducer(const AnalysisQuestion& question, const Wrong& wrong,
                           const std::string& version) {
  const int index = std::max(0, wrong.ask);
  const AnalysisAsk& ask = question.asks(index);
  std::string text = fmt::format(
      "# {}: {}\n# Seen with TVM {}. Exits 1 while the bug is there, 0 if it is fixed, 2 if it "
      "cannot "
      "run.\n",
      wrong.function, wrong.kind.substr(0, wrong.kind.find('\n')), version);
  text += kPythonPrelude;
  text += "\n\n" + Setup(question, ask, wrong);
  if (IsDeath(wrong)) {
    // The child asks: its end, or that it does not end, is the bug.
    text +=
        "\nimport signal\n\nchild = os.fork()\nif child:\n    signal.alarm(0)\n"
        "    import time\n    for _ in range(300):\n"
        "        pid, status = os.waitpid(child, os.WNOHANG)\n        if pid:\n"
        "            print(\"the child ended with\", status)\n"
        "            sys.exit(0 if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 else 1)\n"
        "        time.sleep(0.1)\n    os.kill(child, signal.SIGKILL)\n"
        "    print(\"no answer within 30 s\")\n    sys.exit(1)\n";
  }
  text +=
      "\nanalyzer = call(\"sym.Analyzer\")()\nfor v, r in RANGES.items():\n"
      "    call(\"sym.AnalyzerBind\")(analyzer, v, r, False)\n";
  if (question.extensions() != 0) {
    text += fmt::format("call(\"sym.AnalyzerSetEnabledExtensions\")(analyzer, {})\n",
                        question.extensions());
  }
  const bool is_error = wrong.kind.starts_with("error");
  std::string asking;
  if (question.has_constraint()) {
    asking += "leave = call(\"sym.AnalyzerEnterConstraintContext\")(analyzer, CONSTRAINT)\n";
    if (ask.outside()) asking += "leave()\n";
  }
  asking += fmt::format("answer = {}\nprint(\"asked:\", *ASKED)\nprint(\"answer:\", answer)\n",
                        AskText(question, ask));
  if (is_error) {
    std::string indented;
    for (size_t begin = 0; begin < asking.size();) {
      const size_t end = asking.find('\n', begin) + 1;
      indented += "    " + asking.substr(begin, end - begin);
      begin = end;
    }
    text += fmt::format(
        "# An internal error on a question that is defined at some point is the bug.\n"
        "assert any(True for _ in judged_points())\n"
        "try:\n{}except Exception as error:\n    print(\"WRONG:\", error)\n"
        "    sys.exit(1)\nsys.exit(0)\n",
        indented);
    return text;
  }
  text += asking;
  if (IsDeath(wrong)) return text + "os._exit(0)\n";
  text += fmt::format("answers = {}\n\n{}sys.exit(0)\n", AnswersText(ask), CheckText(ask));
  return text;
}

}  // namespace irate::analysis
