// Facts about scalar types.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate {

// Width in bits of the value (BOOL: 1); HANDLE is 64, VOID 0.
int BitWidth(ScalarType type);
// Size in memory in bytes (BOOL: 1).
int ByteSize(ScalarType type);
bool IsInteger(ScalarType type);  // I8..U64, not BOOL
bool IsSigned(ScalarType type);   // I8..I64
bool IsUnsigned(ScalarType type);
bool IsFloat(ScalarType type);  // F16..F8E5M2
// Of an integer type or BOOL; 0 for others. U64's maximum does not fit: use UINT64_MAX there.
int64_t MinValue(ScalarType type);
int64_t MaxValue(ScalarType type);
// Largest N such that every integer in [-N, N] is exact: 2^24 for F32, 2^11 for F16, 2^8 for
// BF16...
int64_t ExactIntegerLimit(ScalarType type);

// "i32", "f8e4m3fn", "handle", ...
std::string_view TypeName(ScalarType type);
std::optional<ScalarType> ParseTypeName(std::string_view name);

// The operator's spelling in messages: "ADD".
std::string_view OpName(Op op);
std::string_view StmtKindName(StmtKind kind);

inline uint32_t Lanes(uint32_t lanes) { return lanes == 0 ? 1 : lanes; }

}  // namespace irate
