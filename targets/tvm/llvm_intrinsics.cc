#include "targets/tvm/llvm_intrinsics.h"

#include <map>

#include "targets/tvm/native.h"

namespace irate::tvm_target {

const std::string& LlvmIntrinsicName(int64_t id) {
  static auto& names = *new std::map<int64_t, std::string>();
  std::string& name = names[id];
  if (name.empty()) name = ToString(Native<"target.llvm_get_intrinsic_name">(id));
  return name;
}

int64_t LlvmIntrinsicId(const std::string& name) {
  static auto& ids = *new std::map<std::string, int64_t>();
  int64_t& id = ids[name];
  if (id == 0) id = Native<"target.llvm_lookup_intrinsic_id">(ffi::String(name)).cast<int64_t>();
  if (id == 0) TVM_FFI_THROW(ValueError) << "LLVM has no intrinsic named '" << name << "'";
  return id;
}

}  // namespace irate::tvm_target
