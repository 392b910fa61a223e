#include "targets/tvm/external_functions.h"

#include <string>

#include "execution/contract/external_functions.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {
namespace {

// The layouts agree: tests/execution/contract/packed_abi_test.cc.
int Call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const auto& function = *static_cast<const ExternalFunction*>(self);
  const std::string wrong =
      contract::RunExternal(function, reinterpret_cast<const contract::PackedAny*>(args), num_args,
                            reinterpret_cast<contract::PackedAny*>(result));
  if (wrong.empty()) return 0;
  // A defined program calls as it should: whoever passes something else is broken.
  TVMFFIErrorSetRaisedFromCStr("InternalError", wrong.c_str());
  return -1;
}

bool RegisterAll() {
  for (const ExternalFunction& function : ExternalFunctions()) {
    TVMFFIObjectHandle handle = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(
        TVMFFIFunctionCreate(const_cast<ExternalFunction*>(&function), Call, nullptr, &handle));
    const TVMFFIByteArray name = {function.name.data(), function.name.size()};
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobal(&name, handle, 1));
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIObjectDecRef(handle));
  }
  return true;
}

}  // namespace

void RegisterExternalFunctions() {
  static const bool kRegistered = RegisterAll();
  static_cast<void>(kRegistered);
}

}  // namespace irate::tvm_target
