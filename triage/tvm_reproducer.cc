#include "triage/tvm_reproducer.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "ir/inputs.h"
#include "ir/interpreter.h"
#include "ir/status_macros.h"
#include "triage/external_python.h"
#include "triage/python_text.h"
#include "triage/source_check.h"
#include "triage/tvm_schedule.h"
#include "triage/tvmscript.h"

namespace irate {
namespace {

enum class Symptom {
  kWrongResult,  // the built function runs and computes something else
  kError,        // an exception with a known message
  kSource,       // emitted source that does not compile
  kDeath,        // a signal, or no answer in time
};

Symptom SymptomOf(const Finding& finding) {
  const std::string& oracle = finding.oracle();
  if (oracle == "pass-mismatch" || oracle == "codegen-mismatch") return Symptom::kWrongResult;
  if (oracle == "internal-error" || oracle == "rejected") return Symptom::kError;
  if (oracle == "device-source") return Symptom::kSource;
  return Symptom::kDeath;
}

// A comment block, wrapped by the writer of the text.
std::string Header(const TvmProgram& program) {
  const VariantObservation& variant =
      program.observation.variants(static_cast<int>(program.finding.variant()));
  std::string summary = program.finding.summary();
  std::ranges::replace(summary, '\n', ' ');
  return fmt::format(
      "# {}\n"
      "# Seen with TVM {}. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.\n",
      summary, variant.compiler_version());
}

// The module as the printer wrote it, without its comments about imports.
absl::StatusOr<std::string> ModuleText(std::string_view script) {
  std::string result;
  while (!script.empty()) {
    const size_t end = std::min(script.find('\n'), script.size());
    const std::string_view line = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    if (line.starts_with("# from ") || line.starts_with("# import ")) continue;
    if (line.find("metadata[") != std::string_view::npos) {
      return absl::UnimplementedError("the TVMScript needs metadata beside it");
    }
    if (result.empty() && line.empty()) continue;
    result += fmt::format("{}\n", line);
  }
  return MatchSymbolicBuffers(result);
}

// The longest piece of the first line of the message that has no number in it: what a maintainer's
// build prints as well.
std::string Fragment(const std::string& message) {
  const std::string line = message.substr(0, message.find('\n'));
  std::string best;
  std::string piece;
  for (const char c : line + "0") {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      piece.push_back(c);
      continue;
    }
    if (piece.size() > best.size()) best = piece;
    piece.clear();
  }
  return best;
}

// Of the program written, where that is up to us.
constexpr size_t kMaxLine = 100;

absl::StatusOr<std::string> Arguments(const TvmProgram& program) {
  const Function& entry = program.test_case.module().functions(0);
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> arguments,
                         MakeArguments(entry, program.test_case.inputs()));
  std::vector<std::string> values;
  for (const ArgumentValue& argument : arguments) {
    IRATE_ASSIGN_OR_RETURN(const std::string value, argument.is_scalar
                                                        ? PythonScalar(argument.tensor)
                                                        : NumpyArray(argument.tensor));
    values.push_back(argument.is_scalar ? value : fmt::format("tvm.runtime.tensor({})", value));
  }
  std::string line = fmt::format("args = [{}]\n", fmt::join(values, ", "));
  if (line.size() <= kMaxLine) return line;
  return fmt::format("args = [\n    {},\n]\n", fmt::join(values, ",\n    "));
}

// What the built function must leave in one argument.
struct ExpectedArgument {
  int index = 0;
  const InterpretedTensor* value = nullptr;
  bool AllJudged() const { return value->judged().find_first_not_of(kJudged) == std::string::npos; }
};

// The outputs that came out wrong; all of them where it is not known which these are.
std::vector<ExpectedArgument> ExpectedArguments(const TvmProgram& program) {
  const Function& entry = program.test_case.module().functions(0);
  const VariantObservation& variant =
      program.observation.variants(static_cast<int>(program.finding.variant()));
  const Interpretation& reference = program.observation.reference();
  std::vector<ExpectedArgument> all;
  std::vector<ExpectedArgument> wrong;
  for (int i = 0, output = 0; i < entry.params_size(); ++i) {
    if (entry.params(i).kind() != PARAM_BUFFER) continue;
    if (output >= reference.outputs_size()) break;
    all.push_back({.index = i, .value = &reference.outputs(output)});
    const bool ran = variant.outputs_size() == reference.outputs_size();
    if (ran && variant.outputs(output).data() != reference.outputs(output).tensor().data()) {
      wrong.push_back(all.back());
    }
    ++output;
  }
  return wrong.empty() ? all : wrong;
}

