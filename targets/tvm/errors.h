// Errors that TVM throws, as Failures.
//
// TVM 0.27 throws one C++ type, tvm::ffi::Error, with a kind as text (tvm/ffi/error.h):
//
//  * "InternalError" is what a failed TVM_FFI_ICHECK, LOG(FATAL) and any std::exception that
//    crosses the FFI border have: INTERNAL_ERROR. (std::bad_alloc: OUT_OF_MEMORY.) Kinds of
//    programming errors, "AssertionError", "IndexError", "KeyError" and "AttributeError", come from
//    inside a pass only if it is wrong: INTERNAL_ERROR too.
//  * Every other kind ("ValueError", "TypeError", "RuntimeError", "NotImplementedError",
//    "ScheduleError", "DiagnosticError") is how TVM tells a user what it does not accept:
//    DIAGNOSTIC, unless its message is that of a failed internal check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/observation.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

Failure::Kind ClassifyError(std::string_view kind, std::string_view message);

Failure DescribeError(const ffi::Error& error, Stage stage, int step, const std::string& pass);

// The functions of a tvm-ffi backtrace, innermost first: without files, lines, addresses and
// parameter lists; without the frames that raise an error and those of the FFI call and of the
// harness below it. At most 32.
std::vector<std::string> FramesOf(std::string_view backtrace);

}  // namespace irate::tvm_target
