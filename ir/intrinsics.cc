#include "ir/intrinsics.h"

#include <algorithm>
#include <array>

namespace irate {
namespace {

using enum IntrinsicKind;
using enum IntrinsicSignature;

// Names and arities as TVM 0.27 registers them (ir.ListOpNames, "tirx.*" and "prim.*"). Where it
// registers another arity than its own constructors use (fmod, q_multiply_shift, tvm_struct_get
// with an index), both are accepted or the constructors' is taken.
constexpr auto kUnsorted = std::to_array<Intrinsic>({
    {"exp", kMath, 1, 1, kFloats},
    {"exp2", kMath, 1, 1, kFloats},
    {"exp10", kMath, 1, 1, kFloats},
    {"log", kMath, 1, 1, kFloats},
    {"log2", kMath, 1, 1, kFloats},
    {"log10", kMath, 1, 1, kFloats},
    {"log1p", kMath, 1, 1, kFloats},
    {"sqrt", kMath, 1, 1, kFloats},
    {"rsqrt", kMath, 1, 1, kFloats},
    {"sigmoid", kMath, 1, 1, kFloats},
    {"sin", kMath, 1, 1, kFloats},
    {"cos", kMath, 1, 1, kFloats},
    {"tan", kMath, 1, 1, kFloats},
    {"asin", kMath, 1, 1, kFloats},
    {"acos", kMath, 1, 1, kFloats},
    {"atan", kMath, 1, 1, kFloats},
    {"sinh", kMath, 1, 1, kFloats},
    {"cosh", kMath, 1, 1, kFloats},
    {"tanh", kMath, 1, 1, kFloats},
    {"asinh", kMath, 1, 1, kFloats},
    {"acosh", kMath, 1, 1, kFloats},
    {"atanh", kMath, 1, 1, kFloats},
    {"erf", kMath, 1, 1, kFloats},
    {"floor", kMath, 1, 1, kFloats},
    {"ceil", kMath, 1, 1, kFloats},
    {"trunc", kMath, 1, 1, kFloats},
    {"round", kMath, 1, 1, kFloats},
    {"nearbyint", kMath, 1, 1, kFloats},
    {"fabs", kMath, 1, 1, kFloats},
    {"isnan", kMath, 1, 1, kFloatTest},
    {"isinf", kMath, 1, 1, kFloatTest},
    {"isfinite", kMath, 1, 1, kFloatTest},
    {"pow", kMath, 2, 2, kFloats},
    {"fmod", kMath, 2, 2, kFloats},
    {"atan2", kMath, 2, 2, kFloats},
    {"hypot", kMath, 2, 2, kFloats},
    {"nextafter", kMath, 2, 2, kFloats},
    {"copysign", kMath, 2, 2, kFloats},
    {"ldexp", kMath, 2, 2, kFloatAndInt},
    {"fma", kMath, 3, 3, kFloats},

    {"popcount", kInteger, 1, 1, kIntegers},
    {"ctpop", kInteger, 1, 1, kIntegers},
    {"clz", kInteger, 1, 1, kIntegerCount},
    {"q_multiply_shift", kInteger, 4, 4, kIntegers},
    {"q_multiply_shift_per_axis", kInteger, 7, 7},
    {"dp4a", kInteger, 3, 3},
    {"vscale", kInteger, 0, 0},
    {"get_active_lane_mask", kInteger, 2, 2},

    {"likely", kHint, 1, 1, kCondition},
    {"assume", kHint, 1, 1},
    {"undef", kHint, 0, 0},
    {"ignore_loop_partition", kHint, 1, 1},
    {"tvm_thread_invariant", kHint, 1, 1},
    {"prefetch", kHint, 1, -1},
    {"type_annotation", kHint, 0, -1},
    {"tvm_tuple", kHint, 0, -1},
    // Values of attributes only: a list, and keys and values by turns (targets/tvm/attributes.h).
    {"array", kHint, 0, -1},
    {"map", kHint, 0, -1},

    {"address_of", kMemory, 1, 1},
    {"buffer_data", kMemory, 1, 1},
    {"buffer_offset", kMemory, 2, 2},
    {"tvm_access_ptr", kMemory, 5, 5},
    {"handle_add_byte_offset", kMemory, 2, 2},
    {"ptr_byte_offset", kMemory, 3, 3},
    {"isnullptr", kMemory, 1, 1},
    {"tvm_static_handle", kMemory, 0, 0},
    {"tvm_context_id", kMemory, 0, 0},
    {"lookup_param", kMemory, 1, 4},
    {"masked_load", kMemory, 1, -1},
    {"masked_store", kMemory, 1, -1},
    {"nd_mem_alloc_with_scope", kMemory, 1, -1},
    {"tvm_struct_get", kMemory, 3, 4},
    {"tvm_struct_set", kMemory, 4, 4},
    {"tvm_stack_alloca", kMemory, 2, 2},
    {"tvm_stack_make_shape", kMemory, 0, -1},
    {"tvm_stack_make_array", kMemory, 6, 6},
    {"TVMBackendAllocWorkspace", kMemory, 5, 5},
    {"TVMBackendFreeWorkspace", kMemory, 3, 3},
    {"vectorlow", kMemory, 1, 1},
    {"vectorhigh", kMemory, 1, 1},
    {"vectorcombine", kMemory, 2, 2},

    {"tvm_call_packed", kCall, 1, -1},
    {"tvm_call_cpacked", kCall, 1, -1},
    {"tvm_call_trace_packed", kCall, 1, -1},
    {"tvm_call_packed_lowered", kCall, 4, 5},
    {"tvm_call_cpacked_lowered", kCall, 4, 5},
    {"tvm_call_trace_packed_lowered", kCall, 4, 6},
    {"tvm_throw_last_error", kCall, 0, 0},
    {"call_extern", kCall, 1, -1},
    {"call_pure_extern", kCall, 1, -1},
    {"call_llvm_intrin", kCall, 1, -1},
    {"call_llvm_pure_intrin", kCall, 1, -1},

    {"tvm_storage_sync", kDevice, 1, -1},
    {"tvm_thread_allreduce", kDevice, 3, -1},
    // The value of a reduce_scope attribute: its own value, and the combiner
    // let x0 = e0 in let y0 = e0 in ... array(results).
    {"comm_reducer", kDevice, 2, 2},
    {"tvm_warp_shuffle", kDevice, 5, 5},
    {"tvm_warp_shuffle_up", kDevice, 5, 5},
    {"tvm_warp_shuffle_down", kDevice, 5, 5},
    {"tvm_warp_shuffle_xor", kDevice, 5, 5},
    {"tvm_warp_activemask", kDevice, 0, 0},
    {"tvm_global_barrier_kinit", kDevice, 0, -1},
    {"tvm_kernel_replace_point", kDevice, 0, 0},
    {"atomic_add", kDevice, 2, -1},

    {"break_loop", kControl, 0, 0},
    {"continue_loop", kControl, 0, 0},
    {"thread_return", kControl, 0, 0},
});

constexpr auto kIntrinsics = [] {
  auto sorted = kUnsorted;
  std::ranges::sort(sorted, {}, &Intrinsic::name);
  return sorted;
}();
static_assert(std::ranges::adjacent_find(kIntrinsics, {}, &Intrinsic::name) == kIntrinsics.end());

}  // namespace

std::span<const Intrinsic> Intrinsics() { return kIntrinsics; }

const Intrinsic* FindIntrinsic(std::string_view name) {
  const auto found = std::ranges::lower_bound(kIntrinsics, name, {}, &Intrinsic::name);
  return found != kIntrinsics.end() && found->name == name ? &*found : nullptr;
}

}  // namespace irate