std::string Got(const ExpectedArgument& expected) {
  return fmt::format("args[{}].numpy()", expected.index);
}

// Flushed, as Python's own end is not waited for: code that wrote out of bounds may have damaged
// the heap.
constexpr char kPrintBoth[] =
    "print(f\"expected {want.tolist()}\\nactual   {got.tolist()}\", flush=True)\n";
// Two NaNs are equal.
constexpr char kWrong[] = "((got != want) & ((got == got) | (want == want))).any()";

// The check where every element is judged, to the bit.
absl::StatusOr<std::string> ExactCheck(std::span<const ExpectedArgument> expected) {
  if (expected.size() == 1) {
    IRATE_ASSIGN_OR_RETURN(const std::string array, NumpyArray(expected[0].value->tensor()));
    return fmt::format("got, want = {}, {}\n{}os._exit(1 if {} else 0)\n", Got(expected[0]), array,
                       kPrintBoth, kWrong);
  }
  std::string pairs;
  for (const ExpectedArgument& argument : expected) {
    IRATE_ASSIGN_OR_RETURN(const std::string array, NumpyArray(argument.value->tensor()));
    pairs += fmt::format("    ({}, {}),\n", Got(argument), array);
  }
  return fmt::format(
      "failed = False\n"
      "for got, want in [\n{}]:\n"
      "    {}"
      "    failed |= bool({})\n"
      "os._exit(1 if failed else 0)\n",
      pairs, kPrintBoth, kWrong);
}

// The check with a mask of the judged elements and the bound of each.
absl::StatusOr<std::string> BoundedCheck(std::span<const ExpectedArgument> expected) {
  std::string rows;
  for (const ExpectedArgument& argument : expected) {
    const InterpretedTensor& value = *argument.value;
    IRATE_ASSIGN_OR_RETURN(const std::string array, NumpyArray(value.tensor()));
    const std::vector<int64_t> shape(value.tensor().shape().begin(), value.tensor().shape().end());
    rows += fmt::format("    ({}, {}, {}, {}),\n", Got(argument), array,
                        argument.AllJudged() ? "True" : NumpyMask(value.judged(), shape),
                        value.bounds().empty() ? "0" : "2 * " + NumpyBounds(value.bounds(), shape));
  }
  return fmt::format(
      "failed = False\n"
      "for got, want, judged, tolerance in [\n{}]:\n"
      "    wrong = judged & (got != want) & ((got == got) | (want == want))\n"
      "    if np.any(tolerance):\n"
      "        wrong &= ~(abs(got - want) <= tolerance)\n"
      "    {}"
      "    failed |= bool(wrong.any())\n"
      "os._exit(1 if failed else 0)\n",
      rows, kPrintBoth);
}

absl::StatusOr<std::string> Check(const TvmProgram& program) {
  const std::vector<ExpectedArgument> expected = ExpectedArguments(program);
  const bool exact = std::ranges::all_of(expected, [](const ExpectedArgument& argument) {
    return argument.AllJudged() && argument.value->bounds().empty();
  });
  return exact ? ExactCheck(expected) : BoundedCheck(expected);
}

// Options of a pass, "tirx.UnrollLoop.auto_max_step", are the fields of one option.
std::string OwnerOf(const std::string& option) {
  const std::string owner = option.substr(0, option.rfind('.'));
  const size_t name = owner.rfind('.') + 1;
  const bool is_pass = name < owner.size() && absl::ascii_isupper(owner[name]);
  return is_pass ? owner : "";
}

absl::StatusOr<std::string> Config(const PassSequence& passes) {
  std::map<std::string, std::string> fields;  // by owner
  std::vector<std::string> options;
  for (const Attribute& option : passes.config()) {
    IRATE_ASSIGN_OR_RETURN(const std::string value, PythonLiteral(option.value()));
    const std::string owner = OwnerOf(option.key());
    if (owner.empty()) {
      options.push_back(fmt::format("{}: {}", PythonString(option.key()), value));
      continue;
    }
    std::string& text = fields[owner];
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                        PythonString(option.key().substr(owner.size() + 1)), value);
  }
  for (const auto& [owner, text] : fields) {
    options.push_back(fmt::format("{}: {{{}}}", PythonString(owner), text));
  }
  return fmt::format("{}", fmt::join(options, ", "));
}

