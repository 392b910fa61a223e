#include "triage/stack_text.h"

#include <algorithm>

#include "fmt/format.h"
#include "oracles/normalise.h"

namespace irate {
namespace {

// What AddressSanitizer calls it: SEGV, ABRT, ...; words of ours for what it does not report.
std::string ErrorKind(const Failure& failure) {
  switch (failure.kind()) {
    case Failure::SANITIZER:
      return failure.error_kind().empty() ? "unknown-crash" : failure.error_kind();
    case Failure::SIGNAL: {
      std::string name = SignalName(failure.signal());
      if (name.starts_with("SIG")) name.erase(0, 3);
      return name;
    }
    case Failure::HANG:
      return "hang";
    default:
      return "internal-error";
  }
}

std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string StackText(const Failure& failure) {
  if (failure.frames().empty()) return "";
  const std::string kind = ErrorKind(failure);
  std::string text = fmt::format(
      "==1==ERROR: AddressSanitizer: {} on unknown address 0x000000000000 (pc 0x000000000001 T0)\n",
      kind);
  int index = 0;
  for (const std::string& frame : failure.frames()) {
    const bool unnamed =
        frame.find("+0x") != std::string::npos && frame.find("::") == std::string::npos;
    const std::string name = OneLine(frame);
    text += unnamed ? fmt::format("    #{} {:#014x}  ({})\n", index, index + 1, name)
                    : fmt::format("    #{0} {1:#014x} in {2} (compiler+{1:#x})\n", index, index + 1,
                                  name);
    ++index;
  }
  return text +
         fmt::format("SUMMARY: AddressSanitizer: {} in {}\n", kind, OneLine(failure.frames(0)));
}

}  // namespace irate
