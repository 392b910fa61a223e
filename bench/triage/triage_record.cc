#include "bench/triage/triage_record.h"

#include <algorithm>
#include <map>
#include <set>

#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

Json SizeJson(const CaseMeasure& size) {
  return {{"nodes", size.nodes}, {"statements", size.statements}, {"passes", size.passes}};
}
CaseMeasure SizeFrom(const Json& json) {
  return {.nodes = json.value("nodes", int64_t{0}),
          .statements = json.value("statements", int64_t{0}),
          .passes = json.value("passes", int64_t{0})};
}

Json RecordJson(const TriageRecord& record) {
  Json json = {{"fault", record.fault},     {"index", record.index}, {"oracle", record.oracle},
               {"culprit", record.culprit}, {"found", record.found}, {"original", record.original},
               {"done", record.done}};
  if (!record.done) return json;
  json["error"] = record.error;
  json["signature"] = record.signature;
  json["origin"] = OriginName(record.origin);
  json["before"] = SizeJson(record.before);
  json["after"] = SizeJson(record.after);
  json["seconds"] = record.seconds;
  json["tests"] = record.tests;
  json["finished"] = record.finished;
  json["reduced"] = record.reduced;
  return json;
}

TriageRecord RecordFrom(const Json& json) {
  TriageRecord record;
  record.fault = json.value("fault", "");
  record.index = json.value("index", uint64_t{0});
  record.oracle = json.value("oracle", "");
  record.culprit = json.value("culprit", "");
  record.found = json.value("found", "");
  record.original = json.value("original", "");
  record.done = json.value("done", false);
  record.error = json.value("error", "");
  record.signature = json.value("signature", "");
  record.origin = OriginFrom(json.value("origin", "")).value_or(Origin::kLost);
  if (json.contains("before")) record.before = SizeFrom(json["before"]);
  if (json.contains("after")) record.after = SizeFrom(json["after"]);
  record.seconds = json.value("seconds", 0.0);
  record.tests = json.value("tests", 0);
  record.finished = json.value("finished", false);
  record.reduced = json.value("reduced", "");
  return record;
}

Json DistributionJson(const Distribution& d) {
  return {{"median", d.median}, {"p90", d.p90}, {"max", d.max}};
}

// The 90th percentile and the maximum of what is the worse the larger it is.
Distribution Distribute(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {.median = at(0.5), .p90 = at(0.9), .max = values.back()};
}

// The same for what is the worse the smaller it is.
Distribution DistributeSmallest(std::vector<double> values) {
  for (double& value : values) value = -value;
  const Distribution d = Distribute(std::move(values));
  return {.median = -d.median, .p90 = -d.p90, .max = -d.max};
}

bool Counts(const TriageRecord& record) { return record.done && record.error.empty(); }

std::string Row(const char* name, const Distribution& d, const char* format) {
  return fmt::format(
      "{:<24} {:>9} {:>9} {:>9}\n", name, fmt::format(fmt::runtime(format), d.median),
      fmt::format(fmt::runtime(format), d.p90), fmt::format(fmt::runtime(format), d.max));
}

}  // namespace

TriageSummary Summarise(const TriageRecords& records) {
  TriageSummary summary;
  std::vector<double> fewer;
  std::vector<double> nodes;
  std::vector<double> statements;
  std::vector<double> passes;
  std::vector<double> seconds;
  std::vector<Grouped> grouped;
  std::set<std::string> faults;
  std::set<std::string> buckets;
  for (const TriageRecord& record : records.records) {
    if (record.done && !record.error.empty()) ++summary.errors;
    if (!Counts(record)) continue;
    ++summary.findings;
    summary.slips += record.origin == Origin::kSibling || record.origin == Origin::kLive ? 1 : 0;
    summary.mixed += record.origin == Origin::kMixed ? 1 : 0;
    summary.lost += record.origin == Origin::kLost ? 1 : 0;
    summary.finished += record.finished ? 1 : 0;
    const auto before = static_cast<double>(std::max<int64_t>(record.before.nodes, 1));
    fewer.push_back(1 - static_cast<double>(record.after.nodes) / before);
    nodes.push_back(static_cast<double>(record.after.nodes));
    statements.push_back(static_cast<double>(record.after.statements));
    passes.push_back(static_cast<double>(record.after.passes));
    seconds.push_back(record.seconds);
    grouped.push_back({.truth = record.fault, .group = record.signature});
    faults.insert(record.fault);
    buckets.insert(record.signature);
  }
  summary.faults = faults.size();
  summary.buckets = buckets.size();
  summary.fewer_nodes = DistributeSmallest(std::move(fewer));
  summary.nodes = Distribute(std::move(nodes));
  summary.statements = Distribute(std::move(statements));
  summary.passes = Distribute(std::move(passes));
  summary.seconds = Distribute(std::move(seconds));
  summary.pairs = ScorePairs(grouped);
  return summary;
}

