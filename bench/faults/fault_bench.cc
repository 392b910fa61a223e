#include "bench/faults/fault_bench.h"

#include <algorithm>
#include <map>

#include "bench/faults/fault_judge.h"
#include "bench/fork_pool.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

Json ToJsonValue(const FaultTrial& trial) {
  return {{"reached", trial.reached},   {"triggered", trial.triggered},
          {"detected", trial.detected}, {"oracle", trial.oracle},
          {"culprit", trial.culprit},   {"pass", trial.pass},
          {"cases", trial.cases},       {"triggered_cases", trial.triggered_cases},
          {"seconds", trial.seconds},   {"wall_seconds", trial.wall_seconds},
          {"problem", trial.problem},   {"summary", trial.summary},
          {"shown", trial.shown}};
}

FaultTrial TrialFrom(const Json& json) {
  FaultTrial trial;
  trial.reached = json.value("reached", false);
  trial.triggered = json.value("triggered", false);
  trial.detected = json.value("detected", false);
  trial.oracle = json.value("oracle", "");
  trial.culprit = json.value("culprit", "");
  trial.pass = json.value("pass", "");
  trial.cases = json.value("cases", uint64_t{0});
  trial.triggered_cases = json.value("triggered_cases", uint64_t{0});
  trial.seconds = json.value("seconds", 0.0);
  trial.wall_seconds = json.value("wall_seconds", 0.0);
  trial.problem = json.value("problem", "");
  trial.summary = json.value("summary", "");
  trial.shown = json.value("shown", "");
  return trial;
}

template <typename T>
T Median(std::vector<T> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return values[values.size() / 2];
}

FaultReport Summarise(const rewrite::Rule& rule, std::vector<FaultTrial> trials,
                      std::string error) {
  FaultReport report;
  report.name = rule.name;
  report.is_null = rule.is_null;
  report.error = std::move(error);
  std::vector<double> seconds;
  std::vector<uint64_t> cases;
  size_t detected = 0;
  const FaultTrial* shown = nullptr;
  for (const FaultTrial& trial : trials) {
    report.reached |= trial.reached;
    report.triggered |= trial.triggered;
    detected += trial.detected ? 1 : 0;
    seconds.push_back(trial.seconds);
    cases.push_back(trial.cases);
    const auto better = [&](const FaultTrial& other) {
      return trial.detected &&
             (!other.detected || (!IsExpected(rule, other.oracle, other.culprit, other.pass) &&
                                  IsExpected(rule, trial.oracle, trial.culprit, trial.pass)));
    };
    if (shown == nullptr || better(*shown)) shown = &trial;
  }
  report.seconds = Median(seconds);
  report.cases = Median(cases);
  // One false alarm of a null fault is one too many.
  report.detected = rule.is_null ? detected > 0 : 2 * detected > trials.size();
  if (shown != nullptr && report.detected) {
    report.oracle = shown->oracle;
    report.culprit = shown->culprit;
  }
  if (!rule.is_null) {
    const std::vector<std::string> oracles = rewrite::ExpectedOracles(rule);
    const bool named = std::ranges::find(oracles, report.oracle) != oracles.end();
    report.expected_oracle = named || oracles.empty() ? report.oracle : oracles[0];
    const std::string pass =
        shown != nullptr && !shown->pass.empty() ? shown->pass : rule.passes[0];
    report.expected_culprit = ExpectedCulprit(rule, report.culprit, pass);
  }
  report.trials = std::move(trials);
  return report;
}

}  // namespace

bool FaultReport::IsAsExpected() const {
  if (!error.empty()) return false;
  if (is_null) return !detected;
  return detected && oracle == expected_oracle && culprit == expected_culprit;
}

