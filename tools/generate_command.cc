// irate generate: the Cases of a seed, as files or as statistics.
#include <chrono>
#include <map>
#include <memory>

#include "fmt/format.h"
#include "generators/features.h"
#include "generators/generator.h"
#include "ir/interpreter.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "nlohmann/json.hpp"
#include "tools/command.h"
#include "tools/generate_options.h"
#include "triage/files.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct CommandArguments {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t count = 1;
  std::string out;
  std::string json;
  std::string target = "tvm";
  GenerateArguments generate;
  bool stats = false;
  bool list_features = false;
};

struct Statistics {
  uint64_t cases = 0;
  std::map<std::string, uint64_t> features;
  std::map<std::string, uint64_t> families;
  std::map<std::string, uint64_t> sequences;  // by kind
  std::map<std::string, uint64_t> dropped;    // by reason
  uint64_t dropped_total = 0;
  double generate_seconds = 0;
  double interpret_seconds = 0;
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The share of Cases with each feature, and of Cases that are no test.
absl::Status Count(const Case& test_case, Statistics* statistics) {
  ++statistics->cases;
  ++statistics->families[test_case.generator()];
  ++statistics->sequences[std::string(Name(KindOf(test_case.passes())))];
  for (const std::string& feature : test_case.features()) ++statistics->features[feature];
  IRATE_RETURN_IF_ERROR(VerifyCase(test_case));
  const Clock::time_point start = Clock::now();
  IRATE_ASSIGN_OR_RETURN(const Interpretation result,
                         Interpret(test_case.module(), test_case.inputs()));
  statistics->interpret_seconds += SecondsSince(start);
  if (result.status() == Interpretation::DEFINED) return absl::OkStatus();
  ++statistics->dropped_total;
  ++statistics->dropped[result.reason().empty() ? Interpretation::Status_Name(result.status())
                                                : result.reason()];
  return absl::OkStatus();
}

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double Rate(const Statistics& statistics) {
  return statistics.generate_seconds > 0
             ? static_cast<double>(statistics.cases) / statistics.generate_seconds
             : 0;
}

std::string StatisticsText(const Statistics& statistics) {
  std::string text =
      fmt::format("{} cases, {:.0f} generated a second, {:.2f} % dropped\n", statistics.cases,
                  Rate(statistics), 100 * Share(statistics.dropped_total, statistics.cases));
  for (const auto& [reason, count] : statistics.dropped) {
    text += fmt::format("  dropped {:>8}  {}\n", count, reason);
  }
  for (const auto& [family, count] : statistics.families) {
    text += fmt::format("family  {:<28} {:>8}  {:6.2f} %\n", family, count,
                        100 * Share(count, statistics.cases));
  }
  for (const auto& [kind, count] : statistics.sequences) {
    text += fmt::format("passes  {:<28} {:>8}  {:6.2f} %\n", kind, count,
                        100 * Share(count, statistics.cases));
  }
  for (const auto& [feature, count] : statistics.features) {
    text += fmt::format("feature {:<28} {:>8}  {:6.2f} %\n", feature, count,
                        100 * Share(count, statistics.cases));
  }
  return text;
}

std::string StatisticsJson(const Statistics& statistics, uint64_t seed,
                           const std::set<std::string>& avoided) {
  Json features = Json::object();
  for (const FeatureInfo& info : Features()) features[std::string(info.name)] = 0.0;
  for (const auto& [feature, count] : statistics.features) {
    features[feature] = Share(count, statistics.cases);
  }
  Json families = Json::object();
  for (const auto& [family, count] : statistics.families) {
    families[family] = Share(count, statistics.cases);
  }
  Json sequences = Json::object();
  for (const auto& [kind, count] : statistics.sequences) {
    sequences[kind] = Share(count, statistics.cases);
  }
  const Json json = {
      {"cases", statistics.cases},
      {"seed", seed},
      {"features", features},
      {"avoided", avoided},
      {"families", families},
      {"sequences", sequences},
      {"dropped_undefined", statistics.dropped_total},
      {"drop_rate", Share(statistics.dropped_total, statistics.cases)},
      {"dropped", statistics.dropped},
      {"cases_per_second", Rate(statistics)},
      {"generate_seconds", statistics.generate_seconds},
      {"interpret_seconds", statistics.interpret_seconds},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::Status Generate(const CommandArguments& arguments, const GenerateOptions& options) {
  const bool wants_statistics = arguments.stats || !arguments.json.empty();
  if (!arguments.out.empty()) IRATE_RETURN_IF_ERROR(MakeDirectories(arguments.out));
  Statistics statistics;
  for (uint64_t i = arguments.first; i < arguments.first + arguments.count; ++i) {
    const Clock::time_point start = Clock::now();
    const Case test_case = GenerateCase(CaseSeed(arguments.seed, i), options);
    statistics.generate_seconds += SecondsSince(start);
    if (!arguments.out.empty()) {
      IRATE_RETURN_IF_ERROR(
          WriteCaseFile(fmt::format("{}/case-{:06}.irate", arguments.out, i), test_case));
    } else if (!wants_statistics) {
      fmt::print("{}{}", i == arguments.first ? "" : "\n", PrintCase(test_case));
    }
    if (wants_statistics) IRATE_RETURN_IF_ERROR(Count(test_case, &statistics));
  }
  if (arguments.stats && arguments.json != "-") {
    fmt::print("{}", StatisticsText(statistics));
    for (const std::string& name : options.avoided_features) {
      fmt::print("avoided {:<28} in three Cases of four\n", name);
    }
  }
  if (arguments.json.empty()) return absl::OkStatus();
  return WriteOutput(arguments.json,
                     StatisticsJson(statistics, arguments.seed, options.avoided_features));
}

int RunGenerate(const CommandArguments& arguments) {
  if (arguments.list_features) {
    for (const FeatureInfo& info : Features()) {
      fmt::print("{:<28} {}\n", info.name, info.description);
    }
    return kExitOk;
  }
  const absl::StatusOr<GenerateOptions> options =
      MakeGenerateOptions(arguments.generate, arguments.target);
  if (!options.ok()) return FailUsage(std::string(options.status().message()));
  const absl::Status status = Generate(arguments, *options);
  return status.ok() ? kExitOk : FailEnvironment(status);
}

}  // namespace

void AddGenerateCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<CommandArguments>();
  CLI::App* command = app->add_subcommand("generate", "Generate Cases: files or statistics");
  command->add_option("--seed", arguments->seed, "Seed, as for fuzz")->capture_default_str();
  command->add_option("--count", arguments->count, "How many Cases")->capture_default_str();
  command->add_option("--first", arguments->first, "Number of the first Case of the seed")
      ->capture_default_str();
  command->add_option("--out", arguments->out, "Write case-NUMBER.irate files to this folder");
  command->add_flag("--stats", arguments->stats,
                    "Frequency of each feature, drop rate, Cases a second");
  command->add_option("--json", arguments->json,
                      "Write the statistics to this file as JSON; - : stdout");
  command->add_option("--target", arguments->target, "Compiler whose passes the Cases name")
      ->capture_default_str();
  AddGenerateOptions(command, &arguments->generate);
  command->add_flag("--list-features", arguments->list_features, "Name all features and end");
  command->footer("Exit codes: 0 fine, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunGenerate(*arguments); });
}

}  // namespace irate
