// Options that every command has which runs Cases in workers.
#pragma once

#include "CLI/CLI.hpp"
#include "tools/environment.h"

namespace irate {

// --target, --deadline and --worker.
void AddWorkerOptions(CLI::App* command, EnvironmentOptions* environment);

}  // namespace irate
