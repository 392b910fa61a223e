// The external functions of ir/external.h, registered with TVM's runtime: what generated code finds
// by name after the module's own imports (TVMFFIEnvModLookupFromImports).
#pragma once

namespace irate::tvm_target {

// Later calls do nothing. Throws tvm::ffi::Error where TVM refuses.
void RegisterExternalFunctions();

}  // namespace irate::tvm_target
