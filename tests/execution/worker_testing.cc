#include "tests/execution/worker_testing.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fmt/format.h"
#include "ir/builder.h"

namespace irate {
namespace {

// State and parent from /proc/PID/stat: "pid (name) state ppid ...".
bool ReadStat(pid_t pid, char* state, pid_t* parent) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return false;
  const size_t name_end = line.rfind(") ");
  return name_end != std::string::npos &&
         std::sscanf(line.c_str() + name_end + 2, "%c %d", state, parent) == 2;
}

}  // namespace

WorkerOptions SelftestOptions() {
  WorkerOptions options;
  options.executable = IRATE_WORKER_PATH;
  options.target = "selftest";
  options.deadline = std::chrono::milliseconds(20'000);
  return options;
}

Case SmallCase(int extent) {
  Case test_case;
  test_case.set_version(1);
  test_case.mutable_inputs()->set_seed(7);
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  const uint32_t i = build::AddVariable(function, "i", I32);
  const uint32_t a = build::AddBuffer(function, "A", I32, {build::I32Const(16)});
  const uint32_t b = build::AddBuffer(function, "B", I32, {build::I32Const(16)});
  build::AddBufferParam(function, a);
  build::AddBufferParam(function, b);
  const Expr index = build::Var(*function, i);
  const Expr value = build::Binary(ADD, build::Load(*function, a, {index}), build::I32Const(3));
  *function->add_body() = build::For(i, build::I32Const(0), build::I32Const(extent), PARALLEL,
                                     {build::Store(b, value, {index})});
  return test_case;
}

TargetSpec SelftestSpec(const std::string& options) {
  TargetSpec spec;
  spec.set_target("selftest");
  spec.set_options(options);
  return spec;
}

std::string FaultOptions(const std::string& fault, const std::string& stage) {
  return fmt::format(R"({{"fault": "{}", "stage": "{}"}})", fault, stage);
}

PassSequence SelftestPasses() {
  PassSequence passes;
  for (const char* name :
       {"selftest.Identity", "selftest.SerialiseLoops", "selftest.CommuteOperands"}) {
    passes.add_steps()->set_name(name);
  }
  return passes;
}

std::vector<ProcessInfo> Descendants(pid_t pid) {
  std::vector<ProcessInfo> result;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    ProcessInfo info{static_cast<pid_t>(std::stol(name)), 0};
    pid_t parent = 0;
    if (!ReadStat(info.pid, &info.state, &parent) || parent != pid) continue;
    result.push_back(info);
    for (const ProcessInfo& child : Descendants(info.pid)) result.push_back(child);
  }
  return result;
}

bool IsRunning(pid_t pid) {
  char state = 0;
  pid_t parent = 0;
  return ReadStat(pid, &state, &parent) && state != 'Z' && state != 'X';
}

int OpenFileCount() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<int>(std::distance(begin(files), end(files)));
}

}  // namespace irate
