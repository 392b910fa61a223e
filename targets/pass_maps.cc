#include "targets/pass_maps.h"

#include "fmt/format.h"
#ifdef IRATE_TARGET_TVM
#include "targets/tvm/pass_map.h"
#endif

namespace irate {

absl::StatusOr<const PassMap*> PassMapOf(const std::string& target) {
#ifdef IRATE_TARGET_TVM
  if (target == "tvm") {
    const absl::StatusOr<PassMap>& map = TvmPassMap();
    if (!map.ok()) return map.status();
    return &*map;
  }
#endif
  return absl::NotFoundError(fmt::format("the target {} has no pass map", target));
}

}  // namespace irate
