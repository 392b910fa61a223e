// irate-worker-asan: irate-worker with AddressSanitizer's runtime, on whose allocator the compiler
// then runs, and with the sanitizer of tier 2 for the code that it generates (docs/sanitizers.md).
#include "execution/sanitized/case_sanitizer.h"
#include "tools/worker_main.h"

// What a run of it needs, without an environment variable; ASAN_OPTIONS goes on top.
//  * protobuf, absl and the compiler are not instrumented: containers that they fill look
//    overflowed, and memory may be allocated on one side and freed by the other's operator.
//  * Generated code has a quarantine of its own (execution/contract); the compiler's allocations
//    are many: no stacks, no filling, a small quarantine.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's own name
extern "C" const char* __asan_default_options() {
  return "detect_container_overflow=0:alloc_dealloc_mismatch=0:detect_odr_violation=0:"
         "detect_leaks=0:malloc_context_size=0:quarantine_size_mb=4:thread_local_quarantine_size_"
         "kb=64:"
         "max_malloc_fill_size=0:allow_user_segv_handler=1:allocator_may_return_null=1";
}

int main(int argc, char** argv) {
  irate::ProcessSanitizer() = irate::sanitized::MakeCaseSanitizer().release();
  return irate::RunWorkerMain(argc, argv);
}
