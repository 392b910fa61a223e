// irate report: a findings folder as a page, an issue text, or what CI systems read.
#include <memory>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "tools/command.h"
#include "triage/files.h"
#include "triage/report_formats.h"

namespace irate {
namespace {

struct ReportArguments {
  std::string findings = "findings";
  std::string title;
  std::string html;
  std::string markdown;
  std::string sarif;
  std::string junit;
};

absl::StatusOr<int> RunReport(ReportArguments arguments) {
  if (arguments.title.empty()) arguments.title = fmt::format("Findings in {}", arguments.findings);
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(arguments.findings));
  IRATE_ASSIGN_OR_RETURN(const Report report, LoadReport(store, arguments.title, UtcNow()));
  const auto write = [](const std::string& path, const std::string& text) -> absl::Status {
    return path.empty() ? absl::OkStatus() : WriteOutput(path, text);
  };
  const bool nothing_asked = arguments.html.empty() && arguments.markdown.empty() &&
                             arguments.sarif.empty() && arguments.junit.empty();
  if (nothing_asked) arguments.markdown = "-";
  IRATE_RETURN_IF_ERROR(write(arguments.html, ReportHtml(report)));
  IRATE_RETURN_IF_ERROR(write(arguments.markdown, ReportMarkdown(report)));
  IRATE_RETURN_IF_ERROR(write(arguments.sarif, ReportSarif(report)));
  IRATE_RETURN_IF_ERROR(write(arguments.junit, ReportJunit(report)));
  return OpenBuckets(report) == 0 ? kExitOk : kExitFindings;
}

}  // namespace

void AddReportCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app->add_subcommand(
      "report", "Write a findings folder as HTML, Markdown, SARIF or JUnit XML");
  command->add_option("findings", arguments->findings, "Folder of findings")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
  command->add_option("--title", arguments->title, "Heading");
  command->add_option("--html", arguments->html, "File for one self-contained page; - : stdout");
  command->add_option("--markdown", arguments->markdown,
                      "File for a table and an issue text per bug; - : stdout. The default");
  command->add_option("--sarif", arguments->sarif, "File for SARIF 2.1.0; - : stdout");
  command->add_option("--junit", arguments->junit, "File for JUnit XML; - : stdout");
  command->footer(
      "Exit codes: 0 nothing is new or regressed, 1 something is, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunReport(*arguments)); });
}

}  // namespace irate
