// The reproducer of a finding under several installed versions of the compiler.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "triage/bucket_state.h"

namespace irate {

struct InstalledVersion {
  std::string version;
  std::string python;  // its interpreter
};

struct VersionVerdict {
  enum class Outcome { kFails, kPasses, kCannotTell };
  std::string version;
  Outcome outcome = Outcome::kCannotTell;
  std::string output;  // the end of what it printed
};

// The virtual environments in `folder`, one per sub-folder, and `python` (empty: none), each asked
// for the version of tvm that it has; oldest first. An environment without tvm is left out with a
// warning.
std::vector<InstalledVersion> FindVersions(const std::string& folder, const std::string& python);

// Exit code 1 is "fails", 0 "passes"; anything else says nothing about the bug: the program may not
// be valid in that version.
absl::StatusOr<std::vector<VersionVerdict>> CheckVersions(
    const std::string& reproducer, const std::vector<InstalledVersion>& versions,
    std::chrono::milliseconds deadline);

void ApplyVerdicts(const std::vector<VersionVerdict>& verdicts, const std::string& now,
                   BucketLife* life);

// "fails in 0.25.0 to 0.27.0", "fails since 0.26.0 (passes in 0.25.0)", "fixed in 0.27.0 (fails in
// 0.25.0 to 0.26.0)", "passes everywhere": where it begins and ends.
std::string DescribeVerdicts(const std::vector<VersionVerdict>& verdicts);

}  // namespace irate
