#include "fmt/format.h"
#include "triage/escape.h"
#include "triage/report_formats.h"

namespace irate {
namespace {

std::string Verdicts(const BucketLife& life) {
  std::string text;
  for (const auto& [version, verdict] : life.verdicts) {
    text += fmt::format("- {} {}\n", version, verdict.fails ? "shows the bug" : "does not show it");
  }
  return text.empty() ? "- unknown\n" : text;
}

// The sections of TVM's .github/ISSUE_TEMPLATE/bug-report.md.
std::string Issue(const ReportBucket& bucket) {
  const FindingRecord& record = bucket.record;
  const Finding& finding = record.finding;
  std::string text = fmt::format("## [Bug] {}\n\n", MarkdownLine(Headline(record)));
  text += fmt::format("### Expected behavior\n\n{}\n\n",
                      finding.oracle().ends_with("mismatch")
                          ? "The program computes the same before and after compilation; the "
                            "reproducer holds the expected values."
                          : "The program is valid and in bounds; it compiles and runs.");
  text += fmt::format(
      "### Actual behavior\n\n{}\n",
      MarkdownCode("", finding.detail().empty() ? finding.summary() : finding.detail()));
  text += fmt::format("### Environment\n\nTarget {}, versions of the wheel:\n\n{}\n",
                      finding.target(), Verdicts(record.life));
  text += "### Steps to reproduce\n\n";
  if (bucket.reproducer.empty()) {
    text += fmt::format("`irate run {}/case.irate`\n\n", bucket.path);
  } else {
    text += "Exits 1 while the bug is there, 0 if it is fixed:\n\n" +
            MarkdownCode("python", bucket.reproducer) + "\n";
  }
  text += fmt::format("### Triage\n\n- culprit: `{}`\n", finding.culprit());
  if (record.blame.has_value()) {
    text += fmt::format("- passes needed: {}\n", fmt::join(record.blame->passes, ", "));
    if (!record.blame->options.empty()) {
      text += fmt::format("- options needed: {}\n", fmt::join(record.blame->options, ", "));
    }
    if (!record.blame->llvm.empty()) text += fmt::format("- LLVM: {}\n", record.blame->llvm);
  }
  if (!bucket.stack.empty()) text += "\n" + MarkdownCode("", bucket.stack);
  return text + fmt::format("- signature: `{}`\n\n", finding.signature());
}

}  // namespace

std::string ReportMarkdown(const Report& report) {
  std::string text = fmt::format("# {}\n\n{} bugs, {} of them new or regressed; {}.\n\n",
                                 MarkdownLine(report.title), report.buckets.size(),
                                 OpenBuckets(report), report.generated);
  if (report.buckets.empty()) return text;
  text += "| state | what | seen | versions |\n|---|---|---|---|\n";
  for (const ReportBucket& bucket : report.buckets) {
    text += fmt::format("| {} | {} | {} | {} |\n", BucketStateName(bucket.record.life.state),
                        MarkdownLine(Headline(bucket.record)), bucket.record.count,
                        FailingRange(bucket.record.life));
  }
  text += "\n";
  for (const ReportBucket& bucket : report.buckets) text += Issue(bucket);
  return text;
}

}  // namespace irate
