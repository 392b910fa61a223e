// Cases as the bytes that libFuzzer keeps in its corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

// No input is larger: what is, is rejected before it is looked at.
inline constexpr size_t kMaxInputBytes = size_t{1} << 20;

// The Case that the bytes are: the text form (ir/text.h) if they begin with the word "irate", else
// the binary message. InvalidArgument says why they are none; depth and size are checked before
// anything recursive looks at them. What is accepted has passed VerifyCase.
absl::StatusOr<Case> DecodeCase(std::span<const uint8_t> bytes);

// The binary message: equal Cases have equal bytes, and DecodeCase gives the Case back.
std::string EncodeCase(const Case& test_case);

}  // namespace irate
