#include "tools/worker_options.h"

namespace irate {

void AddWorkerOptions(CLI::App* command, EnvironmentOptions* environment) {
  command->add_option("--target", environment->target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--deadline", environment->deadline, "Seconds for one run")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--worker", environment->worker, "Path of irate-worker");
}

}  // namespace irate
