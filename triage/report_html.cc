#include <map>
#include <string>

#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "triage/escape.h"
#include "triage/line_diff.h"
#include "triage/report_formats.h"
#include "triage/report_style.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

std::string E(std::string_view text) { return EscapeMarkup(text); }

std::string Section(std::string_view title, const std::string& content) {
  return content.empty() ? "" : fmt::format("<h3>{}</h3>\n{}\n", title, content);
}

std::string Pre(std::string_view text) {
  return text.empty() ? "" : fmt::format("<pre>{}</pre>", E(text));
}

// Long texts that most readers do not need.
std::string Folded(std::string_view title, std::string_view text) {
  if (text.empty()) return "";
  return fmt::format("<details class=\"inner\"><summary>{}</summary>{}</details>\n", title,
                     Pre(text));
}

std::string Diff(const ReportBucket& bucket) {
  if (bucket.before.empty() || bucket.after.empty()) return "";
  std::string lines;
  for (const DiffLine& line : DiffLines(bucket.before, bucket.after)) {
    const char* kind = line.kind == '+'   ? " class=\"add\""
                       : line.kind == '-' ? " class=\"del\""
                                          : "";
    lines += fmt::format("<span{}>{} {}</span>", kind, line.kind, E(line.text));
  }
  return fmt::format("<pre class=\"diff\">{}</pre>", lines);
}

std::string Grid(const Json& values, const Json& wrong, size_t columns, std::string_view title) {
  std::string cells = "<tr>";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0 && i % columns == 0) cells += "</tr><tr>";
    const bool is_wrong = i < wrong.size() && wrong[i].is_boolean() && wrong[i].get<bool>();
    cells +=
        fmt::format("<td{}>{}</td>", is_wrong ? " class=\"wrong\"" : "",
                    E(values[i].is_string() ? values[i].get<std::string>() : values[i].dump()));
  }
  return fmt::format("<div><div class=\"soft\">{}</div><table class=\"grid\">{}</tr></table></div>",
                     title, cells);
}

// Expected against actual, differing elements marked. A file that is damaged is left out.
std::string Tensors(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return "";
  std::string result;
  for (const Json& tensor : json) {
    const auto holds_array = [&tensor](const char* key) {
      return tensor.contains(key) && tensor[key].is_array();
    };
    if (!tensor.is_object() || !holds_array("expected") || !holds_array("actual")) continue;
    const Json columns = tensor.value("columns", Json(8));
    const size_t width =
        columns.is_number_unsigned() ? std::max<size_t>(1, columns.get<size_t>()) : 8;
    const Json wrong = holds_array("wrong") ? tensor["wrong"] : Json::array();
    const Json name = tensor.value("name", Json(""));
    result += fmt::format("<div class=\"soft\">{}</div><div class=\"grids\">{}{}</div>",
                          E(name.is_string() ? name.get<std::string>() : ""),
                          Grid(tensor["expected"], wrong, width, "expected"),
                          Grid(tensor["actual"], wrong, width, "actual"));
  }
  return result;
}

std::string Versions(const BucketLife& life) {
  std::string chips;
  for (const auto& [version, verdict] : life.verdicts) {
    chips += fmt::format("<span class=\"chip {}\" title=\"{}\">{} {}</span>",
                         verdict.fails ? "bad" : "good", E(verdict.time), E(version),
                         verdict.fails ? "fails" : "passes");
  }
  return chips;
}

template <typename Strings>
std::string CodeList(const Strings& strings) {
  std::string result;
  for (const std::string& text : strings) {
    result += fmt::format("{}<code>{}</code>", result.empty() ? "" : ", ", E(text));
  }
  return result;
}

