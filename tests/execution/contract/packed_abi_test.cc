// The layouts of packed_abi.h against tvm-ffi's and TVM's own headers, and the list of runtime
// symbols against what those headers declare.
#include "execution/contract/packed_abi.h"

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/runtime/c_backend_api.h>

#include <cstddef>
#include <set>
#include <string_view>

#include "execution/contract/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate::contract {
namespace {

static_assert(sizeof(PackedAny) == sizeof(TVMFFIAny));
static_assert(offsetof(PackedAny, v_int64) == offsetof(TVMFFIAny, v_int64));
static_assert(sizeof(AbiTensor) == sizeof(DLTensor));
static_assert(offsetof(AbiTensor, data) == offsetof(DLTensor, data));
static_assert(offsetof(AbiTensor, device) == offsetof(DLTensor, device));
static_assert(offsetof(AbiTensor, ndim) == offsetof(DLTensor, ndim));
static_assert(offsetof(AbiTensor, dtype) == offsetof(DLTensor, dtype));
static_assert(offsetof(AbiTensor, shape) == offsetof(DLTensor, shape));
static_assert(offsetof(AbiTensor, strides) == offsetof(DLTensor, strides));
static_assert(offsetof(AbiTensor, byte_offset) == offsetof(DLTensor, byte_offset));
static_assert(sizeof(AbiType) == sizeof(DLDataType));
static_assert(offsetof(AbiType, lanes) == offsetof(DLDataType, lanes));
static_assert(sizeof(AbiObjectHeader) == sizeof(TVMFFIObject));
static_assert(offsetof(AbiObjectHeader, type_index) == offsetof(TVMFFIObject, type_index));
static_assert(sizeof(ParallelEnvironment) == sizeof(TVMParallelGroupEnv));
static_assert(offsetof(ParallelEnvironment, num_task) == offsetof(TVMParallelGroupEnv, num_task));

// Enumerators of different types have no common type to compare in.
template <auto kOurs, auto kTheirs>
constexpr bool kSame = static_cast<int>(kOurs) == static_cast<int>(kTheirs);
static_assert(kSame<kNone, kTVMFFINone> && kSame<kInt, kTVMFFIInt> && kSame<kBool, kTVMFFIBool>);
static_assert(kSame<kFloat, kTVMFFIFloat> && kSame<kOpaquePointer, kTVMFFIOpaquePtr>);
static_assert(kSame<kTensorPointer, kTVMFFIDLTensorPtr> && kSame<kRawString, kTVMFFIRawStr>);
static_assert(kSame<kStringObject, kTVMFFIStr> && kSame<kFunctionObject, kTVMFFIFunction>);
static_assert(kSame<kTensorObject, kTVMFFITensor> &&
              kSame<kStaticObjectBegin, kTVMFFIStaticObjectBegin>);
static_assert(kSame<kIntCode, kDLInt> && kSame<kUIntCode, kDLUInt> && kSame<kFloatCode, kDLFloat>);
static_assert(kSame<kHandleCode, kDLOpaqueHandle> && kSame<kBfloatCode, kDLBfloat>);
static_assert(kSame<kBoolCode, kDLBool> && kSame<kFloat8E4M3FNCode, kDLFloat8_e4m3fn> &&
              kSame<kFloat8E5M2Code, kDLFloat8_e5m2>);
static_assert(kSame<kCpuDevice, kDLCPU> && kSame<kCudaDevice, kDLCUDA>);

TEST(RuntimeSymbols, HaveTheTypesThatTheHeadersDeclare) {
  std::set<std::string_view> names;
  for (const RuntimeSymbol& symbol : RuntimeSymbols()) {
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
    names.insert(symbol.name);
  }
  // Compiles only where the header declares the name.
#define EXPECT_IMPLEMENTED(name)                         \
  do {                                                   \
    [[maybe_unused]] decltype(&name) declared = nullptr; \
    EXPECT_TRUE(names.contains(#name)) << #name;         \
  } while (false)
  EXPECT_IMPLEMENTED(TVMBackendAllocWorkspace);
  EXPECT_IMPLEMENTED(TVMBackendFreeWorkspace);
  EXPECT_IMPLEMENTED(TVMBackendParallelLaunch);
  EXPECT_IMPLEMENTED(TVMBackendParallelBarrier);
  EXPECT_IMPLEMENTED(TVMFFIErrorSetRaisedFromCStr);
  EXPECT_IMPLEMENTED(TVMFFIErrorSetRaisedFromCStrParts);
  EXPECT_IMPLEMENTED(TVMFFIFunctionCall);
  EXPECT_IMPLEMENTED(TVMFFIHandleInitOnce);
  EXPECT_IMPLEMENTED(TVMFFIEnvModLookupFromImports);
  EXPECT_IMPLEMENTED(TVMFFIEnvModRegisterSystemLibSymbol);
#undef EXPECT_IMPLEMENTED
}

}  // namespace
}  // namespace irate::contract
