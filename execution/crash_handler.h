// In a worker: writes down where the process is when it gets a fatal signal, runs out of memory, is
// reported by AddressSanitizer, or is asked (kSampleSignal).
//
// The handlers call only what is safe in a signal handler, given that the unwinder was loaded
// before; symbols are found later, by the zygote. The process then dies of the signal as it would
// have without a handler, so that its wait status is true.
#pragma once

#include <signal.h>

#include "absl/status/status.h"
#include "execution/shared_page.h"

namespace irate {

// Makes the worker write SharedPage::sample and go on.
inline constexpr int kSampleSignal = SIGUSR2;

// To be called after the compiler was loaded (some install handlers of their own) and on the
// thread that runs it: only that thread gets an alternate stack, so a stack overflow on another one
// is reported without frames. `page` must outlive the process.
absl::Status InstallCrashHandlers(SharedPage* page);

}  // namespace irate
