#include "bench/python_peer.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "ir/file.h"
#include "ir/inputs.h"
#include "ir/status_macros.h"
#include "ir/types.h"
#include "nlohmann/json.hpp"
#include "triage/run_command.h"
#include "triage/tvmscript.h"

namespace irate {
namespace {

constexpr std::chrono::minutes kDeadline{10};

// numpy's or ml_dtypes' name.
std::string DtypeName(ScalarType type) {
  switch (type) {
    case BOOL:
      return "bool";
    case F16:
      return "float16";
    case BF16:
      return "bfloat16";
    case F32:
      return "float32";
    case F64:
      return "float64";
    case F8E4M3FN:
      return "float8_e4m3fn";
    case F8E5M2:
      return "float8_e5m2";
    default:
      return fmt::format("{}int{}", IsUnsigned(type) ? "u" : "", BitWidth(type));
  }
}

nlohmann::json PassesJson(const PassSequence& passes) {
  nlohmann::json list = nlohmann::json::array();
  for (const PassStep& step : passes.steps()) {
    nlohmann::json arguments = nlohmann::json::array();
    for (const Expr& arg : step.args()) {
      if (arg.op() == STRING) {
        arguments.push_back(arg.name());
      } else if (arg.type() == BOOL) {
        arguments.push_back(arg.int_value() != 0);
      } else {
        arguments.push_back(arg.int_value());
      }
    }
    list.push_back({step.name(), std::move(arguments)});
  }
  return list;
}

absl::StatusOr<nlohmann::json> CaseJson(const Case& test_case, const TargetSpec& spec,
                                        const PassSequence& passes, WorkerClient* worker) {
  IRATE_ASSIGN_OR_RETURN(const std::string script, worker->PrintNative(test_case, spec, passes, 0));
  const Function& entry = test_case.module().functions(0);
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> values,
                         MakeArguments(entry, test_case.inputs()));
  nlohmann::json json;
  json["script"] = MatchSymbolicBuffers(script);
  json["entry"] = entry.name();
  json["args"] = nlohmann::json::array();
  for (const ArgumentValue& value : values) {
    std::string data;
    absl::Base64Escape(value.tensor.data(), &data);
    std::vector<int64_t> shape(value.tensor.shape().begin(), value.tensor.shape().end());
    if (value.tensor.lanes() > 1) shape.push_back(value.tensor.lanes());
    json["args"].push_back({{"shape", shape},
                            {"dtype", DtypeName(value.tensor.type())},
                            {"scalar", value.is_scalar},
                            {"data", data}});
  }
  return json;
}

}  // namespace

absl::StatusOr<PeerResult> RunPythonPeer(const std::vector<Case>& cases, const std::string& python,
                                         WorkerClient* worker) {
  TargetSpec spec;
  spec.set_target("tvm");
  spec.set_options(R"({"kind":"llvm"})");
  IRATE_ASSIGN_OR_RETURN(const PassSequence passes, worker->DefaultPasses(spec));
  PeerResult result;
  std::string text = nlohmann::json{{"passes", PassesJson(passes)}}.dump() + "\n";
  for (const Case& test_case : cases) {
    const absl::StatusOr<nlohmann::json> json = CaseJson(test_case, spec, passes, worker);
    if (json.ok()) {
      text += json->dump() + "\n";
    } else {
      ++result.refused;
    }
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("irate_peer_{}.jsonl", getpid()))
          .string();
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(path, text));
  const absl::StatusOr<CommandResult> run =
      RunCommand({python, "-B", IRATE_SOURCE_DIR "/bench/python_peer.py", path}, ".", kDeadline);
  std::error_code unused;
  std::filesystem::remove(path, unused);
  if (!run.ok()) return run.status();
  // Its last line; what TVM prints comes before.
  const size_t begin = run->output.rfind("{\"cases\"");
  if (run->exit_code != 0 || begin == std::string::npos) {
    return absl::UnavailableError(
        fmt::format("the Python peer failed (exit code {}): {}", run->exit_code, run->output));
  }
  const nlohmann::json json =
      nlohmann::json::parse(run->output.substr(begin), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::UnavailableError("the Python peer's answer is no JSON");
  result.cases = json["cases"];
  result.refused += json["refused"].get<uint64_t>();
  for (const auto& [error, count] : json["errors"].items()) {
    if (result.first_error.empty()) result.first_error = error;
  }
  result.pass_seconds = json["pass_seconds"];
  result.seconds = json["seconds"];
  return result;
}

}  // namespace irate
