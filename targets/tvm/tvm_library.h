// Loading TVM into this process.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace irate::tvm_target {

// Opens libtvm_compiler.so: the one that the environment variable IRATE_TVM_LIBRARY names, else the
// one of the wheel that libtvm_ffi.so belongs to. Before that
//
//  * sets TVM_NUM_THREADS=2, TVM_THREAD_POOL_SPIN_COUNT=0 and TVM_BIND_THREADS=0 unless the
//    environment has them: generated code must not spin on cores that others need;
//  * takes back the SIGSEGV handler that libtvm_ffi installs when it is loaded: it prints a
//    backtrace, which hides the report of whoever watches this process.
//
// Reads TVM's symbols (0.2 s), so that a process that is forked from this one finds them read when
// an error is thrown. Starts no thread: TVM's pool starts with the first parallel loop that runs.
// Later calls do nothing.
absl::Status LoadLibrary();

// The wheel's version, "0.27.0.post1"; "unknown" if the library is of no wheel.
std::string LibraryVersion();

}  // namespace irate::tvm_target
