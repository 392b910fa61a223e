// The subcommands of `irate bench`, one file each.
#pragma once

#include "CLI/CLI.hpp"

namespace irate {

// Each adds its subcommand to `bench` and puts its exit code into `exit_code` when it is run.
void AddBenchFaultsCommand(CLI::App* bench, int* exit_code);
void AddBenchNullCommand(CLI::App* bench, int* exit_code);
void AddBenchSanitizedCommand(CLI::App* bench, int* exit_code);
void AddBenchSeedsCommand(CLI::App* bench, int* exit_code);
void AddBenchThroughputCommand(CLI::App* bench, int* exit_code);
// reduce and buckets.
void AddBenchTriageCommands(CLI::App* bench, int* exit_code);

}  // namespace irate
