#include "execution/death.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>

#include "execution/printable.h"
#include "fmt/format.h"

namespace irate {
namespace {

constexpr size_t kKeptLogBytes = 4096;
constexpr int kQuotedLines = 3;
// Nothing is ever mapped below this address, so an access there is one through a null pointer.
constexpr uint64_t kNullPageBytes = 65536;
// Signals that a program gets from others and does not cause itself.
constexpr auto kOutsideSignals = std::to_array<int>({SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT});

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

// What a process that ends itself usually prints the reason with.
std::string LastLines(std::string_view log) {
  const size_t end = log.find_last_not_of("\n\t ");
  if (end == std::string_view::npos) return "";
  log = log.substr(0, end + 1);
  size_t start = log.size();
  for (int line = 0; line < kQuotedLines && start != 0; ++line) {
    start = log.rfind('\n', start - 1);
    if (start == std::string_view::npos) start = 0;
  }
  return std::string(log.substr(start == 0 ? 0 : start + 1));
}

std::string DescribeSignal(const CrashRecord& crash, int signal, std::string_view log) {
  const std::string name = SignalName(signal);
  if (crash.stack_overflow != 0) return name + ": stack overflow";
  if (crash.call_to_nowhere != 0) {
    return name + (crash.fault_address == 0 ? ": call of a null function pointer"
                                            : ": jump to an address that holds no code");
  }
  if (crash.kind == CrashRecord::kSignal && (signal == SIGSEGV || signal == SIGBUS)) {
    const char* access = crash.is_write != 0 ? "write to" : "read of";
    if (crash.fault_address == 0) return fmt::format("{}: {} a null pointer", name, access);
    if (crash.fault_address < kNullPageBytes) {
      return fmt::format("{}: {} a null pointer plus {}", name, access, crash.fault_address);
    }
    return fmt::format("{}: {} an invalid address", name, access);
  }
  const std::string lines = LastLines(log);
  return lines.empty() ? name : fmt::format("{}: {}", name, lines);
}

// "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x..." and, further down,
// "READ of size 4 at ...".
void DescribeReport(std::string_view report, Failure* failure) {
  constexpr std::string_view kMark = "AddressSanitizer: ";
  const size_t mark = report.find(kMark);
  std::string_view kind =
      mark == std::string_view::npos ? report : report.substr(mark + kMark.size());
  kind = kind.substr(0, kind.find_first_of(" \n"));
  failure->set_error_kind(std::string(kind));
  std::string message = fmt::format("{}{}", kMark, kind);
  for (std::string_view access : {"READ of size ", "WRITE of size "}) {
    const size_t start = report.find(access);
    if (start == std::string_view::npos) continue;
    const size_t end = report.find_first_of(" \n", start + access.size());
    message += fmt::format(", {}", report.substr(start, end - start));
    break;
  }
  failure->set_message(message);
}

void DescribeWaitStatus(int status, const SharedPage& page, Failure* failure) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    failure->set_signal(signal);
    failure->set_kind(Failure::SIGNAL);
    failure->set_message(DescribeSignal(page.crash, signal, failure->log()));
    if (std::ranges::find(kOutsideSignals, signal) != kOutsideSignals.end()) {
      failure->set_kind(Failure::HARNESS);
      failure->set_message(
          fmt::format("the worker was killed from outside by {}{}", SignalName(signal),
                      signal == SIGKILL ? "; if nobody did, the machine ran out of memory" : ""));
    }
    return;
  }
  failure->set_kind(Failure::INTERNAL_ERROR);
  failure->set_error_kind("Exit");
  const std::string lines = LastLines(failure->log());
  failure->set_message(fmt::format("the process called exit({}){}{}", WEXITSTATUS(status),
                                   lines.empty() ? "" : ": ", lines));
}

}  // namespace

void SetPlace(const Progress& progress, Failure* failure) {
  const int stage = progress.stage.load();
  failure->set_stage(Stage_IsValid(stage) ? static_cast<Stage>(stage) : STAGE_NONE);
  failure->set_step(-1);
  const bool has_step = failure->stage() == STAGE_PASS || failure->stage() == STAGE_LIFT ||
                        failure->stage() == STAGE_SCHEDULE;
  if (has_step) {
    failure->set_step(progress.step.load());
    failure->set_pass(std::string(progress.pass, strnlen(progress.pass, sizeof(progress.pass))));
  }
}

Failure DescribeDeath(const Death& death, const SharedPage& page) {
  Failure failure;
  SetPlace(page.progress, &failure);
  for (const std::string& frame : death.frames) failure.add_frames(frame);
  std::string_view tail = death.log;
  if (tail.size() > kKeptLogBytes) tail.remove_prefix(tail.size() - kKeptLogBytes);
  failure.set_log(Printable(tail));
  const std::string& log = failure.log();

  const SanitizerRecord& sanitizer = page.sanitizer;
  if (sanitizer.text[0] != '\0') {
    failure.set_kind(Failure::SANITIZER);
    DescribeReport({sanitizer.text, strnlen(sanitizer.text, SanitizerRecord::kMaxText)}, &failure);
  } else if (page.crash.kind == CrashRecord::kOutOfMemory) {
    failure.set_kind(Failure::OUT_OF_MEMORY);
    failure.set_message("an allocation was refused: the process reached its memory limit");
  } else if (absl::IsResourceExhausted(death.cause)) {
    failure.set_kind(Failure::OUT_OF_MEMORY);
    failure.set_message(std::string(death.cause.message()));
  } else if (page.crash.kind == CrashRecord::kSignal) {
    // Also where the handler itself got stuck and the deadline ended it.
    failure.set_kind(Failure::SIGNAL);
    failure.set_signal(page.crash.signal);
    failure.set_message(DescribeSignal(page.crash, page.crash.signal, log));
  } else if (absl::IsDeadlineExceeded(death.cause)) {
    failure.set_kind(Failure::HANG);
    failure.set_message(std::string(death.cause.message()));
  } else if (death.wait_status.has_value() && !death.killed_by_us) {
    DescribeWaitStatus(*death.wait_status, page, &failure);
  } else {
    failure.set_kind(Failure::HARNESS);
    failure.set_message(fmt::format("the worker is lost: {}", std::string(death.cause.message())));
  }
  return failure;
}

}  // namespace irate
