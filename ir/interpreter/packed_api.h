// TVM's calling convention in memory: the argument array of TVMFFIAny (tvm/ffi/c_api.h) and
// DLTensor (dlpack.h), and the fields that tvm_struct_get and tvm_struct_set name
// (tvm::tirx::builtin::TVMStructFieldKind in tvm/tirx/builtin.h).
#pragma once

#include <cstdint>
#include <optional>

#include "ir/irate.pb.h"

namespace irate::interp {

enum StructFieldKind : uint16_t {
  kTensorAddress = 0,
  kTensorData = 1,
  kTensorShape = 2,
  kTensorStrides = 3,
  kTensorNdim = 4,
  kTensorTypeCode = 5,
  kTensorTypeBits = 6,
  kTensorTypeLanes = 7,
  kTensorByteOffset = 8,
  kTensorDeviceId = 9,
  kTensorDeviceType = 10,
  kAnyTypeIndex = 13,
  kAnyZeroPadding = 14,
  kAnyValue = 15,
  kInt64ArrayElement = 17,
};

// TVMFFITypeIndex.
enum TypeIndex : int32_t {
  kTypeNone = 0,
  kTypeInt = 1,
  kTypeBool = 2,
  kTypeFloat = 3,
  kTypeOpaquePointer = 4,
  kTypeTensorPointer = 7,
};

inline constexpr int64_t kAnySize = 16;
inline constexpr int64_t kAnyValueOffset = 8;
inline constexpr int64_t kTensorSize = 48;

struct StructField {
  int64_t offset = 0;
  int64_t stride = 0;      // bytes from one structure of an array to the next
  ScalarType type = VOID;  // VOID: that of the value
};

// nullopt for a number that no field has (kTensorAddress is no field either).
std::optional<StructField> FindStructField(int64_t kind);

// Whether `function` has the parameters self, args, num_args, result of the packed interface.
bool HasPackedParameters(const Function& function);

// DLDataTypeCode.
uint8_t DataTypeCode(ScalarType type);

}  // namespace irate::interp
