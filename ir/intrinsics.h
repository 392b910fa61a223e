// The names that CALL may carry, with what every consumer needs to know about them.
//
// A name is TVM's operator name without its dialect ("tirx.exp" is "exp"); a call of another
// function of the module is "@" and its name. Names that are not in the table occur only in modules
// lifted from a compiler; the interpreter reports them as unsupported.
#pragma once

#include <span>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate {

enum class IntrinsicKind {
  kMath,     // pure, floats to float: exp, sqrt, pow, ...
  kInteger,  // pure, integers: popcount, clz, ...
  kHint,     // the value of its argument: likely; or nothing: assume
  kMemory,   // address_of, access_ptr, handle_add_byte_offset, isnullptr, struct_get, ...
  kCall,     // call_packed, call_extern, ...
  kDevice,   // barriers, shuffles, allreduce: meaning with the device tier
  kControl,  // break_loop, continue_loop, thread_return: jumps in the form of calls
};

// What the verifier asks of operands and result in source programs.
enum class IntrinsicSignature {
  kAny,           // nothing
  kFloats,        // operands and result of one float type
  kFloatTest,     // a float to BOOL
  kFloatAndInt,   // a float and an integer to that float type
  kIntegers,      // operands and result of one integer type
  kIntegerCount,  // an integer to an integer, perhaps of another type
  kCondition,     // BOOL to BOOL
};

struct Intrinsic {
  std::string_view name;
  IntrinsicKind kind;
  int min_args;
  int max_args;  // -1: any number
  IntrinsicSignature signature = IntrinsicSignature::kAny;
};

std::span<const Intrinsic> Intrinsics();  // sorted by name
const Intrinsic* FindIntrinsic(std::string_view name);

}  // namespace irate
