// irate bench faults: how long irate takes to find each seeded fault.
#include <memory>

#include "fmt/format.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"

namespace irate {
namespace {

struct FaultsArguments {
  EnvironmentOptions environment;
};

int RunBenchFaults(const FaultsArguments&) {
  return FailEnvironment(absl::UnimplementedError("bench faults: under construction"));
}

}  // namespace

void AddBenchFaultsCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<FaultsArguments>();
  CLI::App* command = bench->add_subcommand("faults", "Seeded faults: is each found, and by whom");
  command->callback([arguments, exit_code] { *exit_code = RunBenchFaults(*arguments); });
}

}  // namespace irate
