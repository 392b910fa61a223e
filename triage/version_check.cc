#include "triage/version_check.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "fmt/format.h"
#include "spdlog/spdlog.h"
#include "triage/run_command.h"
#include "triage/version_order.h"

namespace irate {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kAskVersion{30'000};
constexpr size_t kOutputEnd = 2'000;

std::string LastWord(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t start = text.find_last_of("\n ");
  return start == std::string::npos ? text : text.substr(start + 1);
}

}  // namespace

std::vector<InstalledVersion> FindVersions(const std::string& folder, const std::string& python) {
  std::vector<std::string> interpreters;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path candidate = entry.path() / "bin/python";
    if (fs::exists(candidate, error)) interpreters.push_back(candidate.string());
  }
  if (!python.empty()) interpreters.push_back(python);
  std::vector<InstalledVersion> versions;
  for (const std::string& interpreter : interpreters) {
    // The wheel's own record: importing tvm takes a second, and fails where a library is missing.
    const absl::StatusOr<CommandResult> asked = RunCommand(
        {interpreter, "-c", "import importlib.metadata as m; print(m.version('apache-tvm'))"}, "/",
        kAskVersion);
    if (!asked.ok() || asked->exit_code != 0) {
      spdlog::warn("{} has no tvm", interpreter);
      continue;
    }
    const std::string version = LastWord(asked->output);
    const auto same = [&version](const InstalledVersion& v) { return v.version == version; };
    if (std::ranges::none_of(versions, same)) versions.push_back({version, interpreter});
  }
  std::ranges::sort(versions, [](const InstalledVersion& a, const InstalledVersion& b) {
    return CompareVersions(a.version, b.version) < 0;
  });
  return versions;
}

absl::StatusOr<std::vector<VersionVerdict>> CheckVersions(
    const std::string& reproducer, const std::vector<InstalledVersion>& versions,
    std::chrono::milliseconds deadline) {
  std::error_code error;
  const fs::path path = fs::absolute(reproducer, error);
  if (!fs::exists(path, error)) {
    return absl::NotFoundError(fmt::format("there is no {}", path.string()));
  }
  std::vector<VersionVerdict> verdicts;
  for (const InstalledVersion& installed : versions) {
    VersionVerdict verdict;
    verdict.version = installed.version;
    const absl::StatusOr<CommandResult> run =
        RunCommand({installed.python, "-B", path.string()}, path.parent_path().string(), deadline);
    if (!run.ok()) return run.status();
    if (run->exit_code == 1) verdict.outcome = VersionVerdict::Outcome::kFails;
    if (run->exit_code == 0) verdict.outcome = VersionVerdict::Outcome::kPasses;
    verdict.output = run->output.size() <= kOutputEnd
                         ? run->output
                         : run->output.substr(run->output.size() - kOutputEnd);
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

void ApplyVerdicts(const std::vector<VersionVerdict>& verdicts, const std::string& now,
                   BucketLife* life) {
  for (const VersionVerdict& verdict : verdicts) {
    if (verdict.outcome == VersionVerdict::Outcome::kFails) {
      ApplySighting(verdict.version, now, life);
    } else if (verdict.outcome == VersionVerdict::Outcome::kPasses) {
      ApplyPass(verdict.version, now, life);
    }
  }
}

std::string DescribeVerdicts(const std::vector<VersionVerdict>& verdicts) {
  std::vector<const VersionVerdict*> told;
  std::string open;
  for (const VersionVerdict& verdict : verdicts) {
    if (verdict.outcome == VersionVerdict::Outcome::kCannotTell) {
      open += fmt::format("{}{}", open.empty() ? "" : ", ", verdict.version);
    } else {
      told.push_back(&verdict);
    }
  }
  const auto fails = [](const VersionVerdict* v) {
    return v->outcome == VersionVerdict::Outcome::kFails;
  };
  const std::string rest = open.empty() ? "" : fmt::format("; cannot tell in {}", open);
  const auto first = std::ranges::find_if(told, fails);
  if (first == told.end()) {
    return (told.empty() ? "no version could tell" : "passes everywhere") + rest;
  }
  const auto last = std::find_if(told.rbegin(), told.rend(), fails).base() - 1;
  std::string text = first == last
                         ? fmt::format("fails in {}", (*first)->version)
                         : fmt::format("fails in {} to {}", (*first)->version, (*last)->version);
  if (first != told.begin()) text += fmt::format(", passes in {}", (*(first - 1))->version);
  if (last + 1 != told.end()) text += fmt::format(", fixed in {}", (*(last + 1))->version);
  return text + rest;
}

}  // namespace irate
