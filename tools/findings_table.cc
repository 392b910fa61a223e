#include "tools/findings_table.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "tools/progress_line.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

// New ones first, the most frequent first.
std::vector<const FindingCount*> Sorted(const FuzzSummary& summary) {
  std::vector<const FindingCount*> rows;
  for (const auto& [signature, entry] : summary.findings) rows.push_back(&entry);
  std::ranges::sort(rows, [](const FindingCount* a, const FindingCount* b) {
    if (a->known != b->known) return b->known;
    if (a->count != b->count) return a->count > b->count;
    return a->finding.signature() < b->finding.signature();
  });
  return rows;
}

std::string Table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string ReproducerColumn(const FindingCount& entry) {
  if (entry.known) return entry.path.empty() ? "known" : entry.path + "/reproducer.py (known)";
  return entry.path + (entry.reproducer_verified ? "/reproducer.py" : "/case.irate");
}

Json FindingJson(const FindingCount& entry) {
  return {{"signature", entry.finding.signature()},
          {"oracle", entry.finding.oracle()},
          {"culprit", entry.finding.culprit()},
          {"count", entry.count},
          {"path", entry.path},
          {"known", entry.known},
          {"summary", entry.finding.summary()},
          {"reproducer_verified", entry.reproducer_verified}};
}

Json MutatorsJson(const FuzzSummary& summary) {
  Json mutators = Json::object();
  for (const auto& [name, counts] : summary.mutators) {
    mutators[name] = {{"tried", counts.tried},       {"applied", counts.applied},
                      {"valid", counts.valid},       {"defined", counts.defined},
                      {"executed", counts.executed}, {"new", counts.interesting}};
  }
  return mutators;
}

}  // namespace

std::string SummaryText(const FuzzSummary& summary) {
  std::string text = ProgressText(summary) + "\n";
  text += fmt::format("{} refused by the compiler, {:.2f} % of the elements not judged\n",
                      summary.rejected, 100 * summary.InconclusiveShare());
  if (summary.sanitized != 0) {
    text += fmt::format("{} ran instrumented as well in {:.1f} ms on average, {} could not\n",
                        summary.sanitized,
                        1e3 * summary.sanitized_seconds / static_cast<double>(summary.sanitized),
                        summary.not_sanitized);
  }
  if (summary.mutated != 0) {
    text += fmt::format("{} of the Cases made from earlier ones, {} showed something new\n",
                        summary.mutated, summary.interesting);
  }
  if (summary.not_reduced != 0) {
    text += fmt::format("{} more sightings of these kinds, not reduced\n", summary.not_reduced);
  }
  if (summary.not_reproduced != 0) {
    text += fmt::format("{} findings did not show in a fresh worker, not recorded\n",
                        summary.not_reproduced);
  }
  if (summary.referee_disagrees != 0) {
    text += fmt::format(
        "{} findings not recorded: the second reference disagrees with the interpreter\n",
        summary.referee_disagrees);
  }
  if (summary.harness_faults != 0) {
    text += fmt::format("{} faults of irate itself, for example\n", summary.harness_faults);
    for (const std::string& example : summary.harness_fault_examples) text += "  " + example + "\n";
  }
  if (summary.findings.empty()) return text + "no findings\n";
  std::vector<std::vector<std::string>> rows = {
      {"SIGNATURE", "ORACLE", "CULPRIT", "COUNT", "REPRODUCER"}};
  for (const FindingCount* entry : Sorted(summary)) {
    rows.push_back({entry->finding.signature(), entry->finding.oracle(), entry->finding.culprit(),
                    fmt::format("{}", entry->count), ReproducerColumn(*entry)});
  }
  return text + "\n" + Table(rows);
}

std::string SummaryJson(const FuzzSummary& summary, uint64_t seed, int jobs) {
  Json findings = Json::array();
  for (const FindingCount* entry : Sorted(summary)) findings.push_back(FindingJson(*entry));
  const Json json = {
      {"cases", summary.cases},
      {"dropped_undefined", summary.dropped_undefined},
      {"seconds", summary.seconds},
      {"findings", findings},
      {"seed", seed},
      {"jobs", jobs},
      {"interrupted", summary.interrupted},
      {"rejected", summary.rejected},
      {"inconclusive_share", summary.InconclusiveShare()},
      {"triage_seconds", summary.triage_seconds},
      {"sanitized", summary.sanitized},
      {"not_sanitized", summary.not_sanitized},
      {"sanitized_seconds", summary.sanitized_seconds},
      {"not_reduced", summary.not_reduced},
      {"not_reproduced", summary.not_reproduced},
      {"referee_disagrees", summary.referee_disagrees},
      {"harness_faults", summary.harness_faults},
      {"harness_fault_examples", summary.harness_fault_examples},
      {"mutated", summary.mutated},
      {"interesting", summary.interesting},
      {"first", summary.first},
      {"next", summary.next},
      {"mutators", MutatorsJson(summary)},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace irate
