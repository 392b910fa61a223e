// What `irate analyze` and `irate fuzz --analyzer` share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/environment.h"

namespace irate {

struct AnalyzeArguments {
  EnvironmentOptions environment;
  std::vector<std::string> files;
  double seconds = 0;
  uint64_t count = 0;
  uint64_t seed = 0;
  int jobs = 0;
  std::string findings = "findings";
  std::string known;
  std::string json;
};

// Runs the loop; the exit code of the command.
int FuzzAnalyzer(const AnalyzeArguments& arguments);

}  // namespace irate
