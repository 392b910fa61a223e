#include "execution/sanitized/fault_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <iterator>
#include <mutex>

namespace irate::sanitized {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr size_t kSignalStack = size_t{128} << 10;

struct Frame {
  sigjmp_buf jump;
  GuardOutcome outcome;
  Frame* outer = nullptr;
};

thread_local Frame* top = nullptr;

struct sigaction previous[std::size(kSignals)];
std::mutex handlers_mutex;
int guards_active = 0;

// A stack overflow is a fault as well: the handler needs a stack of its own.
class SignalStack {
 public:
  SignalStack() {
    stack_t current = {};
    sigaltstack(nullptr, &current);
    if ((current.ss_flags & SS_DISABLE) == 0) return;
    memory_ =
        mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      memory_ = nullptr;
      return;
    }
    stack_t own = {};
    own.ss_sp = memory_;
    own.ss_size = kSignalStack;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (memory_ == nullptr) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, kSignalStack);
  }

 private:
  void* memory_ = nullptr;
};

void HandleSignal(int signal, siginfo_t* info, void* context) {
  if (top == nullptr) {
    // Not ours: as if this handler had never been there.
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      if (kSignals[i] == signal) sigaction(signal, &previous[i], nullptr);
    }
    return;
  }
  GuardOutcome& outcome = top->outcome;
  outcome.signal = signal;
#if defined(__x86_64__)
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  outcome.pc = static_cast<uintptr_t>(registers[REG_RIP]);
  if (signal == SIGSEGV || signal == SIGBUS) {
    outcome.is_write = (registers[REG_ERR] & 2) != 0;
  }
#else
  (void)context;
#endif
  if (signal == SIGSEGV || signal == SIGBUS) {
    outcome.address = reinterpret_cast<uintptr_t>(info->si_addr);
    outcome.address_unknown = info->si_code == SI_KERNEL;
  }
  siglongjmp(top->jump, 1);
}

void InstallHandlers() {
  std::lock_guard lock(handlers_mutex);
  if (guards_active++ > 0) return;
  struct sigaction action = {};
  action.sa_sigaction = HandleSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &previous[i]);
}

void RemoveHandlers() {
  std::lock_guard lock(handlers_mutex);
  if (--guards_active > 0) return;
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &previous[i], nullptr);
}

}  // namespace

GuardOutcome RunGuarded(const std::function<void()>& body) {
  thread_local SignalStack stack;
  InstallHandlers();
  Frame frame;
  frame.outer = top;
  top = &frame;
  if (sigsetjmp(frame.jump, 1) == 0) {
    body();
    frame.outcome.completed = true;
  }
  top = frame.outer;
  RemoveHandlers();
  return frame.outcome;
}

void Abandon() {
  if (top == nullptr) std::abort();
  siglongjmp(top->jump, 1);
}

bool InsideGuard() { return top != nullptr; }

}  // namespace irate::sanitized
