// What the tests of workers share: options, small Cases, and a look at the machine's processes.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "execution/worker_client.h"
#include "ir/irate.pb.h"

namespace irate {

// The selftest target in the worker of this build, with limits fit for tests.
WorkerOptions SelftestOptions();

// B[i] = A[i] + 3 for i in [0, extent), buffers of 16 i32; a parallel loop, so that each pass of
// the selftest target but the first changes it.
Case SmallCase(int extent = 16);
// A spec of the selftest target with these options (targets/selftest/faults.h).
TargetSpec SelftestSpec(const std::string& options = "");
std::string FaultOptions(const std::string& fault, const std::string& stage = "run");
PassSequence SelftestPasses();

struct ProcessInfo {
  pid_t pid = 0;
  char state = 0;  // 'Z' for one that has ended and was not waited for
};
// Children of `pid`, their children, and so on.
std::vector<ProcessInfo> Descendants(pid_t pid);
bool IsRunning(pid_t pid);
int OpenFileCount();

}  // namespace irate
