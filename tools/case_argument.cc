#include "tools/case_argument.h"

#include <filesystem>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "triage/finding_store.h"

namespace irate {
namespace fs = std::filesystem;

absl::StatusOr<CaseArgument> ReadCaseArgument(const std::string& path) {
  CaseArgument argument;
  argument.case_path = path;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    argument.folder = fs::path(path).lexically_normal().string();
    while (argument.folder.ends_with('/')) argument.folder.pop_back();
    argument.case_path = argument.folder + "/case.irate";
    const fs::path folder = fs::absolute(argument.folder);
    const FindingStore store = FindingStore::ReadOnly(folder.parent_path().string());
    const absl::StatusOr<FindingRecord> record = store.Read(folder.filename().string());
    if (!record.ok()) {
      return absl::Status(record.status().code(),
                          fmt::format("{} is not the folder of a finding: {}", path,
                                      std::string(record.status().message())));
    }
    argument.signature = record->finding.signature();
  }
  IRATE_ASSIGN_OR_RETURN(argument.test_case, ReadCaseFile(argument.case_path));
  return argument;
}

}  // namespace irate