std::string ToJson(const TriageRecords& records) {
  const TriageSummary summary = Summarise(records);
  Json list = Json::array();
  for (const TriageRecord& record : records.records) list.push_back(RecordJson(record));
  const Json json = {
      {"seed", records.seed},
      {"cases", records.cases},
      {"full", records.full},
      {"together", records.together},
      {"summary",
       {{"findings", summary.findings},
        {"errors", summary.errors},
        {"faults", summary.faults},
        {"buckets", summary.buckets},
        {"slips", summary.slips},
        {"mixed", summary.mixed},
        {"lost", summary.lost},
        {"finished", summary.finished},
        {"fewer_nodes", DistributionJson(summary.fewer_nodes)},
        {"nodes", DistributionJson(summary.nodes)},
        {"statements", DistributionJson(summary.statements)},
        {"passes", DistributionJson(summary.passes)},
        {"seconds", DistributionJson(summary.seconds)},
        {"pairs", {{"precision", summary.pairs.Precision()}, {"recall", summary.pairs.Recall()}}}}},
      {"records", std::move(list)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<TriageRecords> TriageRecordsFromJson(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("records") || !json["records"].is_array()) {
    return absl::InvalidArgumentError("not a report of this bench");
  }
  TriageRecords records;
  try {
    records.seed = json.value("seed", uint64_t{1});
    records.cases = json.value("cases", uint64_t{0});
    records.full = json.value("full", false);
    records.together = json.value("together", true);
    for (const Json& entry : json["records"]) records.records.push_back(RecordFrom(entry));
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(fmt::format("not a report of this bench: {}", error.what()));
  }
  return records;
}

std::string ToText(const TriageRecords& records) {
  const TriageSummary summary = Summarise(records);
  std::string text = fmt::format(
      "{} findings of {} faults in {} Cases, reduced {}; {} could not be reduced\n"
      "{:<24} {:>9} {:>9} {:>9}\n",
      summary.findings, summary.faults, records.cases, records.full ? "fully" : "thinly",
      summary.errors, "", "median", "90 %", "worst");
  text += Row("fewer nodes", summary.fewer_nodes, "{:.3f}");
  text += Row("nodes left", summary.nodes, "{:.0f}");
  text += Row("statements left", summary.statements, "{:.0f}");
  text += Row("passes left", summary.passes, "{:.0f}");
  text += Row("seconds", summary.seconds, "{:.1f}");
  text += fmt::format("slips {}, mixed {}, lost {}; {} finished within the budget\n", summary.slips,
                      summary.mixed, summary.lost, summary.finished);
  text += fmt::format("buckets {}: pairwise precision {:.3f}, recall {:.3f}\n", summary.buckets,
                      summary.pairs.Precision(), summary.pairs.Recall());
  std::map<std::string, std::map<std::string, int>> of_fault;
  std::map<std::string, std::map<std::string, int>> of_bucket;
  for (const TriageRecord& record : records.records) {
    if (!Counts(record)) continue;
    ++of_fault[record.fault][record.signature];
    ++of_bucket[record.signature][record.fault];
  }
  const auto list = [&text](const char* title, const auto& groups) {
    bool first = true;
    for (const auto& [name, parts] : groups) {
      if (parts.size() < 2) continue;
      if (std::exchange(first, false)) text += fmt::format("\n{}\n", title);
      text += fmt::format("  {}\n", name);
      for (const auto& [part, count] : parts) text += fmt::format("    {:>4}  {}\n", count, part);
    }
  };
  list("faults in several buckets", of_fault);
  list("buckets of several faults", of_bucket);
  return text;
}

}  // namespace irate
