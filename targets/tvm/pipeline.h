// The default lowering pipeline for CPU targets, and pass steps as TVM passes.
//
// TVM's own pipeline is Python (tvm/s_tir/pipeline.py and tvm/tirx/build.py in the wheel). Ours is
// "pipeline" in pass_map.json; tests/targets/tvm/pipeline_test.py holds it against the wheel's,
// pass by pass and result by result.
#pragma once

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_field.h"
#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

using Config = google::protobuf::RepeatedPtrField<Attribute>;

// Bind the target, lower, finalise the host functions. `config` switches steps as in TVM.
absl::StatusOr<PassSequence> DefaultPipeline(const Config& config);

// The same of a device target. The wheel runs LowerWarpMemory and LowerIntrin on device functions
// and LowerTVMBuiltin and LowerIntrin on host functions; each leaves the other kind alone, so here
// they run on the whole module.
absl::StatusOr<PassSequence> DevicePipeline(const Config& config);

// The transform.Pass of a step. "tirx.transform.BindTarget" takes `target`; all other passes take
// the step's arguments. NotFound if TVM has no pass of that name; InvalidArgument if it does not
// take these arguments.
absl::StatusOr<Any> MakePass(const PassStep& step, const Any& target);

// The transform.PassContext of a Case, entered. Options whose value is an object are given field by
// field: "tirx.UnrollLoop.auto_max_step".
class PassContext {
 public:
  // Throws tvm::ffi::Error if TVM does not know an option or refuses its value.
  explicit PassContext(const Config& config);
  ~PassContext();
  PassContext(const PassContext&) = delete;
  PassContext& operator=(const PassContext&) = delete;

 private:
  Any context_;
};

}  // namespace irate::tvm_target
