// irate bench: measurements of irate itself. This is the one list.
#include "tools/bench_command.h"

#include "tools/command.h"

namespace irate {

void AddBenchCommand(CLI::App* app, int* exit_code) {
  CLI::App* bench = app->add_subcommand("bench", "Measure how well irate finds bugs");
  bench->require_subcommand(1);
  AddBenchFaultsCommand(bench, exit_code);
  AddBenchNullCommand(bench, exit_code);
  AddBenchSanitizedCommand(bench, exit_code);
  AddBenchSeedsCommand(bench, exit_code);
  AddBenchThroughputCommand(bench, exit_code);
  AddBenchTriageCommands(bench, exit_code);
}

}  // namespace irate
