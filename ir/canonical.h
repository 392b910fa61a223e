// Modules up to the numbering and naming of their variables: one form, one hash.
//
// For verified modules, lifted ones included.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate {

// Numbers variables and buffers of each function in the order of their first use (parameters
// first, then the text of the program; a buffer's declaration is read where the buffer is first
// used) and drops table entries that nothing uses. Names stay.
Module Canonicalize(const Module& module);
// The same for a Case; Inputs.dims follows the new ids.
Case Canonicalize(const Case& test_case);

// Equal for modules that differ only in ids, unused table entries and the names of functions,
// variables, buffers and blocks; otherwise different, but for accidents. The same on every machine.
uint64_t StructuralHash(const Module& module);

}  // namespace irate
