#include "targets/tvm/pipeline.h"

#include <initializer_list>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "targets/tvm/attributes.h"

namespace irate::tvm_target {
namespace {

constexpr char kBindTarget[] = "tirx.transform.BindTarget";

Expr IntArgument(ScalarType type, int64_t value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type);
  expr.set_int_value(value);
  return expr;
}

Expr TextArgument(const std::string& text) {
  Expr expr;
  expr.set_op(STRING);
  expr.set_name(text);
  return expr;
}

Any RefuseExpression(const Expr& /*expr*/) {
  TVM_FFI_THROW(ValueError) << "only constants and strings can be given here";
}

class Steps {
 public:
  void Add(const std::string& name, std::initializer_list<Expr> args = {}) {
    PassStep* step = sequence_.add_steps();
    step->set_name(name);
    for (const Expr& arg : args) *step->add_args() = arg;
  }
  void AddAll(std::initializer_list<const char*> names) {
    for (const char* name : names) Add(name);
  }
  PassSequence Take() { return std::move(sequence_); }

 private:
  PassSequence sequence_;
};

bool IsOn(const Config& config, std::string_view option) {
  for (const Attribute& attribute : config) {
    if (attribute.key() == option) return attribute.value().int_value() != 0;
  }
  return false;
}

}  // namespace

PassSequence DefaultPipeline(const Config& config) {
  Steps steps;
  steps.AddAll({kBindTarget, "s_tir.transform.CanonicalizeLoop",
                "s_tir.transform.LowerCrossThreadReduction", "s_tir.transform.LowerInitBlock",
                "s_tir.transform.PlanAndUpdateBufferAllocationLocation",
                "s_tir.transform.ConvertBlocksToOpaque", "s_tir.transform.LiftThreadBinding",
                "s_tir.transform.ManifestSharedMemoryLocalStage"});
  steps.Add("s_tir.transform.CompactBufferAllocation", {IntArgument(BOOL, 1)});
  steps.AddAll({"s_tir.transform.LowerAutoCopy", "s_tir.transform.UnifyThreadBinding",
                "s_tir.transform.LowerMatchBuffer", "s_tir.transform.StmtSimplify",
                "s_tir.transform.InjectPermutedLayout", "s_tir.transform.AnnotateIrregularLoop",
                "s_tir.transform.InjectSoftwarePipeline",
                "s_tir.transform.TransformMmaBufferLayout", "s_tir.transform.LowerOpaqueBlock",
                "tirx.transform.FlattenBuffer", "tirx.transform.BF16ComputeLegalize"});
  steps.Add("tirx.transform.NarrowDataType", {IntArgument(I32, 32)});
  steps.Add("s_tir.transform.LoopPartition");
  steps.Add("tirx.transform.VectorizeLoop",
            {IntArgument(BOOL, IsOn(config, "tirx.disable_vectorize") ? 0 : 1)});
  steps.AddAll({"s_tir.transform.InjectVirtualThread", "s_tir.transform.InjectDoubleBuffer"});
  if (!IsOn(config, "tirx.disable_storage_rewrite")) steps.Add("tirx.transform.StorageRewrite");
  if (IsOn(config, "tirx.use_async_copy")) steps.Add("s_tir.transform.LowerAsyncDMA");
  steps.AddAll({"s_tir.transform.HoistIfThenElse", "tirx.transform.UnrollLoop",
                "s_tir.transform.RenormalizeSplitPattern", "tirx.transform.StmtSimplify",
                "tirx.transform.RemoveNoOp", "s_tir.transform.RewriteUnsafeSelect"});
  if (IsOn(config, "tirx.instrument_bound_checkers")) {
    steps.Add("s_tir.transform.InstrumentBoundCheckers");
  }
  if (IsOn(config, "tirx.s_tir.ldg32")) {
    steps.Add("s_tir.transform.InjectPTXLDG32", {IntArgument(BOOL, 1)});
  }
  if (!IsOn(config, "tirx.disable_cse_tir")) steps.Add("tirx.transform.CommonSubexprElim");
  if (IsOn(config, "tirx.instrument_lwp")) {
    steps.Add("s_tir.transform.InstrumentProfileIntrinsics");
  }
  steps.Add("tirx.transform.FP8ComputeLegalize", {TextArgument("float32")});
  steps.AddAll({"s_tir.transform.VerifyVTCMLimit", "s_tir.transform.LowerVtcmAlloc",
                "tirx.transform.VerifyMemory", "tirx.transform.AnnotateEntryFunc"});
  for (const char* scope : {"shared", "shared.dyn", "warp"}) {
    steps.Add("s_tir.transform.ThreadSync", {TextArgument(scope)});
  }
  steps.AddAll({"s_tir.transform.InferFragment", "s_tir.transform.LowerThreadAllreduce"});
  if (IsOn(config, "tirx.use_async_copy")) steps.Add("s_tir.transform.InjectPTXAsyncCopy");
  if (IsOn(config, "tirx.s_tir.ldg32")) {
    steps.Add("s_tir.transform.InjectPTXLDG32", {IntArgument(BOOL, 1)});
  }
  steps.AddAll({"s_tir.transform.MergeSharedMemoryAllocations", "tirx.transform.SplitHostDevice",
                "tirx.transform.MakePackedAPI", "tirx.transform.FP8StorageLegalize",
                "tirx.transform.BF16StorageLegalize", "tirx.transform.LowerTVMBuiltin",
                "tirx.transform.LowerIntrin"});
  if (IsOn(config, "tirx.disable_assert")) steps.Add("tirx.transform.SkipAssert");
  PassSequence sequence = steps.Take();
  *sequence.mutable_config() = config;
  return sequence;
}

