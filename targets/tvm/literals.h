// Constants as TVM nodes.
#pragma once

#include <cstdint>
#include <string>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// ir.IntImm of an integer type or BOOL; `value` of a U64 is its bit pattern.
Any IntImm(ScalarType type, int64_t value);

Any StringImm(const std::string& text);

}  // namespace irate::tvm_target
