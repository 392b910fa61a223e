// Mistakes of a code generator, made on purpose in emitted LLVM IR: the ground truth for tier 2 on
// whatever program is at hand. A Case names one as "code.NAME".
//
//   read-before, read-after, write-before, write-after
//                        one element beside a tensor argument
//   workspace-read-after, workspace-write-after, workspace-use-after-free
//                        one element behind a workspace; its first byte after it was freed
//   stack-write-after    one byte behind an array on the stack
//   wild-read            32 MiB behind a tensor argument
//   misaligned-vector    a vector of 16 bytes, aligned to 16, at byte 4 of a tensor argument
//   uninitialised        an accumulator that was never set is added to a result
//   overflowed-index     2147483647 + 1 in 32 bits as an offset
//   overlapping-noalias  one tensor for two noalias parameters, one of which is written
//   dropped-argument     a packed call (else a call within the module) passes one argument less
//   convention           the entry calls its body, which is no packed function, as a packed one
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/host_buffers.h"

namespace irate::sanitized {

std::vector<std::string_view> CodeFaultNames();

// `ir_text` with the fault, or nothing if it has no place for it (no workspace, say). `arguments`
// are those that it will be called with. NotFound for an unknown name; InvalidArgument if the text
// does not parse.
absl::StatusOr<std::optional<std::string>> InjectCodeFault(
    std::string_view name, const std::string& ir_text,
    std::span<const contract::Argument> arguments);

}  // namespace irate::sanitized
