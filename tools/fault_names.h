// Seeded faults as a command line or a Case names them (docs/faults.md, docs/sanitizers.md).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

// The rules that the worker needs for the Case's faults: the text of `file`, or the built-in ones
// where it is empty; "" for a Case without faults. A name is that of a rule or of a sanitizer's
// fault (execution/api/sanitizer.h); a rule that stands for one of the latter is replaced by it.
// InvalidArgument: a name that is neither, with those that there are; or a sanitizer's fault where
// nothing runs instrumented (`sanitized`), so that it would do nothing.
absl::StatusOr<std::string> ResolveFaults(const std::string& file, bool sanitized, Case* test_case);

}  // namespace irate
