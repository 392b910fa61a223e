#include "ir/intrinsics.h"

#include <array>

namespace irate {
namespace {

using enum IntrinsicKind;

// Names and arities as registered by TVM 0.27 (ir.ListOpNames, "tirx.*").
constexpr auto kIntrinsics = std::to_array<Intrinsic>({
    {"exp", kMath, 1, 1},
    {"exp2", kMath, 1, 1},
    {"exp10", kMath, 1, 1},
    {"log", kMath, 1, 1},
    {"log2", kMath, 1, 1},
    {"log10", kMath, 1, 1},
    {"log1p", kMath, 1, 1},
    {"sqrt", kMath, 1, 1},
    {"rsqrt", kMath, 1, 1},
    {"sigmoid", kMath, 1, 1},
    {"sin", kMath, 1, 1},
    {"cos", kMath, 1, 1},
    {"tan", kMath, 1, 1},
    {"asin", kMath, 1, 1},
    {"acos", kMath, 1, 1},
    {"atan", kMath, 1, 1},
    {"sinh", kMath, 1, 1},
    {"cosh", kMath, 1, 1},
    {"tanh", kMath, 1, 1},
    {"asinh", kMath, 1, 1},
    {"acosh", kMath, 1, 1},
    {"atanh", kMath, 1, 1},
    {"erf", kMath, 1, 1},
    {"floor", kMath, 1, 1},
    {"ceil", kMath, 1, 1},
    {"trunc", kMath, 1, 1},
    {"round", kMath, 1, 1},
    {"nearbyint", kMath, 1, 1},
    {"fabs", kMath, 1, 1},
    {"isnan", kMath, 1, 1},
    {"pow", kMath, 2, 2},
    {"fmod", kMath, 2, 2},
    {"atan2", kMath, 2, 2},
    {"hypot", kMath, 2, 2},
    {"nextafter", kMath, 2, 2},
    {"copysign", kMath, 2, 2},
    {"ldexp", kMath, 2, 2},
    {"fma", kMath, 3, 3},
    {"popcount", kInteger, 1, 1},
    {"clz", kInteger, 1, 1},
    {"q_multiply_shift", kInteger, 4, 4},
    {"likely", kHint, 1, 1},
    {"assume", kHint, 1, 1},
    {"undef", kHint, 0, 0},
    {"address_of", kMemory, 1, 1},
    {"tvm_access_ptr", kMemory, 5, 5},
    {"handle_add_byte_offset", kMemory, 2, 2},
    {"isnullptr", kMemory, 1, 1},
    {"tvm_struct_get", kMemory, 3, 4},
    {"tvm_struct_set", kMemory, 4, 4},
    {"tvm_stack_alloca", kMemory, 2, 2},
    {"tvm_stack_make_shape", kMemory, 0, -1},
    {"tvm_stack_make_array", kMemory, 6, 6},
    {"vectorlow", kMemory, 1, 1},
    {"vectorhigh", kMemory, 1, 1},
    {"vectorcombine", kMemory, 2, 2},
    {"tvm_call_packed", kCall, 1, -1},
    {"tvm_call_cpacked", kCall, 1, -1},
    {"tvm_call_packed_lowered", kCall, 4, 5},
    {"tvm_call_cpacked_lowered", kCall, 4, 5},
    {"tvm_throw_last_error", kCall, 0, 0},
    {"call_extern", kCall, 1, -1},
    {"call_pure_extern", kCall, 1, -1},
    {"call_llvm_intrin", kCall, 1, -1},
    {"call_llvm_pure_intrin", kCall, 1, -1},
    {"tvm_storage_sync", kDevice, 1, -1},
    {"tvm_thread_allreduce", kDevice, 3, -1},
    {"tvm_warp_shuffle", kDevice, 5, 5},
    {"tvm_warp_shuffle_up", kDevice, 5, 5},
    {"tvm_warp_shuffle_down", kDevice, 5, 5},
    {"tvm_warp_activemask", kDevice, 0, 0},
    {"atomic_add", kDevice, 2, 2},
});

}  // namespace

std::span<const Intrinsic> Intrinsics() { return kIntrinsics; }

const Intrinsic* FindIntrinsic(std::string_view name) {
  for (const Intrinsic& intrinsic : kIntrinsics) {
    if (intrinsic.name == name) return &intrinsic;
  }
  return nullptr;
}

}  // namespace irate
