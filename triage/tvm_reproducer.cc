#include "triage/tvm_reproducer.h"

#include <algorithm>
#include <cctype>
#include <map>
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
#include "triage/python_text.h"
#include "triage/tvm_schedule.h"
#include "triage/tvmscript.h"

namespace irate {
namespace {

enum class Symptom {
  kWrongResult,  // the built function runs and computes something else
  kError,        // an exception with a known message
  kDeath,        // a signal, or no answer in time
};

Symptom SymptomOf(const Finding& finding) {
  const std::string& oracle = finding.oracle();
  if (oracle == "pass-mismatch" || oracle == "codegen-mismatch") return Symptom::kWrongResult;
  if (oracle == "internal-error" || oracle == "rejected") return Symptom::kError;
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

absl::StatusOr<std::string> Arguments(const TvmProgram& program) {
  const Function& entry = program.test_case.module().functions(0);
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> arguments,
                         MakeArguments(entry, program.test_case.inputs()));
  std::string text = "args = [\n";
  for (const ArgumentValue& argument : arguments) {
    absl::StatusOr<std::string> value =
        argument.is_scalar ? PythonScalar(argument.tensor) : NumpyArray(argument.tensor);
    if (!value.ok()) return value.status();
    text += argument.is_scalar ? fmt::format("    {},\n", *value)
                               : fmt::format("    tvm.runtime.tensor({}),\n", *value);
  }
  return text + "]\n";
}

// A list of (argument index, expected array, mask of judged elements, bound), for the outputs.
absl::StatusOr<std::string> Expected(const TvmProgram& program) {
  const Function& entry = program.test_case.module().functions(0);
  std::string text = "expected = [  # argument, values, judged elements, tolerance\n";
  int output = 0;
  for (int i = 0; i < entry.params_size(); ++i) {
    if (entry.params(i).kind() != PARAM_BUFFER) continue;
    if (output >= program.observation.reference().outputs_size()) break;
    const InterpretedTensor& value = program.observation.reference().outputs(output++);
    IRATE_ASSIGN_OR_RETURN(const std::string array, NumpyArray(value.tensor()));
    const std::vector<int64_t> shape(value.tensor().shape().begin(), value.tensor().shape().end());
    const bool all_judged = value.judged().find_first_not_of(kJudged) == std::string::npos;
    text += fmt::format("    ({}, {}, {}, {}),\n", i, array,
                        all_judged ? "True" : NumpyMask(value.judged(), shape),
                        value.bounds().empty() ? "0" : "2 * " + NumpyBounds(value.bounds(), shape));
  }
  return text + "]\n";
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

// The statements that leave the built module in `lib`, or that only run the passes.
absl::StatusOr<std::string> BuildPasses(const TvmProgram& program, std::string_view module) {
  std::string text;
  const std::string target = program.target_options.empty() ? "\"llvm\"" : program.target_options;
  if (program.passes.empty()) {
    text = fmt::format("lib = tvm.tirx.build({}, target=tvm.target.Target({}))\n", module, target);
  } else {
    text = fmt::format(
        "target = tvm.target.Target({})\n"
        "target = target.with_host(target)\n"
        "mod = {}\n"
        "for make_pass, *args in [\n",
        target, module);
    for (const PassStep& step : program.passes) {
      std::string args = step.name() == "tirx.transform.BindTarget" ? ", target" : "";
      for (const Expr& arg : step.args()) {
        IRATE_ASSIGN_OR_RETURN(const std::string literal, PythonLiteral(arg));
        args += ", " + literal;
      }
      text += fmt::format("    ({}{}{},\n", PassName(step.name()), args, args.empty() ? ",)" : ")");
    }
    text += SkipsPasses(program) ? "]:\n"
                                   "    try:\n"
                                   "        mod = make_pass(*args)(mod)\n"
                                   "    except Exception as error:\n"
                                   "        print(type(error).__name__)\n"
                                 : "]:\n    mod = make_pass(*args)(mod)\n";
    if (program.builds) {
      text += "lib = tvm.get_global_func(\"target.build.\" + target.kind.name)(mod, target)\n";
    }
  }
  if (program.test_case.passes().config().empty()) return text;
  IRATE_ASSIGN_OR_RETURN(const std::string config, Config(program.test_case.passes()));
  return fmt::format("with tvm.transform.PassContext(config={{{}}}):\n    {}\n", config,
                     absl::StrReplaceAll(text, {{"\n", "\n    "}}));
}

absl::StatusOr<std::string> Build(const TvmProgram& program) {
  const VariantObservation& variant =
      program.observation.variants(static_cast<int>(program.finding.variant()));
  IRATE_ASSIGN_OR_RETURN(const std::string schedule,
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
  IRATE_ASSIGN_OR_RETURN(const std::string expected, Expected(program));
  return fmt::format(
      "{}{}{}\n"
      "failed = False\n"
      "for i, want, judged, tolerance in expected:\n"
      "    got = args[i].numpy()\n"
      "    nan = (got != got) & (want != want)\n"
      "    wrong = judged & ~nan & (got != want)\n"
      "    if np.any(tolerance):\n"
      "        wrong &= ~(abs(got - want) <= tolerance)\n"
      "    print(f\"argument {{i}}\\n  expected {{want.tolist()}}\\n  actual   "
      "{{got.tolist()}}\")\n"
      "    failed |= bool(wrong.any())\n"
      "sys.exit(1 if failed else 0)\n",
      build, call, expected);
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
  std::string text;
  if (uses("base64.")) text += "import base64\n";
  text += "import os\n";
  if (uses("signal.")) text += "import signal\n";
  text += "import sys\nimport traceback\n";
  if (uses("zlib.")) text += "import zlib\n";
  // Python's own exit code for an exception is 1, which would read as "the bug is there".
  text += "\nsys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))\n\n";
  if (uses("ml_dtypes.")) text += "import ml_dtypes\n";
  if (uses("np.")) text += "import numpy as np\n";
  return text +
         "import tvm\n"
         "from tvm.script import ir as I\n"
         "from tvm.script import tirx as T\n";
}

}  // namespace

absl::StatusOr<std::string> WriteTvmReproducer(const TvmProgram& program) {
  IRATE_ASSIGN_OR_RETURN(const std::string module, ModuleText(program.script));
  IRATE_ASSIGN_OR_RETURN(std::string actions, Build(program));
  std::string body;
  const Symptom symptom = SymptomOf(program.finding);
  if (symptom == Symptom::kWrongResult) {
    IRATE_ASSIGN_OR_RETURN(body, WrongResultBody(program, actions));
  } else {
    if (program.calls) {
      IRATE_ASSIGN_OR_RETURN(const std::string call, Call(program));
      actions += call;
    }
    body = symptom == Symptom::kError ? ErrorBody(program, actions) : DeathBody(actions);
  }
  return fmt::format("{}{}\n\n{}\n\n{}", Header(program), Imports(body), module, body);
}

}  // namespace irate
