// Several builds of one Case: the same module and passes with other options of the code generator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

// Options of TVM's llvm target that must not change what a program computes: opt-level, mcpu,
// vector-width. `levels` are the x86-64 levels that this machine runs ("x86-64-v2", ...): code for
// another one would end with SIGILL, so what may be drawn is the caller's knowledge.
std::vector<std::string> TvmVariantOptions(const std::vector<std::string>& levels);

// Two or three targets for the Case, drawn by `seed`, the default one first. A Case that names its
// targets is left alone.
void AddVariants(uint64_t seed, const std::vector<std::string>& levels, Case* test_case);

}  // namespace irate
