#include "triage/finding_json.h"

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"

namespace irate {

using Json = nlohmann::ordered_json;

namespace {

Json LifeToJson(const BucketLife& life) {
  Json json = Json::object();
  json["state"] = BucketStateName(life.state);
  if (!life.mute_reason.empty()) json["mute_reason"] = life.mute_reason;
  Json verdicts = Json::object();
  for (const auto& [version, verdict] : life.verdicts) {
    verdicts[version] = {{"fails", verdict.fails}, {"time", verdict.time}};
  }
  json["verdicts"] = std::move(verdicts);
  Json history = Json::array();
  for (const BucketEvent& event : life.history) {
    history.push_back({{"time", event.time}, {"what", event.what}, {"detail", event.detail}});
  }
  json["history"] = std::move(history);
  return json;
}

// Folders of before there were states have none of these keys.
absl::StatusOr<BucketLife> LifeFromJson(const Json& json) {
  BucketLife life;
  IRATE_ASSIGN_OR_RETURN(life.state, ParseBucketState(json.value("state", "new")));
  life.mute_reason = json.value("mute_reason", "");
  const Json verdicts = json.value("verdicts", Json::object());
  for (const auto& [version, verdict] : verdicts.items()) {
    life.verdicts[version] = {.fails = verdict.at("fails").get<bool>(),
                              .time = verdict.value("time", "")};
  }
  for (const Json& event : json.value("history", Json::array())) {
    life.history.push_back(
        {event.value("time", ""), event.value("what", ""), event.value("detail", "")});
  }
  return life;
}

Json BlameToJson(const Blame& blame) {
  return {{"passes", blame.passes},
          {"passes_before", blame.passes_before},
          {"options", blame.options},
          {"gone_with", blame.gone_with},
          {"llvm", blame.llvm}};
}

Blame BlameFromJson(const Json& json) {
  Blame blame;
  blame.passes = json.value("passes", std::vector<std::string>{});
  blame.passes_before = json.value("passes_before", 0);
  blame.options = json.value("options", std::vector<std::string>{});
  blame.gone_with = json.value("gone_with", std::vector<std::string>{});
  blame.llvm = json.value("llvm", "");
  return blame;
}

}  // namespace

std::string ToJson(const FindingRecord& record) {
  const Finding& finding = record.finding;
  Json json = {
      {"signature", finding.signature()},
      {"oracle", finding.oracle()},
      {"target", finding.target()},
      {"culprit", finding.culprit()},
      {"shape", finding.shape()},
      {"summary", finding.summary()},
      {"detail", finding.detail()},
      {"count", record.count},
      {"size", record.size},
      {"earlier_cases", record.earlier_cases},
      {"first_seen", record.first_seen},
      {"last_seen", record.last_seen},
      {"versions", record.versions},
      {"reproduced", record.reproduced},
      {"reproducer_verified", record.reproducer_verified},
  };
  json.update(LifeToJson(record.life));
  if (record.blame.has_value()) json["blame"] = BlameToJson(*record.blame);
  // Messages of a compiler may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<FindingRecord> FindingRecordFromJson(const std::string& text) {
  // The library reports by exceptions; they stop here.
  try {
    const Json json = Json::parse(text);
    FindingRecord record;
    record.finding.set_signature(json.at("signature").get<std::string>());
    record.finding.set_oracle(json.at("oracle").get<std::string>());
    record.finding.set_target(json.at("target").get<std::string>());
    record.finding.set_culprit(json.at("culprit").get<std::string>());
    record.finding.set_shape(json.value("shape", ""));
    record.finding.set_summary(json.at("summary").get<std::string>());
    record.finding.set_detail(json.value("detail", ""));
    record.count = json.at("count").get<uint64_t>();
    record.size = json.value("size", uint64_t{0});
    record.earlier_cases = json.value("earlier_cases", uint64_t{0});
    record.first_seen = json.value("first_seen", "");
    record.last_seen = json.value("last_seen", "");
    record.versions = json.value("versions", std::vector<std::string>{});
    record.reproduced = json.value("reproduced", false);
    record.reproducer_verified = json.value("reproducer_verified", false);
    IRATE_ASSIGN_OR_RETURN(record.life, LifeFromJson(json));
    if (json.contains("blame")) record.blame = BlameFromJson(json["blame"]);
    for (const std::string& version : record.versions) {
      record.life.verdicts.try_emplace(version, Verdict{true, record.last_seen});
    }
    return record;
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(fmt::format("not a finding.json: {}", error.what()));
  }
}

}  // namespace irate
