#include "fuzzers/libfuzzer_flags.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "generators/features.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

// The value of "NAME=VALUE"; nothing if the argument is another one.
std::optional<std::string> Value(const std::string& argument, std::string_view name) {
  if (!argument.starts_with(name) || argument.size() <= name.size() ||
      argument[name.size()] != '=') {
    return std::nullopt;
  }
  return argument.substr(name.size() + 1);
}

bool TakeText(const std::string& argument, std::string_view name, std::string* text) {
  const std::optional<std::string> value = Value(argument, name);
  if (value.has_value()) *text = *value;
  return value.has_value();
}

// libFuzzer hands arguments on to a shell for -fork, -jobs and -merge without quoting them. One of
// ours that a shell would take apart goes in this form.
constexpr std::string_view kEncoded = "--encoded";

bool IsSafeInShell(const std::string& argument) {
  return std::ranges::all_of(argument, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./=,:@+-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string Encode(const std::string& argument) {
  std::string result = fmt::format("{}=", kEncoded);
  for (const char c : argument) result += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return result;
}

absl::Status Unfit(const std::string& argument, std::string_view wanted) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", argument, wanted));
}

// The argument as it was given.
absl::StatusOr<std::string> Decode(const std::string& argument) {
  const std::optional<std::string> digits = Value(argument, kEncoded);
  if (!digits.has_value()) return argument;
  const bool is_hex = digits->size() % 2 == 0 && std::ranges::all_of(*digits, [](unsigned char c) {
                        return std::isxdigit(c) != 0;
                      });
  if (!is_hex) return Unfit(argument, "these are no hexadecimal digits");
  return absl::HexStringToBytes(*digits);
}

// One of ours.
absl::Status Parse(const std::string& argument, LibFuzzerFlags* flags) {
  for (const auto& [name, text] : {std::pair{"--target", &flags->target},
                                   {"--target-options", &flags->target_options},
                                   {"--findings", &flags->findings},
                                   {"--known", &flags->known},
                                   {"--worker", &flags->worker},
                                   {"--asan-worker", &flags->asan_worker},
                                   {"--python", &flags->python},
                                   {"--family", &flags->family}}) {
    if (TakeText(argument, name, text)) return absl::OkStatus();
  }
  std::string text;
  if (TakeText(argument, "--disable", &text)) {
    if (!FindFeature(text).has_value()) return Unfit(argument, "there is no such feature");
    flags->disabled_features.insert(text);
    return absl::OkStatus();
  }
  if (TakeText(argument, "--deadline", &text)) {
    if (!absl::SimpleAtod(text, &flags->deadline) || !(flags->deadline > 0)) {
      return Unfit(argument, "the deadline is a number of seconds above 0");
    }
    return absl::OkStatus();
  }
  if (TakeText(argument, "--sanitize", &text)) {
    if (!absl::SimpleAtod(text, &flags->sanitize) || !(flags->sanitize >= 0) ||
        flags->sanitize > 1) {
      return Unfit(argument, "the share is a number from 0 to 1");
    }
    return absl::OkStatus();
  }
  for (const auto& [name, flag] : {std::pair{"--no-mutation", &flags->mutation},
                                   {"--no-feedback", &flags->feedback},
                                   {"--no-doctor", &flags->doctor},
                                   {"--no-avoid", &flags->avoid}}) {
    if (argument != name) continue;
    *flag = false;
    return absl::OkStatus();
  }
  if (argument == "--help") {
    flags->help = true;
    return absl::OkStatus();
  }
  return Unfit(argument, "there is no such flag; --help names them");
}

// One of libFuzzer's. What does not fit is libFuzzer's to complain about.
void Note(const std::string& argument, LibFuzzerFlags* flags) {
  std::string text;
  const auto is_on = [&](std::string_view name, bool* flag) {
    if (TakeText(argument, name, &text)) *flag = text != "0";
  };
  is_on("-ignore_crashes", &flags->ignore_crashes);
  is_on("-print_final_stats", &flags->print_final_stats);
  is_on("-merge_inner", &flags->is_merge);
  is_on("-fork", &flags->has_fork);
  is_on("-help", &flags->help);
  if (argument.starts_with("-features_dir=")) flags->is_fork_child = true;
  if (TakeText(argument, "-error_exitcode", &text)) {
    static_cast<void>(absl::SimpleAtoi(text, &flags->error_exitcode));
  }
}

}  // namespace

absl::StatusOr<LibFuzzerFlags> ParseLibFuzzerFlags(const std::vector<std::string>& arguments) {
  LibFuzzerFlags flags;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--")) {
      IRATE_ASSIGN_OR_RETURN(const std::string decoded, Decode(argument));
      IRATE_RETURN_IF_ERROR(Parse(decoded, &flags));
    } else {
      Note(argument, &flags);
    }
  }
  return flags;
}

std::vector<std::string> ForLibFuzzer(std::vector<std::string> arguments) {
  constexpr std::string_view kMaxLength = "-max_len=65536";
  std::string deadline;
  const auto is_given = [&](std::string_view prefix) {
    return std::ranges::any_of(
        arguments, [prefix](const std::string& one) { return one.starts_with(prefix); });
  };
  for (std::string& argument : arguments) {
    const std::optional<std::string> seconds = Value(argument, "-timeout");
    // A child of a fork has been given the rewritten one.
    if (!seconds.has_value() || is_given("--deadline=")) continue;
    deadline = "--deadline=" + *seconds;
    argument = "-timeout=1200";
  }
  if (!deadline.empty()) arguments.push_back(deadline);
  if (!is_given("-max_len=")) arguments.emplace_back(kMaxLength);
  for (std::string& argument : arguments) {
    if (argument.starts_with("--") && !IsSafeInShell(argument)) argument = Encode(argument);
  }
  return arguments;
}

std::string LibFuzzerHelp() {
  return R"(Fuzzes a tensor compiler's passes and code generation with Cases (docs/fuzzing.md).

Flags of libFuzzer begin with one dash (-help=1 lists them): -runs, -seed, -max_total_time,
-artifact_prefix, -merge=1, -fork=N, ... Arguments without a dash are corpus folders, or files to
replay. -timeout=SECONDS is that of the compiler under test. -ignore_crashes=1 records findings and
goes on.

Flags of irate begin with two:
 --target=NAME            compiler under test (tvm)
 --target-options=JSON    the compiler's own target description, for every Case that is made
 --findings=DIR           where findings are recorded, reduced and with a reproducer (findings)
 --known=DIR              findings that do not stop the run (corpus/known)
 --family=NAME            generate only this family of programs
 --disable=FEATURE        leave out a feature; may be repeated
 --no-avoid               do not avoid the features that dominate known findings
 --deadline=SECONDS       for one Case (10)
 --sanitize=SHARE         of Cases whose generated code runs instrumented as well (0.1)
 --no-mutation            generate every Case
 --no-feedback            no coverage of what passes do
 --no-doctor              do not prove first that faults of the compiler would be noticed
 --worker=PATH            irate-worker (beside this program)
 --asan-worker=PATH       irate-worker-asan (beside this program)
 --python=PATH            a Python that can import the compiler, to verify reproducers with

Exit codes: 0 nothing new, 77 a new finding (-error_exitcode), 2 usage, 3 environment.
)";
}

}  // namespace irate
