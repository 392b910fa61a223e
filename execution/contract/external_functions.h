// The external functions of ir/external.h as packed functions, for processes that run compiled code
// that calls them: a worker registers them with the compiler's runtime, the sanitized tier with the
// contract runtime.
#pragma once

#include <cstdint>
#include <string>

#include "execution/contract/packed_abi.h"
#include "ir/external.h"

namespace irate::contract {

// Computes the outputs; the result becomes the integer 0. A text: what is wrong with the arguments
// (another number than it reads, no tensor, other element types or sizes), and nothing was written.
// Reads `num_args` slots at most.
std::string RunExternal(const ExternalFunction& function, const PackedAny* args, int32_t num_args,
                        PackedAny* result);

// The memory that a tensor of a call covers, in bytes; 0 if `arg` is no tensor.
uint64_t TensorBytes(const PackedAny& arg);
// Where its first element is.
void* TensorBegin(const PackedAny& arg);

}  // namespace irate::contract
