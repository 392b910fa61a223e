// Where the worker programs are.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"

namespace irate {

// Path of this program.
std::string SelfPath();
// The default options with the executable at `path`, or if that is empty with the one called `name`
// beside this program. NotFound where there is none that can be run.
absl::StatusOr<WorkerOptions> WorkerAt(const std::string& path, const std::string& name);

}  // namespace irate
