// Hand-written Cases that between them have every construct of the Case IR.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::tvm_test {

// C = A * B with an initialisation, n x n, f32; the outer loop parallel.
Case Matmul(int64_t n);
// Row sums in a reduction block with init, then a vectorised block that reads them.
Case BlockReduction(int64_t rows, int64_t columns);
// Symbolic shape: B[i] = A[i] + scale for i < n.
Case SymbolicShape(int64_t n);
// A vectorised loop and explicit vectors: RAMP, BROADCAST, SHUFFLE.
Case Vectors();
// Every scalar type, cast to and from.
Case ScalarTypes();
// Every arithmetic, comparison, logical and bit operator, on integers and floats.
Case Operators();
// The ends of the 64-bit types.
Case WideConstants();
// Math and integer intrinsics.
Case Intrinsics();
// WHILE, IF with else, BREAK, CONTINUE, ASSERT, BIND, LET, ALLOC, a loop with a step, unrolled and
// annotated loops, an attribute.
Case ControlFlow();
// A block with match_buffer, predicate, annotations, alloc_buffers and a root of its own.
Case BlockFeatures();
// Strides, an offset, an alignment and a promise about the offset.
Case Layouts();
// A private function that takes pointers, called from the entry.
Case Functions();
// Views: a buffer declared on another one's data.
Case Views();

// Calls of a packed function and of a C function.
Case Calls();
// An allocation too large for the stack.
Case Workspace();

// All of the above, with their names.
std::vector<std::pair<std::string, Case>> AllPrograms();

// Thread-bound loops, shared memory and a barrier: for a device, not among AllPrograms.
Case DeviceKernel();

}  // namespace irate::tvm_test
