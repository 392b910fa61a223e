// irate: the command line. Subcommands are one file each; this is the one list.
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include "fmt/format.h"
#include "ir/file.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"

namespace irate {

int FailEnvironment(const absl::Status& status) {
  fmt::print(stderr, "irate: {}\n", std::string(status.message()));
  return kExitEnvironment;
}

int ExitCode(const absl::StatusOr<int>& code) {
  return code.ok() ? *code : FailEnvironment(code.status());
}

int FailUsage(std::string_view message) {
  fmt::print(stderr, "irate: {}\n", message);
  return kExitUsage;
}

absl::Status WriteOutput(const std::string& path, const std::string& text) {
  if (path != "-") return WriteFileAtomically(path, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return absl::UnavailableError("cannot write to the standard output");
  }
  return absl::OkStatus();
}

namespace {

int Main(int argc, char** argv) {
  // Results go to stdout; what the program says about itself to stderr.
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("irate", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  spdlog::set_pattern("irate: %v");

  CLI::App app("irate: a differential fuzzing harness for tensor compilers");
  app.name("irate");
  app.require_subcommand(1);
  app.set_version_flag("--version", IRATE_VERSION);
  app.footer(
      "Exit codes: 0 fine, 1 findings (the bug is there, a check failed), 2 usage error,\n"
      "3 something of the environment is not usable, 130 interrupted twice.");
  int exit_code = kExitOk;
  AddFuzzCommand(&app, &exit_code);
  AddRunCommand(&app, &exit_code);
  AddShowCommand(&app, &exit_code);
  AddGenerateCommand(&app, &exit_code);
  AddDoctorCommand(&app, &exit_code);
  AddBucketsCommand(&app, &exit_code);
  AddBlameCommand(&app, &exit_code);
  AddVersionsCommand(&app, &exit_code);
  AddReduceCommand(&app, &exit_code);
  AddRegressCommand(&app, &exit_code);
  AddTriageCommand(&app, &exit_code);
  AddReportCommand(&app, &exit_code);
  AddBenchCommand(&app, &exit_code);
  AddAnalyzeCommand(&app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace irate

int main(int argc, char** argv) {
  try {
    return irate::Main(argc, argv);
  } catch (const std::exception& error) {
    // Libraries throw for what is beyond repair (no memory).
    std::fprintf(stderr, "irate: %s\n", error.what());
    return irate::kExitEnvironment;
  }
}