absl::Status RunFaultBench(const FaultBenchOptions& options) {
  const auto trials = static_cast<uint64_t>(std::max(1, options.trials));
  struct Pending {
    std::vector<FaultTrial> trials;
    uint64_t ended = 0;
    std::string error;
  };
  std::map<uint64_t, Pending> pending;
  const auto work = [&](uint64_t chunk) -> std::string {
    FaultTrialOptions trial = options.trial;
    trial.seed += chunk % trials;
    const absl::StatusOr<FaultTrial> result = RunFaultTrial(options.rules[chunk / trials], trial);
    if (!result.ok()) {
      return Json{{"error", std::string(result.status().message())}}.dump(
          -1, ' ', false, Json::error_handler_t::replace);
    }
    return ToJsonValue(*result).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto done = [&](uint64_t chunk, absl::StatusOr<std::string> result) {
    const uint64_t index = chunk / trials;
    Pending& entry = pending[index];
    ++entry.ended;
    if (!result.ok()) {
      entry.error = std::string(result.status().message());
    } else {
      const Json json = Json::parse(*result);
      if (json.contains("error")) {
        entry.error = json["error"];
      } else {
        entry.trials.push_back(TrialFrom(json));
      }
    }
    if (entry.ended < trials) return;
    options.done(Summarise(options.rules[index], std::move(entry.trials), entry.error));
    pending.erase(index);
  };
  return RunChunks(options.rules.size() * trials, options.jobs, [] {}, work, done);
}

std::string ToJson(const std::vector<FaultReport>& reports) {
  Json array = Json::array();
  for (const FaultReport& report : reports) {
    Json entry = {{"name", report.name},
                  {"null", report.is_null},
                  {"reached", report.reached},
                  {"triggered", report.triggered},
                  {"detected", report.detected},
                  {"oracle", report.oracle},
                  {"expected_oracle", report.expected_oracle},
                  {"culprit", report.culprit},
                  {"expected_culprit", report.expected_culprit},
                  {"cases", report.cases},
                  {"seconds", report.seconds}};
    if (!report.error.empty()) entry["error"] = report.error;
    Json trials = Json::array();
    for (const FaultTrial& trial : report.trials) trials.push_back(ToJsonValue(trial));
    entry["trials"] = std::move(trials);
    array.push_back(std::move(entry));
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<std::vector<FaultReport>> ReportsFromJson(const std::string& text) {
  const Json array = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!array.is_array()) return absl::InvalidArgumentError("no list of faults");
  std::vector<FaultReport> reports;
  for (const Json& entry : array) {
    if (!entry.is_object()) return absl::InvalidArgumentError("no list of faults");
    FaultReport report;
    report.name = entry.value("name", "");
    report.is_null = entry.value("null", false);
    report.reached = entry.value("reached", false);
    report.triggered = entry.value("triggered", false);
    report.detected = entry.value("detected", false);
    report.oracle = entry.value("oracle", "");
    report.expected_oracle = entry.value("expected_oracle", "");
    report.culprit = entry.value("culprit", "");
    report.expected_culprit = entry.value("expected_culprit", "");
    report.cases = entry.value("cases", uint64_t{0});
    report.seconds = entry.value("seconds", 0.0);
    report.error = entry.value("error", "");
    for (const Json& trial : entry.value("trials", Json::array())) {
      report.trials.push_back(TrialFrom(trial));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::string ToTable(const std::vector<FaultReport>& reports) {
  std::string text = fmt::format("{:<44} {:<9} {:>7} {:>8}  {:<18} {}\n", "fault", "verdict",
                                 "cases", "seconds", "oracle", "culprit");
  for (const FaultReport& report : reports) {
    const char* verdict = "missed";
    if (!report.error.empty()) {
      verdict = "error";
    } else if (report.is_null) {
      verdict = report.detected ? "ALARM" : report.triggered ? "silent" : "untried";
    } else if (report.detected) {
      verdict = report.IsAsExpected() ? "found" : "otherwise";
    } else if (!report.reached) {
      verdict = "unreached";
    } else if (!report.triggered) {
      verdict = "no match";
    }
    text += fmt::format("{:<44} {:<9} {:>7} {:>8.1f}  {:<18} {}\n", report.name, verdict,
                        report.cases, report.seconds, report.oracle, report.culprit);
  }
  return text;
}

}  // namespace irate
