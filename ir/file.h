// Whole files, read and replaced. Errors carry the path and the system's reason; their codes are
// those of the errno (NotFound, PermissionDenied, ResourceExhausted for a full disk, ...).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

// A regular file of at most `max_bytes` (else InvalidArgument).
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes);

// Paths of the regular files of a folder whose names end like this, in order of name.
absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& folder,
                                                   std::string_view ending);

// Afterwards `path` holds `contents`, through a crash of the machine as well, or what it held
// before: a temporary file beside it is written, synced and renamed over it. The temporary file
// is gone in every case. Concurrent writers of one path do not disturb each other; the last wins.
absl::Status WriteFileAtomically(const std::string& path, std::string_view contents);

}  // namespace irate
