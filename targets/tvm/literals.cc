#include "targets/tvm/literals.h"

#include "targets/tvm/types.h"

namespace irate::tvm_target {

Any IntImm(ScalarType type, int64_t value) {
  if (type == U64) {
    return Native<"ir.IntImm">(ToDataType(type, 0), ffi::BigInt(static_cast<uint64_t>(value)),
                               nullptr);
  }
  return Native<"ir.IntImm">(ToDataType(type, 0), value, nullptr);
}

Any StringImm(const std::string& text) {
  return Native<"ir.StringImm">(ffi::String(text), nullptr);
}

}  // namespace irate::tvm_target
