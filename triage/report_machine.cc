// SARIF (docs.oasis-open.org/sarif/sarif/v2.1.0) and JUnit XML.
#include <set>

#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "triage/escape.h"
#include "triage/report_formats.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

bool IsOpen(BucketState state) {
  return state == BucketState::kNew || state == BucketState::kRegressed;
}

Json SarifResult(const ReportBucket& bucket) {
  const FindingRecord& record = bucket.record;
  const std::string state(BucketStateName(record.life.state));
  Json result = {
      {"ruleId", record.finding.oracle()},
      {"level", "error"},
      {"message",
       {{"text", Headline(record) +
                     (record.finding.detail().empty() ? "" : "\n" + record.finding.detail())}}},
      {"locations",
       {{{"physicalLocation",
          {{"artifactLocation",
            {{"uri", record.finding.signature() + "/case.irate"}, {"uriBaseId", "FINDINGS"}}}}},
         {"logicalLocations",
          {{{"fullyQualifiedName", record.finding.culprit()}, {"kind", "function"}}}}}}},
      {"partialFingerprints", {{"irateSignature/v1", record.finding.signature()}}},
      {"occurrenceCount", std::max<uint64_t>(1, record.count)},
      {"baselineState", IsOpen(record.life.state) ? "new" : "unchanged"},
      {"properties", {{"state", state}, {"versions", record.versions}}},
  };
  if (record.life.state == BucketState::kMuted || record.life.state == BucketState::kFixed) {
    const std::string why =
        record.life.mute_reason.empty() ? "passes on a newer compiler" : record.life.mute_reason;
    result["suppressions"] = {{{"kind", "external"}, {"justification", why}}};
  }
  return result;
}

}  // namespace

std::string ReportSarif(const Report& report) {
  std::set<std::string> oracles;
  Json results = Json::array();
  for (const ReportBucket& bucket : report.buckets) {
    oracles.insert(bucket.record.finding.oracle());
    results.push_back(SarifResult(bucket));
  }
  Json rules = Json::array();
  for (const std::string& oracle : oracles) {
    rules.push_back({{"id", oracle}, {"shortDescription", {{"text", oracle}}}});
  }
  const Json sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "irate"}, {"rules", std::move(rules)}}}}},
         {"results", std::move(results)},
         {"columnKind", "unicodeCodePoints"}}}},
  };
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ReportJunit(const Report& report) {
  std::string cases;
  int failures = 0;
  int skipped = 0;
  for (const ReportBucket& bucket : report.buckets) {
    const FindingRecord& record = bucket.record;
    const std::string headline = EscapeMarkup(Headline(record));
    std::string body;
    if (IsOpen(record.life.state)) {
      ++failures;
      body = fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>",
                         EscapeMarkup(record.finding.oracle()), headline,
                         EscapeMarkup(record.finding.detail()));
    } else if (record.life.state != BucketState::kFixed) {
      ++skipped;
      body = fmt::format("<skipped message=\"{}\"/>",
                         EscapeMarkup(fmt::format("{} {}", BucketStateName(record.life.state),
                                                  record.life.mute_reason)));
    }
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n",
                         EscapeMarkup(record.finding.culprit()),
                         EscapeMarkup(record.finding.signature()), body);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "skipped=\"{}\">\n{}</testsuite>\n</testsuites>\n",
      EscapeMarkup(report.title), report.buckets.size(), failures, skipped, cases);
}

}  // namespace irate
