#include "tools/status_line.h"

#include <unistd.h>

#include <cstdio>

#include "fmt/format.h"

namespace irate {
namespace {
constexpr std::chrono::milliseconds kRedraw{200};
constexpr std::chrono::seconds kPlainLine{10};
}  // namespace

StatusLine::StatusLine()
    : is_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now()) {
  if (!is_terminal_) next_ += kPlainLine;
}

void StatusLine::Show(const std::function<std::string()>& text) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? std::chrono::milliseconds(kRedraw) : kPlainLine);
  fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r\x1b[K" : "", text(), is_terminal_ ? "" : "\n");
  drawn_ = is_terminal_;
  std::fflush(stderr);
}

void StatusLine::Finish() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace irate
