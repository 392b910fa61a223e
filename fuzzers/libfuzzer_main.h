// The functions that libFuzzer calls, for the binaries of this folder: an entry file defines those
// of libFuzzer's names and hands on to these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace irate {

// Reads the flags; ends the process for --help and for flags that are wrong.
int InitializeFuzzer(int* argc, char*** argv);
// Runs one input and sets a counter for each feature. Ends the process for a new finding, after the
// report and after libFuzzer has written the artifact, and where the environment is at fault.
int RunFuzzerInput(std::span<const uint8_t> input, std::span<uint8_t> counters);
size_t MutateFuzzerInput(std::span<uint8_t> buffer, size_t size, uint32_t seed);
size_t CrossFuzzerInputs(std::span<const uint8_t> first, std::span<const uint8_t> second,
                         std::span<uint8_t> out, uint32_t seed);
// What libFuzzer wants to be called before the process ends with a finding: it writes the artifact.
void SetDeathCallback(void (*callback)());

}  // namespace irate
