#include "bench/null.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <tuple>

#include "absl/status/status.h"
#include "bench/fork_pool.h"
#include "bench/null_checks.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "targets/c/second_reference.h"

namespace irate {
namespace {

// Cases of one chunk share a translation unit of the second reference.
constexpr uint64_t kChunk = 50;

nlohmann::json Json(const NullReport& report) {
  nlohmann::json json = {{"cases", report.cases},
                         {"dropped_undefined", report.dropped},
                         {"rewritten", report.rewritten},
                         {"second_reference", report.compared},
                         {"second_reference_rewritten", report.compared_rewritten},
                         {"identities", report.identities},
                         {"out_of_fuel", report.out_of_fuel},
                         {"seconds", report.seconds},
                         {"rules", report.rules},
                         {"refusals", report.refusals},
                         {"findings", nlohmann::json::array()}};
  for (const NullFinding& finding : report.findings) {
    json["findings"].push_back({{"index", finding.index},
                                {"check", finding.check},
                                {"detail", finding.detail},
                                {"steps", finding.steps}});
  }
  return json;
}

NullReport FromJson(const nlohmann::json& json) {
  NullReport report;
  report.cases = json["cases"];
  report.dropped = json["dropped_undefined"];
  report.rewritten = json["rewritten"];
  report.compared = json["second_reference"];
  report.compared_rewritten = json["second_reference_rewritten"];
  report.identities = json["identities"];
  report.out_of_fuel = json["out_of_fuel"];
  report.rules = json["rules"].get<std::map<std::string, uint64_t>>();
  report.refusals = json["refusals"].get<std::map<std::string, uint64_t>>();
  for (const auto& finding : json["findings"]) {
    report.findings.push_back({finding["index"], finding["check"], finding["detail"],
                               finding["steps"].get<std::vector<std::string>>()});
  }
  return report;
}

void Merge(const NullReport& part, NullReport* whole) {
  whole->cases += part.cases;
  whole->dropped += part.dropped;
  whole->rewritten += part.rewritten;
  whole->compared += part.compared;
  whole->compared_rewritten += part.compared_rewritten;
  whole->identities += part.identities;
  whole->out_of_fuel += part.out_of_fuel;
  for (const auto& [rule, count] : part.rules) whole->rules[rule] += count;
  for (const auto& [what, count] : part.refusals) whole->refusals[what] += count;
  whole->findings.insert(whole->findings.end(), part.findings.begin(), part.findings.end());
}

}  // namespace

absl::StatusOr<NullReport> RunNullBench(const NullOptions& options) {
  if (options.second_reference) IRATE_RETURN_IF_ERROR(CheckSecondReference());
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  NullReport whole;
  std::optional<NullChecks> checks;
  const uint64_t chunks = (options.count + kChunk - 1) / kChunk;
  IRATE_RETURN_IF_ERROR(RunChunks(
      chunks, options.jobs, [&] { checks.emplace(options); },
      [&](uint64_t chunk) {
        const uint64_t first = options.first + chunk * kChunk;
        const uint64_t last = std::min(options.first + options.count, first + kChunk);
        return Json(checks->Run(first, last))
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      },
      [&](uint64_t chunk, absl::StatusOr<std::string> result) {
        if (result.ok()) {
          Merge(FromJson(nlohmann::json::parse(*result)), &whole);
        } else {
          whole.findings.push_back({chunk * kChunk,
                                    "process",
                                    fmt::format("{} in the {} Cases from here on",
                                                std::string(result.status().message()), kChunk),
                                    {}});
        }
        if (options.progress) {
          options.progress({whole.cases, options.count, whole.findings.size(), seconds()});
        }
      }));
  std::ranges::sort(whole.findings, {}, [](const NullFinding& finding) {
    return std::tie(finding.index, finding.check, finding.detail);
  });
  whole.seconds = seconds();
  return whole;
}

std::string ToJson(const NullReport& report) {
  nlohmann::ordered_json json = {{"cases", report.cases}, {"findings", report.findings.size()}};
  nlohmann::json rest = Json(report);
  json["details"] = rest["findings"];
  rest.erase("findings");
  rest.erase("cases");
  json.update(rest);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace irate
