// Waiting for a child process with a time limit, which waitpid does not offer.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace irate {

// True as soon as the child has ended, false if it has not after `time`. Does not reap it.
bool WaitForEnd(pid_t child, std::chrono::milliseconds time);

}  // namespace irate
