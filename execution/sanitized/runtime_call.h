// Calls of the runtime in emitted code. Internal.
#pragma once

#include <string>

namespace llvm {
class CallBase;
}  // namespace llvm

namespace irate::sanitized {

// The name of the runtime function that is called, by name or through its variable
// ("__TVMBackendParallelLaunch"); "" for any other call.
std::string RuntimeName(const llvm::CallBase& call);

}  // namespace irate::sanitized
