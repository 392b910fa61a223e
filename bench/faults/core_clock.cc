#include "bench/faults/core_clock.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "fmt/format.h"

namespace irate {
namespace {

double Wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// User and system time of the process and of its reaped children, in clock ticks; -1: not known.
double OwnTicks(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return -1;
  // The name, in parentheses, may hold anything; the fields behind it are numbers.
  const size_t end = text.rfind(')');
  if (end == std::string::npos) return -1;
  std::istringstream fields(text.substr(end + 1));
  std::string field;
  double ticks = 0;
  for (int number = 3; number <= 17 && fields >> field; ++number) {
    if (number >= 14) ticks += std::stod(field);
  }
  return ticks;
}

double TreeTicks(pid_t pid, int depth) {
  constexpr int kMaxDepth = 8;
  double ticks = OwnTicks(pid);
  if (ticks < 0 || depth > kMaxDepth) return ticks;
  std::ifstream children(fmt::format("/proc/{}/task/{}/children", pid, pid));
  pid_t child = 0;
  while (children >> child) {
    if (const double below = TreeTicks(child, depth + 1); below > 0) ticks += below;
  }
  return ticks;
}

double Cpu() {
  const double ticks = TreeTicks(getpid(), 0);
  return ticks < 0 ? -1 : ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

CoreClock::CoreClock() : cpu_start_(Cpu()), wall_start_(Wall()) {}

double CoreClock::Seconds() const {
  const double now = Cpu();
  return now < 0 || cpu_start_ < 0 ? WallSeconds() : now - cpu_start_;
}

double CoreClock::WallSeconds() const { return Wall() - wall_start_; }

}  // namespace irate