// A pass that throws leaves the module as it is where it is skipped: in any order, and where a pass
// declines by design.
bool SkipsPasses(const TvmProgram& program) {
  if (program.test_case.passes().mode() == WILD) return true;
  const VariantObservation& variant =
      program.observation.variants(static_cast<int>(program.finding.variant()));
  return std::ranges::any_of(variant.steps(), [](const StepObservation& step) {
    return step.outcome() == StepObservation::SKIPPED;
  });
}

// Python exports all passes but these.
std::string PassName(const std::string& name) {
  const bool exported = name != "s_tir.transform.HoistIfThenElseBasic" &&
                        name != "tirx.transform.VerifySSA" &&
                        name != "tirx.transform.LowerTIRxCleanup";
  if (exported) return "tvm." + name;
  return fmt::format("tvm.get_global_func({})", PythonString(name));
}

// "tvm.tirx.transform.VectorizeLoop" and the arguments behind it, each with a comma before.
struct PassText {
  std::string maker;
  std::string args;
};
absl::StatusOr<std::vector<PassText>> PassTexts(std::span<const PassStep> passes) {
  std::vector<PassText> texts;
  for (const PassStep& step : passes) {
    std::string args = step.name() == "tirx.transform.BindTarget" ? ", target" : "";
    for (const Expr& arg : step.args()) {
      IRATE_ASSIGN_OR_RETURN(const std::string literal, PythonLiteral(arg));
      args += ", " + literal;
    }
    texts.push_back({.maker = PassName(step.name()), .args = std::move(args)});
  }
  return texts;
}

// Passes are listed one a line up to here, as a person would write them.
constexpr size_t kFewPasses = 4;

absl::StatusOr<std::string> ExplicitPasses(const TvmProgram& program, std::string_view module,
                                           std::string_view target) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<PassText> passes, PassTexts(program.passes));
  const bool needs_target =
      program.builds || std::ranges::any_of(program.passes, [](const PassStep& step) {
        return step.name() == "tirx.transform.BindTarget";
      });
  std::string text;
  if (needs_target) {
    text =
        fmt::format("target = tvm.target.Target({})\ntarget = target.with_host(target)\n", target);
  }
  const bool skips = SkipsPasses(program) && passes.size() > 1;
  if (passes.size() <= kFewPasses && !skips) {
    std::string input(module);
    for (const PassText& pass : passes) {
      const std::string args = pass.args.empty() ? "" : pass.args.substr(2);
      text += fmt::format("mod = {}({})({})\n", pass.maker, args, std::exchange(input, "mod"));
    }
  } else {
    text += fmt::format("mod = {}\nfor make_pass, *args in [\n", module);
    for (const PassText& pass : passes) {
      text += fmt::format("    ({}{},\n", pass.maker, pass.args.empty() ? ",)" : pass.args + ")");
    }
    text += skips ? "]:\n"
                    "    try:\n"
                    "        mod = make_pass(*args)(mod)\n"
                    "    except Exception as error:\n"
                    "        print(type(error).__name__)\n"
                  : "]:\n    mod = make_pass(*args)(mod)\n";
  }
  if (program.builds) {
    text += "lib = tvm.get_global_func(\"target.build.\" + target.kind.name)(mod, target)\n";
  }
  return text;
}

// The statements that leave the built module in `lib`, or that only run the passes.
absl::StatusOr<std::string> BuildPasses(const TvmProgram& program, std::string_view module) {
  const std::string target = program.target_options.empty() ? "\"llvm\"" : program.target_options;
  std::string text =
      fmt::format("lib = tvm.tirx.build({}, target=tvm.target.Target({}))\n", module, target);
  if (!program.passes.empty()) {
    IRATE_ASSIGN_OR_RETURN(text, ExplicitPasses(program, module, target));
  }
  if (program.test_case.passes().config().empty()) return text;
  IRATE_ASSIGN_OR_RETURN(const std::string config, Config(program.test_case.passes()));
  return fmt::format("with tvm.transform.PassContext(config={{{}}}):\n    {}\n", config,
                     absl::StrReplaceAll(text, {{"\n", "\n    "}}));
}

