// The fixed pieces of C that printed programs need.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace irate::c_target {

struct PreludePiece {
  std::string_view name;
  std::vector<std::string_view> needs;
  std::string_view text;
};

// "fail", "assume", "step", "memory", "index", "encode", "decode", and per bit-pattern type "bf16",
// "f8e4m3fn", "f8e5m2", which define irate_from_double_T and irate_to_double_T.
std::span<const PreludePiece> PreludePieces();

// The exit status of a program that found something undefined: `irate_fail` and UBSan.
inline constexpr int kCheckFailedStatus = 70;

extern const std::string_view kPreludeHeader;
extern const std::string_view kCheckedHeader;

}  // namespace irate::c_target
