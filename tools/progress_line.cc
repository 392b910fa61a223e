#include "tools/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "fmt/format.h"

namespace irate {
namespace {
constexpr std::chrono::milliseconds kRedraw{200};
constexpr std::chrono::seconds kPlainLine{10};
}  // namespace

std::string ProgressText(const FuzzSummary& summary) {
  const double rate =
      summary.seconds > 0 ? static_cast<double>(summary.cases) / summary.seconds : 0;
  std::string text =
      fmt::format("{:.0f} s  {} cases  {:.1f}/s  {} dropped  {} findings", summary.seconds,
                  summary.cases, rate, summary.dropped_undefined, summary.NewFindings());
  const uint64_t known = summary.findings.size() - summary.NewFindings();
  if (known != 0) text += fmt::format(" ({} known)", known);
  if (summary.harness_faults != 0)
    text += fmt::format("  {} harness faults", summary.harness_faults);
  return text;
}

ProgressLine::ProgressLine()
    : is_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now()) {
  if (!is_terminal_) next_ += kPlainLine;
}

void ProgressLine::Show(const FuzzSummary& summary) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = is_terminal_ ? now + kRedraw : next_ + kPlainLine;
  if (is_terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", ProgressText(summary));
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}\n", ProgressText(summary));
  }
  std::fflush(stderr);
}

void ProgressLine::Finish() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace irate
