// Structural validity of a Case: what every consumer may rely on without checking.
//
//  1. Ids are in range; every use of a variable or buffer is in the scope of its one definition.
//  2. Every expression is well typed (operand types, lanes, arity) and has the type it claims.
//  3. Statements have the arguments, bodies and ids that their kind asks for and no others.
//  4. Canonical form: lanes 0 or >= 2; fields that the kind or operator does not use are unset;
//     integer constants fit their type; names are not empty.
//  5. Depth at most kMaxDepth, nodes at most kMaxNodes: the input may come from an attacker.
//  6. Functions have distinct names and do not call themselves, directly or through others.
//  7. A vectorized loop has a constant extent of at least 1 and stands in no other vectorized loop,
//     an unrolled one has a constant extent; a float constant is not finite or lies within its
//     type's range; a matched region has the extents of the buffer that stands for it.
//  8. Of a Case: version 1; Inputs fit functions[0] (every dimension variable has one value that is
//     not negative, ranges lie within the parameter's type); arguments of passes are constants.
//
// It does not decide definedness (bounds, races): that is the interpreter's.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "ir/irate.pb.h"

namespace irate {

// Of messages nested below a Function (ir/measure.h).
inline constexpr int kMaxDepth = 200;
inline constexpr int64_t kMaxNodes = 200'000;
// The most that DLPack's and TVM's type descriptors hold.
inline constexpr uint32_t kMaxLanes = 32'767;

struct VerifyOptions {
  // Modules lifted from a compiler use what no source program may: several definitions of one
  // variable in disjoint scopes, a thread variable bound again below its binding, intrinsics
  // unknown to us and operand types of the known ones, any expression in the declaration of a
  // buffer, attributes above the definition that they name, handle parameters of the entry,
  // comparisons of handles, bit operators on BOOL, blocks without a name, BREAK and CONTINUE in
  // loops of any kind, and what rule 7 excludes.
  bool lifted = false;
};

// InvalidArgument with the place, as a path a person can follow:
// "function main, body[2].for i, body[0].store C, value: ADD of i32 and f32".
absl::Status Verify(const Module& module, const VerifyOptions& options = {});
absl::Status VerifyCase(const Case& test_case);

}  // namespace irate
