#include "triage/known_findings.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

constexpr uint64_t kMaxBytes = 1 << 20;

absl::Status Claim(KnownFindings* known, const std::string& signature, const std::string& folder) {
  const auto [entry, is_new] = known->emplace(signature, folder);
  if (is_new || entry->second == folder) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} is claimed by {} and by {}", signature, entry->second, folder));
}

}  // namespace

absl::StatusOr<KnownFindings> ReadKnownFindings(const std::string& directory) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> folders, SignaturesIn(directory));
  KnownFindings known;
  for (const std::string& name : folders) {
    const std::string folder = directory + "/" + name;
    IRATE_RETURN_IF_ERROR(Claim(&known, name, folder));
    const std::string also = folder + "/also.txt";
    std::error_code error;
    if (!std::filesystem::exists(also, error)) continue;
    IRATE_ASSIGN_OR_RETURN(const std::string text, ReadFile(also, kMaxBytes));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      line.resize(std::min(line.find('#'), line.size()));
      std::istringstream words(line);
      if (std::string signature; words >> signature) {
        IRATE_RETURN_IF_ERROR(Claim(&known, signature, folder));
      }
    }
  }
  return known;
}

std::set<std::string> Signatures(const KnownFindings& known) {
  std::set<std::string> signatures;
  for (const auto& [signature, folder] : known) signatures.insert(signature);
  return signatures;
}

}  // namespace irate
