#include "execution/crash_handler.h"

#include <errno.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <new>
#include <optional>

// Present only in a process that is built with AddressSanitizer.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's own name
extern "C" __attribute__((weak)) void __asan_set_error_report_callback(void (*)(const char*));

namespace irate {
namespace {

constexpr size_t kAlternateStackBytes = size_t{256} << 10;
// An access this close to the stack pointer that faults can only have left the stack.
constexpr uint64_t kStackProximity = uint64_t{64} << 10;
constexpr auto kFatalSignals =
    std::to_array<int>({SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS});

SharedPage* g_page = nullptr;
std::atomic_flag g_recording = ATOMIC_FLAG_INIT;

// The interrupted program counter and stack pointer, in place.
struct Registers {
  uint64_t* pc;
  uint64_t* sp;
  bool is_write;
};

Registers InterruptedRegisters(ucontext_t* context) {
#if defined(__x86_64__)
  greg_t* registers = context->uc_mcontext.gregs;
  constexpr greg_t kPageFaultWrite = 2;
  return {reinterpret_cast<uint64_t*>(&registers[REG_RIP]),
          reinterpret_cast<uint64_t*>(&registers[REG_RSP]),
          (registers[REG_ERR] & kPageFaultWrite) != 0};
#elif defined(__aarch64__)
  return {reinterpret_cast<uint64_t*>(&context->uc_mcontext.pc),
          reinterpret_cast<uint64_t*>(&context->uc_mcontext.sp), false};
#else
#error "execution/crash_handler.cc knows the registers of x86-64 and aarch64 only"
#endif
}

// Stores the interrupted `pc` and its callers; without one, all callers of this function. A return
// address is moved into its call. If the unwinder did not get past the signal's frame, `pc` is all.
void RecordAddresses(CrashRecord* record, std::optional<uint64_t> pc) {
  void* stack[CrashRecord::kMaxAddresses + 8];  // the handler's own frames are among them
  void** const end = stack + backtrace(stack, static_cast<int>(std::size(stack)));
  void** frame = stack;
  uint32_t count = 0;
  if (pc.has_value()) {
    record->addresses[count++] = *pc;
    frame = std::find_if(stack, end,
                         [&](void* address) { return reinterpret_cast<uint64_t>(address) == *pc; });
  }
  if (frame != end) ++frame;
  for (; frame != end && count < CrashRecord::kMaxAddresses; ++frame) {
    record->addresses[count++] = reinterpret_cast<uint64_t>(*frame) - 1;
  }
  record->num_addresses.store(count);
}

void RecordInterrupted(CrashRecord* record, CrashRecord::Kind kind, int signal,
                       const siginfo_t* info, ucontext_t* context) {
  const Registers registers = InterruptedRegisters(context);
  record->kind = kind;
  record->signal = signal;
  const uint64_t pc = *registers.pc;
  const uint64_t sp = *registers.sp;
  if ((signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0) {
    record->fault_address = reinterpret_cast<uint64_t>(info->si_addr);
    record->is_write = registers.is_write ? 1 : 0;
    record->stack_overflow = record->fault_address - sp + kStackProximity < 2 * kStackProximity;
  }
  const bool call_to_nowhere = kind == CrashRecord::kSignal && signal == SIGSEGV &&
                               record->fault_address == pc && record->stack_overflow == 0;
#if defined(__x86_64__)
  if (call_to_nowhere) {
    // There is no unwind information at such a place: start where the call was made.
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a register holds the address
    *registers.pc = *reinterpret_cast<const uint64_t*>(sp) - 1;
    *registers.sp = sp + sizeof(uint64_t);
  }
#endif
  RecordAddresses(record, *registers.pc);
  *registers.pc = pc;
  *registers.sp = sp;
  record->call_to_nowhere = call_to_nowhere ? 1 : 0;
  record->complete.store(1);
}

void RecordHere(CrashRecord::Kind kind) {
  if (g_recording.test_and_set()) return;
  g_page->crash.kind = kind;
  RecordAddresses(&g_page->crash, std::nullopt);
  g_page->crash.complete.store(1);
}

}  // namespace

// Not in the anonymous namespace: their names are what Symbolize leaves out of a stack.
namespace crash_handlers {

void OnFatalSignal(int signal, siginfo_t* info, void* context) {
  // Another thread is at it and will end the process.
  while (g_recording.test_and_set()) pause();
  RecordInterrupted(&g_page->crash, CrashRecord::kSignal, signal, info,
                    static_cast<ucontext_t*>(context));
  // Blocked while this handler runs, so it is delivered on return, before the program goes on.
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void OnSampleSignal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  RecordInterrupted(&g_page->sample, CrashRecord::kSample, signal, info,
                    static_cast<ucontext_t*>(context));
  errno = saved_errno;
}

void OnOutOfMemory() {
  RecordHere(CrashRecord::kOutOfMemory);
  _exit(1);
}

void OnSanitizerReport(const char* report) {
  std::strncpy(g_page->sanitizer.text, report, SanitizerRecord::kMaxText - 1);
  RecordHere(CrashRecord::kSanitizer);
}

}  // namespace crash_handlers

namespace {

absl::Status InstallHandler(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  // A fault inside the handler then kills at once instead of recursing.
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, nullptr) != 0) return absl::ErrnoToStatus(errno, "sigaction");
  return absl::OkStatus();
}

}  // namespace

absl::Status InstallCrashHandlers(SharedPage* page) {
  g_page = page;
  g_recording.clear();
  void* memory = mmap(nullptr, kAlternateStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return absl::ErrnoToStatus(errno, "cannot map an alternate stack");
  const stack_t stack{memory, 0, kAlternateStackBytes};
  if (sigaltstack(&stack, nullptr) != 0) return absl::ErrnoToStatus(errno, "sigaltstack");
  // The first call loads the unwinder, which a signal handler must not.
  void* warm_up[4];
  backtrace(warm_up, static_cast<int>(std::size(warm_up)));

  for (int signal : kFatalSignals) {
    if (absl::Status status = InstallHandler(signal, crash_handlers::OnFatalSignal, 0);
        !status.ok())
      return status;
  }
  if (absl::Status status =
          InstallHandler(kSampleSignal, crash_handlers::OnSampleSignal, SA_RESTART);
      !status.ok()) {
    return status;
  }
  std::set_new_handler(crash_handlers::OnOutOfMemory);
  if (__asan_set_error_report_callback != nullptr) {
    __asan_set_error_report_callback(crash_handlers::OnSanitizerReport);
  }
  return absl::OkStatus();
}

}  // namespace irate
