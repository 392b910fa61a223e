#include "ir/interpreter/packed_api.h"

#include "ir/types.h"

namespace irate::interp {

std::optional<StructField> FindStructField(int64_t kind) {
  switch (kind) {
    case kTensorData:
      return StructField{0, kTensorSize, HANDLE};
    case kTensorDeviceType:
      return StructField{8, kTensorSize, I32};
    case kTensorDeviceId:
      return StructField{12, kTensorSize, I32};
    case kTensorNdim:
      return StructField{16, kTensorSize, I32};
    case kTensorTypeCode:
      return StructField{20, kTensorSize, U8};
    case kTensorTypeBits:
      return StructField{21, kTensorSize, U8};
    case kTensorTypeLanes:
      return StructField{22, kTensorSize, U16};
    case kTensorShape:
      return StructField{24, kTensorSize, HANDLE};
    case kTensorStrides:
      return StructField{32, kTensorSize, HANDLE};
    case kTensorByteOffset:
      return StructField{40, kTensorSize, U64};
    case kAnyTypeIndex:
      return StructField{0, kAnySize, I32};
    case kAnyZeroPadding:
      return StructField{4, kAnySize, I32};
    case kAnyValue:
      return StructField{kAnyValueOffset, kAnySize, VOID};
    case kInt64ArrayElement:
      return StructField{0, 8, I64};
    default:
      return std::nullopt;
  }
}

bool HasPackedParameters(const Function& function) {
  constexpr ScalarType kTypes[] = {HANDLE, HANDLE, I32, HANDLE};
  if (function.params_size() != 4) return false;
  for (int i = 0; i < 4; ++i) {
    const Param& param = function.params(i);
    if (param.kind() != PARAM_SCALAR) return false;
    if (param.id() >= static_cast<uint32_t>(function.variables_size())) return false;
    const Variable& variable = function.variables(static_cast<int>(param.id()));
    if (variable.type() != kTypes[i] || Lanes(variable.lanes()) != 1) return false;
  }
  return true;
}

uint8_t DataTypeCode(ScalarType type) {
  if (IsSigned(type)) return 0;    // kDLInt
  if (IsUnsigned(type)) return 1;  // kDLUInt
  switch (type) {
    case HANDLE:
      return 3;  // kDLOpaqueHandle
    case BF16:
      return 4;  // kDLBfloat
    case BOOL:
      return 6;  // kDLBool
    case F8E4M3FN:
      return 10;  // kDLFloat8_e4m3fn
    case F8E5M2:
      return 12;  // kDLFloat8_e5m2
    default:
      return 2;  // kDLFloat
  }
}

}  // namespace irate::interp
