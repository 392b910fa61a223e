// What the subcommands of `irate` have in common.
#pragma once

#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace irate {

// Exit codes of every subcommand; docs/cli.md.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFindings = 1;     // a finding, a bug that is still there, a failed check
inline constexpr int kExitUsage = 2;        // the command line is wrong
inline constexpr int kExitEnvironment = 3;  // a file, the worker or the compiler is not usable
inline constexpr int kExitInterrupted = 130;

// Each adds one subcommand to `app` and puts its exit code into `exit_code` when it is run.
void AddAnalyzeCommand(CLI::App* app, int* exit_code);
void AddFuzzCommand(CLI::App* app, int* exit_code);
void AddRunCommand(CLI::App* app, int* exit_code);
void AddShowCommand(CLI::App* app, int* exit_code);
void AddGenerateCommand(CLI::App* app, int* exit_code);
void AddDoctorCommand(CLI::App* app, int* exit_code);
void AddBucketsCommand(CLI::App* app, int* exit_code);
void AddBlameCommand(CLI::App* app, int* exit_code);
void AddVersionsCommand(CLI::App* app, int* exit_code);
void AddReduceCommand(CLI::App* app, int* exit_code);
void AddRegressCommand(CLI::App* app, int* exit_code);
void AddTriageCommand(CLI::App* app, int* exit_code);
void AddReportCommand(CLI::App* app, int* exit_code);
void AddBenchCommand(CLI::App* app, int* exit_code);

// "irate: MESSAGE" on stderr, and kExitEnvironment.
int FailEnvironment(const absl::Status& status);
// The value, or FailEnvironment of the error.
int ExitCode(const absl::StatusOr<int>& code);
// "irate: MESSAGE" on stderr, and kExitUsage.
int FailUsage(std::string_view message);

// Writes `text` to a file, or to stdout where `path` is "-".
absl::Status WriteOutput(const std::string& path, const std::string& text);

}  // namespace irate
