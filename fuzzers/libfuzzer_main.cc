#include "fuzzers/libfuzzer_main.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "fuzzers/libfuzzer_target.h"

namespace irate {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitEnvironment = 3;

void (*death_callback)() = nullptr;

// Lives until the process ends: libFuzzer calls exit.
LibFuzzerTarget* target = nullptr;
bool runs_single_files = false;

[[noreturn]] void EndForEnvironment(const absl::Status& status) {
  fmt::print(stderr, "irate: {}\n", std::string(status.message()));
  std::fflush(stderr);
  _exit(kExitEnvironment);
}

void PrintStats() {
  if (target != nullptr && target->flags().print_final_stats) {
    fmt::print(stderr, "{}", target->StatsText());
  }
}

std::string Indented(const std::string& text) {
  std::string result;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    result += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return result;
}

void Report(const TriageResult& result) {
  const Finding& finding = result.finding;
  fmt::print(stderr, "=={}== ERROR: irate: {} in {}: {}\n{}", getpid(), finding.oracle(),
             finding.culprit(), finding.summary(), Indented(finding.detail()));
  fmt::print(stderr, "    reduced Case: {}/case.irate\n", result.path);
  fmt::print(stderr, "    reproducer: {}\n",
             result.reproducer_verified ? result.path + "/reproducer.py" : "not verified");
  fmt::print(stderr, "SUMMARY: irate: {} {} {}\n", finding.oracle(), finding.culprit(),
             finding.signature());
  std::fflush(stderr);
}

[[noreturn]] void EndForFinding(int exit_code) {
  if (death_callback != nullptr) death_callback();
  PrintStats();
  std::fflush(stderr);
  _exit(exit_code);
}

}  // namespace

void SetDeathCallback(void (*callback)()) { death_callback = callback; }

int InitializeFuzzer(int* argc, char*** argv) {
  const std::vector<std::string> given(*argv, *argv + *argc);
  absl::StatusOr<LibFuzzerFlags> flags =
      ParseLibFuzzerFlags({given.begin() + std::min<ptrdiff_t>(1, *argc), given.end()});
  if (!flags.ok()) {
    fmt::print(stderr, "irate: {}\n", std::string(flags.status().message()));
    _exit(kExitUsage);
  }
  const std::vector<std::string> arguments = ForLibFuzzer(given);
  // Again with what was rewritten.
  flags = ParseLibFuzzerFlags({arguments.begin() + 1, arguments.end()});
  if (!flags.ok()) {
    fmt::print(stderr, "irate: {}\n", std::string(flags.status().message()));
    _exit(kExitUsage);
  }
  if (flags->help) {
    fmt::print("{}", LibFuzzerHelp());
    std::fflush(stdout);
    const bool only_ours = std::ranges::count(given, "--help") != 0;
    if (only_ours) _exit(0);
  }
  // libFuzzer keeps pointers to the arguments.
  auto* const rewritten = new std::vector<char*>;
  for (const std::string& argument : arguments) rewritten->push_back(strdup(argument.c_str()));
  *argc = static_cast<int>(rewritten->size());
  rewritten->push_back(nullptr);
  *argv = rewritten->data();
  runs_single_files =
      std::ranges::any_of(std::span(arguments).subspan(1), [](const std::string& argument) {
        return !argument.starts_with('-') && access(argument.c_str(), R_OK) == 0;
      });
  target = new LibFuzzerTarget(*flags);
  std::atexit(PrintStats);
  return 0;
}

int RunFuzzerInput(std::span<const uint8_t> input, std::span<uint8_t> counters) {
  std::ranges::fill(counters, uint8_t{0});
  const absl::StatusOr<InputResult> result = target->Run(input);
  if (!result.ok()) EndForEnvironment(result.status());
  for (const uint32_t feature : result->features) counters[feature % counters.size()] = 1;
  if (result->finding.has_value()) {
    Report(*result->finding);
    if (!target->flags().GoesOn()) EndForFinding(target->flags().error_exitcode);
  }
  if (!result->accepted && !input.empty() && runs_single_files) {
    fmt::print(stderr, "irate: rejected an input of {} bytes: {}\n", input.size(),
               result->rejection);
  }
  return result->accepted ? 0 : -1;
}

size_t MutateFuzzerInput(std::span<uint8_t> buffer, size_t size, uint32_t seed) {
  const absl::StatusOr<std::string> made =
      target->Mutate(buffer.subspan(0, size), buffer.size(), seed);
  if (!made.ok()) EndForEnvironment(made.status());
  std::ranges::copy(*made, buffer.begin());
  return made->size();
}

size_t CrossFuzzerInputs(std::span<const uint8_t> first, std::span<const uint8_t> second,
                         std::span<uint8_t> out, uint32_t seed) {
  const absl::StatusOr<std::string> made = target->Cross(first, second, out.size(), seed);
  if (!made.ok()) EndForEnvironment(made.status());
  if (made->size() > out.size()) return 0;
  std::ranges::copy(*made, out.begin());
  return made->size();
}

}  // namespace irate
