// The style sheet and the script of the HTML report.
#pragma once

namespace irate {

extern const char kReportStyle[];
extern const char kReportScript[];

}  // namespace irate
