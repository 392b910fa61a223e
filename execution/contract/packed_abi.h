// The packed calling convention by layout: what tvm-ffi's c_api.h and DLPack's dlpack.h define.
//
//   int function(void* self, const PackedAny* args, int32_t num_args, PackedAny* result)
//
// Ours, so that this room needs no compiler's headers; packed_abi_test.cc compares every offset and
// constant with the real ones.
#pragma once

#include <cstdint>

namespace irate::contract {

// TVMFFIAny: 16 bytes.
struct PackedAny {
  int32_t type_index = 0;
  uint32_t zero_padding = 0;
  union {
    int64_t v_int64 = 0;
    double v_float64;
    void* v_ptr;
  };
};

// TVMFFITypeIndex, the values that occur in calls of generated code.
enum TypeIndex : int32_t {
  kNone = 0,
  kInt = 1,
  kBool = 2,
  kFloat = 3,
  kOpaquePointer = 4,
  kTensorPointer = 7,
  kRawString = 8,
  kStaticObjectBegin = 64,
  kStringObject = 65,
  kFunctionObject = 68,
  kTensorObject = 70,
};
// "int", "DLTensor*".
const char* TypeIndexName(int32_t type_index);

struct AbiDevice {
  int32_t type = 0;  // DLDeviceType
  int32_t id = 0;
};
inline constexpr int32_t kCpuDevice = 1;
inline constexpr int32_t kCudaDevice = 2;

// DLDataType.
struct AbiType {
  uint8_t code = 0;
  uint8_t bits = 0;
  uint16_t lanes = 1;
  bool operator==(const AbiType&) const = default;
};
enum TypeCode : uint8_t {
  kIntCode = 0,
  kUIntCode = 1,
  kFloatCode = 2,
  kHandleCode = 3,
  kBfloatCode = 4,
  kBoolCode = 6,
  kFloat8E4M3FNCode = 10,
  kFloat8E5M2Code = 12,
};

// DLTensor: 48 bytes.
struct AbiTensor {
  void* data = nullptr;
  AbiDevice device;
  int32_t ndim = 0;
  AbiType dtype;
  int64_t* shape = nullptr;
  int64_t* strides = nullptr;
  uint64_t byte_offset = 0;
};

// The header of a reference-counted object (TVMFFIObject); an object of kTensorObject continues
// with an AbiTensor.
struct AbiObjectHeader {
  uint64_t combined_ref_count = 1;
  int32_t type_index = 0;
  uint32_t padding = 0;
  void (*deleter)(void* self, int flags) = nullptr;
};

using PackedFunction = int (*)(void* self, const PackedAny* args, int32_t num_args,
                               PackedAny* result);

// TVMParallelGroupEnv and FTVMParallelLambda.
struct ParallelEnvironment {
  void* sync_handle = nullptr;
  int32_t num_task = 0;
};
using ParallelTask = int (*)(int task_id, ParallelEnvironment* environment, void* closure);

}  // namespace irate::contract
