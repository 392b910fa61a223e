#include "targets/tvm/target_json.h"

namespace irate::tvm_target {

std::string TargetToJson(const Any& target) {
  return ToString(Native<"ffi.json.Stringify">(Native<"target.TargetExport">(target), nullptr));
}

std::string TargetKind(const Any& target) {
  const auto fields = Native<"target.TargetExport">(target).cast<ffi::Map<Any, Any>>();
  return ToString(fields.at(ffi::String("kind")));
}

}  // namespace irate::tvm_target
