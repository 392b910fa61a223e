// The libFuzzer binary for TVM's passes and code generation: build/bin/tvm_passes. All that it does
// is in fuzzers/libfuzzer_target.h.
#include <cstddef>
#include <cstdint>

#include "fuzzers/libfuzzer_main.h"

// libFuzzer finds these by their section: one for each feature of a run, modulo their number.
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[1 << 16];

// libFuzzer looks for the hooks of a sanitizer's runtime. Ours is the harness, which reports for
// the compiler under test as a sanitizer does for the process.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) {
  irate::SetDeathCallback(callback);
}
// One thread reports, and the stack of this process says nothing about the compiler's.
extern "C" int __sanitizer_acquire_crash_state() { return 1; }
extern "C" void __sanitizer_print_stack_trace() {}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  return irate::InitializeFuzzer(argc, argv);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return irate::RunFuzzerInput({data, size}, counters);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  return irate::MutateFuzzerInput({data, max_size}, size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2, uint8_t* out,
                                            size_t max_out_size, unsigned int seed) {
  return irate::CrossFuzzerInputs({data1, size1}, {data2, size2}, {out, max_out_size}, seed);
}