std::string Facts(const ReportBucket& bucket) {
  const FindingRecord& record = bucket.record;
  std::string rows;
  const auto add = [&rows](std::string_view name, const std::string& html) {
    if (!html.empty()) rows += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
  };
  add("Problem", E(bucket.problem));
  add("Culprit", fmt::format("<code>{}</code>", E(record.finding.culprit())));
  add("Oracle", E(record.finding.oracle()));
  add("Target", E(record.finding.target()));
  add("Versions", Versions(record.life));
  add("Muted", E(record.life.mute_reason));
  if (record.blame.has_value()) {
    add("Passes needed", fmt::format("{} <span class=\"soft\">of {}</span>",
                                     CodeList(record.blame->passes), record.blame->passes_before));
    add("Options needed", CodeList(record.blame->options));
    add("Gone with", CodeList(record.blame->gone_with));
    add("LLVM", E(record.blame->llvm));
  }
  add("Seen",
      fmt::format("{} times, {} to {}", record.count, E(record.first_seen), E(record.last_seen)));
  std::string history;
  for (const BucketEvent& event : record.life.history) {
    history += fmt::format("{} {} {}<br>", E(event.time), E(event.what), E(event.detail));
  }
  add("History", history);
  add("Reproducer", bucket.reproducer.empty()    ? "none could be written; see the log"
                    : record.reproducer_verified ? "ran and exited 1: it shows the bug"
                                                 : "did not show the bug when it was run");
  add("Folder", fmt::format("<code>{}</code>", E(bucket.path)));
  return fmt::format("<dl>{}</dl>", rows);
}

std::string Bug(const ReportBucket& bucket) {
  const FindingRecord& record = bucket.record;
  const std::string state(BucketStateName(record.life.state));
  const std::string& signature = record.finding.signature();
  return fmt::format(
      "<details class=\"bug\" id=\"{0}\" data-state=\"{1}\" data-text=\"{0} {2}\">\n"
      "<summary><div class=\"row\"><span class=\"badge {1}\">{1}</span>"
      "<span class=\"what\">{2}<small>{3}</small></span><span class=\"num\">{4}</span>"
      "<span>{5}</span><span class=\"num size\">{6}</span></div></summary>\n"
      "<div class=\"body\">\n{7}{8}{9}{10}{11}{12}{13}{14}{15}</div></details>\n",
      E(signature), state, E(Headline(record)), E(signature), record.count,
      E(FailingRange(record.life)), record.size, Facts(bucket),
      Section("What differs", Pre(record.finding.detail())),
      Section("Expected and actual", Tensors(bucket.tensors)),
      Section("Reproducer", Pre(bucket.reproducer)),
      Section("The module before and after the culprit", Diff(bucket)),
      Section("Note", Pre(bucket.note)), Section("Stack", Pre(bucket.stack)),
      Folded("Case", bucket.case_text), Folded("Log", bucket.log));
}

std::string Tiles(const Report& report) {
  std::map<BucketState, int> counts;
  uint64_t sightings = 0;
  for (const ReportBucket& bucket : report.buckets) {
    ++counts[bucket.record.life.state];
    sightings += bucket.record.count;
  }
  std::string tiles = fmt::format("<div class=\"tile\"><b>{}</b>bugs</div>", report.buckets.size());
  for (const BucketState state : {BucketState::kRegressed, BucketState::kNew, BucketState::kKnown,
                                  BucketState::kMuted, BucketState::kFixed}) {
    if (counts[state] == 0) continue;
    tiles += fmt::format("<div class=\"tile {0}\"><b>{1}</b>{0}</div>", BucketStateName(state),
                         counts[state]);
  }
  return fmt::format("{}<div class=\"tile\"><b>{}</b>sightings</div>", tiles, sightings);
}

}  // namespace

std::string ReportHtml(const Report& report) {
  std::string bugs;
  for (const ReportBucket& bucket : report.buckets) bugs += Bug(bucket);
  const std::string table =
      report.buckets.empty()
          ? "<div class=\"none\">No findings.</div>"
          : fmt::format(
                "<div class=\"filters\" hidden><input id=\"text\" type=\"search\" "
                "placeholder=\"Filter by words\" aria-label=\"Filter by words\">"
                "<select id=\"state\" aria-label=\"State\"><option value=\"\">All states</option>"
                "<option value=\"new regressed\">New and regressed</option><option>new</option>"
                "<option>regressed</option><option>known</option><option>muted</option>"
                "<option>fixed</option></select></div>\n"
                "<div class=\"row head\"><span>state</span><span>what</span>"
                "<span class=\"num\">seen</span><span>versions</span>"
                "<span class=\"num\">size</span></div>\n{}"
                "<div class=\"none\" id=\"nothing\" hidden>Nothing fits the filter.</div>",
                bugs);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n"
      "<div class=\"soft\">irate, {2}</div>\n<div class=\"tiles\">{3}</div>\n{4}\n</main>\n"
      "<script>{5}</script></body></html>\n",
      E(report.title), kReportStyle, E(report.generated), Tiles(report), table, kReportScript);
}

}  // namespace irate
