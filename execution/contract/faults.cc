#include "execution/contract/faults.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace irate::contract {
namespace {

struct Entry {
  Fault fault;
  std::string_view name;
};
constexpr Entry kFaults[] = {
    {Fault::kNone, "none"},
    {Fault::kWorkspaceAlign16, "workspace-align-16"},
    {Fault::kWorkspaceAlign32, "workspace-align-32"},
    {Fault::kWorkspaceOffByOne, "workspace-off-by-one"},
    {Fault::kLaunchSkipTask, "launch-skip-task"},
    {Fault::kLaunchRepeatTask, "launch-repeat-task"},
    {Fault::kLaunchOverCount, "launch-over-count"},
    {Fault::kPackedDropArgument, "packed-drop-argument"},
};

}  // namespace

std::string_view FaultName(Fault fault) {
  for (const Entry& entry : kFaults) {
    if (entry.fault == fault) return entry.name;
  }
  return "unknown";
}

absl::Status ParseFault(std::string_view name, Fault* fault) {
  std::string names;
  for (const Entry& entry : kFaults) {
    if (entry.name == name) {
      *fault = entry.fault;
      return absl::OkStatus();
    }
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(entry.name));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no runtime fault '", std::string(name), "'; there are: ", names));
}

std::vector<Fault> AllFaults() {
  std::vector<Fault> faults;
  for (const Entry& entry : kFaults) {
    if (entry.fault != Fault::kNone) faults.push_back(entry.fault);
  }
  return faults;
}

}  // namespace irate::contract
