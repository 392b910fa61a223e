#include "execution/symbolizer.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "fmt/format.h"

namespace irate {
namespace {

// What stands between a fault and the signal or report that tells of it.
constexpr auto kRaisers = std::to_array<std::string_view>(
    {"abort",        "raise",          "gsignal",
     "pthread_kill", "__assert_fail",  "__assert",
     "__cxa_throw",  "__cxa_rethrow",  "__cxa_pure_virtual",
     "operator new", "std::terminate", "__gnu_cxx::__verbose_terminate_handler",
     "std::__throw", "__asan",         "__sanitizer",
     "__ubsan",      "__interceptor",  "irate::crash_handlers::",
     "libc.so.6+",   "libstdc++.so.6+"});
// The frame below everything that a request does (execution/worker_server.cc).
constexpr std::string_view kRequestLoop = "irate::ServeRequests(";

bool IsRaiser(std::string_view frame) {
  return std::ranges::any_of(kRaisers,
                             [&](std::string_view name) { return frame.starts_with(name); });
}

std::string Demangle(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 && name != nullptr ? CollapseParameters(name.get()) : symbol;
}

std::string Frame(uint64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a code address of a stack
  void* const pointer = reinterpret_cast<void*>(address);
  Dl_info info{};
  if (dladdr(pointer, &info) == 0 || info.dli_fname == nullptr) return "<generated code>";
  if (info.dli_sname != nullptr) return Demangle(info.dli_sname);
  const std::string_view path = info.dli_fname;
  // For a hand-written piece of code without unwind information this is null.
  const void* start = _Unwind_FindEnclosingFunction(pointer);
  const uint64_t place = start != nullptr ? reinterpret_cast<uint64_t>(start) : address;
  return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1),
                     place - reinterpret_cast<uint64_t>(info.dli_fbase));
}

// The position after the parenthesis that closes the one at `open`.
size_t AfterGroup(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return text.size();
}

}  // namespace

std::string CollapseParameters(std::string_view demangled) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  constexpr std::string_view kCallOperator = "operator()";
  std::string result;
  for (size_t i = 0; i < demangled.size();) {
    const std::string_view rest = demangled.substr(i);
    if (rest.starts_with(kAnonymous) || rest.starts_with(kCallOperator)) {
      const size_t size = rest.starts_with(kAnonymous) ? kAnonymous.size() : kCallOperator.size();
      result += rest.substr(0, size);
      i += size;
    } else if (rest.front() == '(') {
      result += "(...)";
      i = AfterGroup(demangled, i);
    } else {
      result.push_back(rest.front());
      ++i;
    }
  }
  return result;
}

std::vector<std::string> Symbolize(std::span<const uint64_t> addresses) {
  std::vector<std::string> frames;
  frames.reserve(addresses.size());
  for (uint64_t address : addresses) {
    std::string frame = Frame(address);
    if (frame.starts_with(kRequestLoop)) break;
    if (frames.empty() && IsRaiser(frame)) continue;
    if (!frames.empty() && frames.back() == frame) continue;
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace irate
