// A report in the formats that people and programs read. All program text is escaped.
#pragma once

#include <string>

#include "triage/report_data.h"

namespace irate {

// One self-contained page: nothing is fetched, so it can be opened from a file or sent. A table
// with a row per bug, filters, and all that is known of each.
std::string ReportHtml(const Report& report);
// A table, then for each bug the text of an issue in the form that TVM's bug template asks for:
// expected behaviour, actual behaviour, environment, steps to reproduce, triage.
std::string ReportMarkdown(const Report& report);
// SARIF 2.1.0, one result per bug that is new, known or regressed; muted and fixed ones are
// suppressed results.
std::string ReportSarif(const Report& report);
// JUnit XML, one test case per bug: new and regressed ones are failures, muted and known ones are
// skipped, fixed ones pass.
std::string ReportJunit(const Report& report);

}  // namespace irate
