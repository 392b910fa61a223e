// Running code that may fault, in this process, and living on.
//
// A fatal signal inside RunGuarded ends it by a jump: frames in between are not unwound, so nothing
// that owns a lock or memory may stand between the guard and generated code. The signal handlers
// are in place only while a guard is active, in front of whatever a library has installed.
#pragma once

#include <cstdint>
#include <functional>

namespace irate::sanitized {

struct GuardOutcome {
  bool completed = false;
  int signal = 0;         // 0 if Abandon ended it
  uintptr_t address = 0;  // that was accessed, for SIGSEGV and SIGBUS
  uintptr_t pc = 0;
  bool is_write = false;
  // The processor refused the address itself (not canonical); `address` is then unknown.
  bool address_unknown = false;
};

// Guards nest, per thread.
GuardOutcome RunGuarded(const std::function<void()>& body);

// Ends the innermost guard of this thread. Not to be called outside of one.
[[noreturn]] void Abandon();
bool InsideGuard();

}  // namespace irate::sanitized
