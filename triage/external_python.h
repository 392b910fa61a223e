// External functions (ir/external.h) for a Python reproducer, which has no irate to bring them.
#pragma once

#include <string>
#include <string_view>

namespace irate {

// Definitions, registered with TVM, of those that `script` calls; empty if it calls none. They use
// numpy as np, ctypes and tvm.
std::string ExternalFunctionsInPython(std::string_view script);

}  // namespace irate