absl::StatusOr<std::string> Build(const TvmProgram& program) {
  const VariantObservation& variant =
      program.observation.variants(static_cast<int>(program.finding.variant()));
  IRATE_ASSIGN_OR_RETURN(std::string schedule,
                         TvmScheduleText(program.test_case.schedule(),
                                         program.test_case.module().functions(0).name(), variant));
  if (program.schedule_only) return schedule;
  IRATE_ASSIGN_OR_RETURN(const std::string passes,
                         BuildPasses(program, schedule.empty() ? "Module" : "sch.mod"));
  return schedule + passes;
}

std::string Indent(const std::string& text) {
  std::string result = "    " + absl::StrReplaceAll(text, {{"\n", "\n    "}});
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

absl::StatusOr<std::string> Call(const TvmProgram& program) {
  IRATE_ASSIGN_OR_RETURN(const std::string arguments, Arguments(program));
  return fmt::format("{}lib[{}](*args)\n", arguments,
                     PythonString(program.test_case.module().functions(0).name()));
}

absl::StatusOr<std::string> WrongResultBody(const TvmProgram& program, const std::string& build) {
  IRATE_ASSIGN_OR_RETURN(const std::string call, Call(program));
  IRATE_ASSIGN_OR_RETURN(const std::string check, Check(program));
  return build + call + check;
}

std::string ErrorBody(const TvmProgram& program, const std::string& actions) {
  const Failure& failure =
      program.observation.variants(static_cast<int>(program.finding.variant())).failure();
  return fmt::format(
      "try:\n{}"
      "except Exception as error:\n"
      "    print(error)\n"
      "    sys.exit(1 if {} in str(error) else 2)\n"
      "print(\"no error\")\n",
      Indent(actions), PythonString(Fragment(failure.message())));
}

std::string DeathBody(const std::string& actions) {
  return fmt::format(
      "child = os.fork()\n"
      "if child == 0:\n"
      "    signal.signal(signal.SIGALRM, signal.SIG_DFL)\n"
      "    signal.alarm(30)\n"
      "{}"
      "    os._exit(0)\n"
      "_, status = os.waitpid(child, 0)\n"
      "if os.WIFSIGNALED(status):\n"
      "    number = os.WTERMSIG(status)\n"
      "    print(\"no answer\" if number == signal.SIGALRM else signal.Signals(number).name)\n"
      "    sys.exit(1)\n"
      "sys.exit(0 if status == 0 else 2)\n",
      Indent(actions));
}

std::string Imports(const std::string& body) {
  const auto uses = [&body](std::string_view name) { return body.find(name) != std::string::npos; };
  std::vector<std::string> standard;
  if (uses("base64.")) standard.emplace_back("base64");
  if (uses("ctypes.")) standard.emplace_back("ctypes");
  standard.emplace_back("os");
  if (uses("signal.")) standard.emplace_back("signal");
  if (uses("shutil.")) standard.insert(standard.end(), {"shutil", "subprocess"});
  standard.insert(standard.end(), {"sys", "traceback"});
  if (uses("zlib.")) standard.emplace_back("zlib");
  // Python's own exit code for an exception is 1, which would read as "the bug is there".
  return fmt::format(
      "import {}\n"
      "sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))\n"
      "{}{}"
      "import tvm\n"
      "from tvm.script import ir as I, tirx as T\n",
      fmt::join(standard, ", "), uses("ml_dtypes.") ? "import ml_dtypes\n" : "",
      uses("np.") ? "import numpy as np\n" : "");
}

}  // namespace

absl::StatusOr<std::string> WriteTvmReproducer(const TvmProgram& program) {
  IRATE_ASSIGN_OR_RETURN(const std::string module, ModuleText(program.script));
  IRATE_ASSIGN_OR_RETURN(std::string actions, Build(program));
  std::string body;
  const Symptom symptom = SymptomOf(program.finding);
  if (symptom == Symptom::kSource) {
    body = SourceCheckInPython(actions, program.finding.summary());
  } else if (symptom == Symptom::kWrongResult) {
    IRATE_ASSIGN_OR_RETURN(body, WrongResultBody(program, actions));
  } else {
    if (program.calls) {
      IRATE_ASSIGN_OR_RETURN(const std::string call, Call(program));
      actions += call;
    }
    body = symptom == Symptom::kError ? ErrorBody(program, actions) : DeathBody(actions);
  }
  body = ExternalFunctionsInPython(module) + body;
  return fmt::format("{}{}\n{}\n{}", Header(program), Imports(body), module, body);
}

}  // namespace irate
