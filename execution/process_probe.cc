#include "execution/process_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "fmt/format.h"

namespace irate {
namespace {

UniqueFd OpenProc(pid_t pid, const char* name) {
  return UniqueFd(open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC));
}

// The first three numbers of a file; 0 where there is none.
std::array<uint64_t, 3> ReadNumbers(const UniqueFd& fd) {
  std::array<uint64_t, 3> numbers{};
  char text[128];
  const ssize_t size = pread(fd.get(), text, sizeof(text) - 1, 0);
  if (size <= 0) return numbers;
  text[size] = '\0';
  char* next = text;
  for (uint64_t& number : numbers) number = std::strtoull(next, &next, 10);
  return numbers;
}

}  // namespace

ProcessProbe::ProcessProbe(pid_t pid)
    : statm_(OpenProc(pid, "statm")), schedstat_(OpenProc(pid, "schedstat")) {}

uint64_t ProcessProbe::AnonymousBytes() const {
  const auto [total, resident, shared] = ReadNumbers(statm_);  // in pages
  static const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return resident < shared ? 0 : (resident - shared) * page_bytes;
}

std::chrono::nanoseconds ProcessProbe::Running() const {
  const auto [running, waiting, slices] = ReadNumbers(schedstat_);
  return std::chrono::nanoseconds(running);
}

std::chrono::nanoseconds ProcessProbe::Starved() const {
  const auto [running, waiting, slices] = ReadNumbers(schedstat_);
  return std::chrono::nanoseconds(waiting);
}

}  // namespace irate
