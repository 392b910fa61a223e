// The subcommands of `irate bench`, one file each.
#pragma once

#include "CLI/CLI.hpp"

namespace irate {

void AddBenchFaultsCommand(CLI::App* bench, int* exit_code);

}  // namespace irate