absl::StatusOr<Any> MakePass(const PassStep& step, const Any& target) {
  const std::optional<ffi::Function> make = ffi::Function::GetGlobal(step.name());
  if (!make.has_value()) {
    return absl::NotFoundError(absl::StrCat("TVM has no pass named '", step.name(), "'"));
  }
  try {
    std::vector<Any> args;
    if (step.name() == kBindTarget) args.push_back(target);
    for (const Expr& arg : step.args()) args.push_back(AttributeToNative(arg, RefuseExpression));
    // The target is taken from the functions.
    if (step.name() == "s_tir.transform.VerifyVTCMLimit" && args.empty()) args.emplace_back();
    std::vector<ffi::AnyView> views(args.begin(), args.end());
    Any pass;
    make->CallPacked(views.data(), static_cast<int32_t>(views.size()), &pass);
    return pass;
  } catch (const ffi::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("pass '", step.name(), "' does not take these arguments: ", error.message()));
  }
}

PassContext::PassContext(const Config& config) {
  static const auto& options = *new std::unordered_set<std::string>([] {
    std::unordered_set<std::string> names;
    for (const auto& [name, facts] : Native<"transform.ListConfigs">().cast<ffi::Map<Any, Any>>()) {
      names.insert(ToString(name));
    }
    return names;
  }());
  AnyMap values;
  for (const Attribute& attribute : config) {
    const Any value = AttributeToNative(attribute.value(), RefuseExpression);
    const size_t dot = attribute.key().rfind('.');
    const std::string owner = attribute.key().substr(0, dot);
    if (options.contains(attribute.key()) || dot == std::string::npos || !options.contains(owner)) {
      values.Set(attribute.key(), value);
      continue;
    }
    AnyMap fields;
    if (const auto known = values.Get(owner); known.has_value()) fields = known->cast<AnyMap>();
    fields.Set(attribute.key().substr(dot + 1), value);
    values.Set(owner, fields);
  }
  // Optimisation level 2 is that of Python's PassContext().
  context_ = Native<"transform.PassContext">(2, AnyArray(), AnyArray(), AnyArray(), values);
  Native<"transform.EnterPassContext">(context_);
}

PassContext::~PassContext() { Native<"transform.ExitPassContext">(context_); }

}  // namespace irate::tvm_target
