#include "fuzzers/case_codec.h"

#include <string_view>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/wire.h"

namespace irate {
namespace {

// Every Case in text form starts with this word or a comment. No message does: 'i' and '#' would be
// fields of wire types that a Case does not have.
bool IsText(std::string_view bytes) { return bytes.starts_with("irate ") || bytes[0] == '#'; }

absl::StatusOr<Case> Parse(std::string_view bytes) {
  if (bytes.empty()) return absl::InvalidArgumentError("the input is empty");
  if (bytes.size() > kMaxInputBytes) {
    return absl::InvalidArgumentError(
        fmt::format("the input has {} bytes, more than {}", bytes.size(), kMaxInputBytes));
  }
  if (IsText(bytes)) return ParseCase(bytes);
  Case test_case;
  if (ParseMessage(bytes, &test_case)) return test_case;
  return absl::InvalidArgumentError("the input is no Case, neither as text nor as a message");
}

}  // namespace

absl::StatusOr<Case> DecodeCase(std::span<const uint8_t> bytes) {
  IRATE_ASSIGN_OR_RETURN(Case test_case,
                         Parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  IRATE_RETURN_IF_ERROR(VerifyCase(test_case));
  return test_case;
}

std::string EncodeCase(const Case& test_case) { return test_case.SerializeAsString(); }

}  // namespace irate
