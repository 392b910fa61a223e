#include "tools/worker_main.h"

#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "execution/api/target.h"
#include "execution/zygote.h"

namespace {

constexpr int kUsageError = 2;

int Usage() {
  std::fprintf(stderr,
               "usage: irate-worker --target=NAME --control-fd=N\n"
               "Runs a compiler under test for irate, which starts it; it does nothing by itself.\n"
               "Targets in this build: %s\n",
               absl::StrJoin(irate::TargetNames(), ", ").c_str());
  return kUsageError;
}

// The value of "--name=value"; empty if `argument` is another one.
std::string_view Value(std::string_view argument, std::string_view option) {
  return argument.starts_with(option) ? argument.substr(option.size()) : std::string_view();
}

}  // namespace

namespace irate {

int RunWorkerMain(int argc, char** argv) {
  std::string target_name;
  int control_fd = -1;
  for (std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (const std::string_view name = Value(argument, "--target="); !name.empty()) {
      target_name = name;
    } else if (const std::string_view fd = Value(argument, "--control-fd="); !fd.empty()) {
      if (std::from_chars(fd.data(), fd.data() + fd.size(), control_fd).ec != std::errc()) {
        return Usage();
      }
    } else {
      return Usage();
    }
  }
  if (control_fd < 0) return Usage();
  const std::unique_ptr<Target> target = MakeTarget(target_name);
  if (target == nullptr) {
    std::fprintf(stderr, "irate-worker: there is no target '%s'\n", target_name.c_str());
    return Usage();
  }
  return RunZygote(*target, UniqueFd(control_fd));
}

}  // namespace irate
