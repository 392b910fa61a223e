#include "targets/tvm/device_faults.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "absl/strings/str_cat.h"

namespace irate::tvm_target {
namespace {

constexpr std::string_view kPrefix = "device.";
constexpr auto kNames = std::to_array<std::string_view>(
    {"arguments-swapped", "extents-swapped", "extent-short", "read-after", "barrier-removed",
     "shared-short", "source-broken", "nothing"});

// The first match of `pattern`, replaced as in std::regex_replace; false if there is none.
bool ReplaceFirst(const char* pattern, const char* replacement, std::string* source) {
  std::string result = std::regex_replace(*source, std::regex(pattern), replacement,
                                          std::regex_constants::format_first_only);
  if (result == *source) return false;
  *source = std::move(result);
  return true;
}

bool ShortenShared(std::string* source) {
  static const auto& declaration = *new std::regex(R"(__local \w+ \w+\[(\d+)\])");
  std::smatch match;
  if (!std::regex_search(*source, match, declaration)) return false;
  const int64_t size = std::stoll(match[1].str());
  if (size < 2) return false;
  source->replace(static_cast<size_t>(match.position(1)), static_cast<size_t>(match.length(1)),
                  std::to_string(size - 1));
  return true;
}

}  // namespace

absl::StatusOr<DeviceFault> DeviceFault::Create(const Case& test_case) {
  DeviceFault fault;
  for (const std::string& name : test_case.faults()) {
    if (!IsDeviceFault(name)) continue;
    fault.name_ = name.substr(kPrefix.size());
    if (std::ranges::find(kNames, fault.name_) != kNames.end()) return fault;
    return absl::NotFoundError(absl::StrCat("there is no fault \"", name, "\" of a device"));
  }
  return fault;
}

std::string DeviceFault::Change(std::string source) {
  bool changed = false;
  if (name_ == "barrier-removed") {
    changed = ReplaceFirst(R"(barrier\([A-Z_]+\);)", "", &source);
  } else if (name_ == "shared-short") {
    changed = ShortenShared(&source);
  } else if (name_ == "source-broken") {
    changed = ReplaceFirst(R"((\] = [^;]*);)", "$1", &source);
  } else if (name_ == "read-after") {
    // A load on the right side of a store, far enough behind its index to leave any small buffer.
    changed = ReplaceFirst(R"((\] = [^;\[]*\w\[))", "$1 65536 + ", &source);
  }
  reached_ |= !name_.empty();
  triggered_ |= changed;
  return source;
}

void DeviceFault::Change(devices::LaunchShape* shape,
                         std::vector<devices::KernelArgument>* arguments) {
  std::array<uint32_t, 3>& items = shape->items;
  std::array<uint32_t, 3>& groups = shape->groups;
  if (name_ == "arguments-swapped") {
    std::vector<devices::KernelArgument*> buffers;
    for (devices::KernelArgument& argument : *arguments) {
      if (argument.size == 0) buffers.push_back(&argument);
    }
    if (buffers.size() < 2 || buffers[0]->buffer == buffers[1]->buffer) return;
    std::swap(*buffers[0], *buffers[1]);
    triggered_ = true;
  } else if (name_ == "extents-swapped") {
    uint32_t& other = items[1] == 1 ? groups[0] : items[1];
    if (items[0] == other) return;
    std::swap(items[0], other);
    triggered_ = true;
  } else if (name_ == "extent-short") {
    uint32_t& extent = items[0] > 1 ? items[0] : groups[0];
    if (extent < 2) return;
    --extent;
    triggered_ = true;
  }
}

void DeviceFault::Report(VariantObservation* observation) const {
  if (name_.empty()) return;
  FaultObservation* fault = observation->add_faults();
  fault->set_name(std::string(kPrefix) + name_);
  fault->set_reached(reached_);
  fault->set_triggered(triggered_);
}

}  // namespace irate::tvm_target
