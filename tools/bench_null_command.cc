// irate bench null: the false-alarm test.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "bench/null.h"
#include "bench/null_identity.h"
#include "fmt/format.h"
#include "tools/bench_command.h"
#include "tools/command.h"

namespace irate {
namespace {

constexpr int kShownFindings = 10;

struct Arguments {
  NullOptions options;
  std::string target = "tvm";
  std::string json;
  bool no_rewrites = false;
  bool no_second_reference = false;
  bool no_identity = false;
};

// A line that is redrawn on a terminal, else a line for every tenth of the Cases.
void ShowProgress(const NullProgress& progress) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const uint64_t tenth = std::max<uint64_t>(progress.count / 10, 1);
  if (!terminal && progress.cases != progress.count && progress.cases % tenth >= 50) return;
  fmt::print(stderr, "{}irate: {:.0f} s  {}/{} cases  {} findings{}", terminal ? "\r" : "",
             progress.seconds, progress.cases, progress.count, progress.findings,
             terminal && progress.cases < progress.count ? "" : "\n");
  std::fflush(stderr);
}

void PrintSummary(const NullReport& report) {
  fmt::print(
      "{} cases in {:.1f} s, {} dropped as undefined\n"
      "  {} rewritten programs, {} compared with the second reference and {} of them rewritten,\n"
      "  {} modules through the compiler and back; {} out of fuel\n",
      report.cases, report.seconds, report.dropped, report.rewritten, report.compared,
      report.compared_rewritten, report.identities, report.out_of_fuel);
  for (const auto& [what, count] : report.refusals) {
    fmt::print("  refused {:>8}  {}\n", count, what);
  }
  fmt::print("{} findings\n", report.findings.size());
  int shown = 0;
  for (const NullFinding& finding : report.findings) {
    if (++shown > kShownFindings) {
      fmt::print("  ... {} more (--json has all)\n", report.findings.size() - kShownFindings);
      break;
    }
    fmt::print("  case {} ({}): {}\n", finding.index, finding.check, finding.detail);
    for (const std::string& step : finding.steps) fmt::print("    after {}\n", step);
  }
}

int RunNull(Arguments& arguments) {
  NullOptions& options = arguments.options;
  if (arguments.no_rewrites) options.rewrites = 0;
  options.second_reference = !arguments.no_second_reference;
  if (!arguments.no_identity) {
    const std::string name = arguments.target;
    if (MakeTarget(name) == nullptr) return FailUsage(fmt::format("no target '{}'", name));
    std::vector<std::string> passes;
    if (name == "tvm") passes = {"tirx.transform.BindTarget"};
    options.make_identity = TargetIdentity([name] { return MakeTarget(name); }, passes);
  }
  options.progress = ShowProgress;
  const absl::StatusOr<NullReport> report = RunNullBench(options);
  if (!report.ok()) return FailEnvironment(report.status());
  if (arguments.json != "-") PrintSummary(*report);
  if (!arguments.json.empty()) {
    const absl::Status status = WriteOutput(arguments.json, ToJson(*report));
    if (!status.ok()) return FailEnvironment(status);
  }
  return report->findings.empty() ? kExitOk : kExitFindings;
}

}  // namespace

void AddBenchNullCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = bench->add_subcommand(
      "null", "Cases through changes that change nothing: every finding is a false alarm");
  command->add_option("--count", arguments->options.count, "How many Cases")->capture_default_str();
  command->add_option("--first", arguments->options.first, "Number of the first Case of the seed")
      ->capture_default_str();
  command->add_option("--seed", arguments->options.seed, "Seed, as for fuzz")
      ->capture_default_str();
  command->add_option("--jobs", arguments->options.jobs, "Processes; 0: one for each processor")
      ->capture_default_str();
  command
      ->add_option("--rewrites", arguments->options.rewrites,
                   "Equivalent rewrites of a Case, at most")
      ->capture_default_str();
  command->add_flag("--no-rewrites", arguments->no_rewrites, "Leave out the equivalent rewrites");
  command->add_flag("--no-second-reference", arguments->no_second_reference,
                    "Leave out the comparison with the C printer under clang -O0 and UBSan");
  command->add_flag("--no-identity", arguments->no_identity,
                    "Leave out the way down into the compiler and up again");
  command->add_option("--target", arguments->target, "The compiler of the identity")
      ->capture_default_str();
  command->add_option("--json", arguments->json, "Write the report to this file; - : stdout");
  command->footer("Exit codes: 0 no finding, 1 findings, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunNull(*arguments); });
}

}  // namespace irate
