// How the values of the program IR are spelt in C.
//
// Scalars are the exact-width integers, `bool`, `_Float16`, `float`, `double` and `void*`. C has no
// portable bf16 or fp8 arithmetic: those are held as their bit patterns in `uint16_t` and `uint8_t`
// and computed by conversion (prelude.h). A vector is a struct with an array of its lanes, so that
// every lane type and count works and its memory has no padding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate::c_target {

// "int32_t", "irate_f16x4", "void*".
std::string CType(ScalarType type, uint32_t lanes);
// The suffix of helper names: "i32", "f16x4".
std::string TypeSuffix(ScalarType type, uint32_t lanes);

// Held as a bit pattern: BF16, F8E4M3FN, F8E5M2.
bool IsBitPattern(ScalarType type);

// A constant as a C expression of exactly that type: integers in range of C's own literals, floats
// in hexadecimal, so that they read back exactly. Bit patterns are rounded from `value` by
// the same conversion that the printed program uses.
std::string CInteger(ScalarType type, int64_t value);
std::string CFloat(ScalarType type, double value);

// C identifiers that start with a readable form of `name`. No two of different kind or id are
// equal, and none is equal to a name of the printer's own, which all start with "irate_".
std::string CVariableName(std::string_view name, uint32_t id);  // ends with "_5"
std::string CBufferName(std::string_view name, uint32_t id);    // ends with "_b5"
std::string CFunctionName(std::string_view name, uint32_t id);  // ends with "_f5"

}  // namespace irate::c_target
