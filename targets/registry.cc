// The one list of compilers under test.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "execution/api/target.h"
#ifdef IRATE_TARGET_C
#include "targets/c/c_target.h"
#endif
#ifdef IRATE_TARGET_SELFTEST
#include "targets/selftest/selftest_target.h"
#endif
#ifdef IRATE_TARGET_TVM
#include "targets/tvm/tvm_target.h"
#endif

namespace irate {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Target> (*make)();
};

const std::vector<Entry>& Entries() {
  static const auto& entries = *new std::vector<Entry>{
#ifdef IRATE_TARGET_TVM
      {"tvm", MakeTvmTarget},
#endif
#ifdef IRATE_TARGET_C
      {"c", MakeCTarget},
#endif
#ifdef IRATE_TARGET_SELFTEST
      {"selftest", MakeSelftestTarget},
#endif
  };
  return entries;
}

}  // namespace

std::unique_ptr<Target> MakeTarget(const std::string& name) {
  const auto entry = std::ranges::find(Entries(), name, &Entry::name);
  return entry == Entries().end() ? nullptr : entry->make();
}

std::vector<std::string> TargetNames() {
  std::vector<std::string> names;
  for (const Entry& entry : Entries()) names.emplace_back(entry.name);
  return names;
}

}  // namespace irate
