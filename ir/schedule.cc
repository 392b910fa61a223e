#include "ir/schedule.h"

#include <array>
#include <utility>

#include "fmt/format.h"
#include "ir/index_map.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum StepParam;

constexpr auto kPrimitives = std::to_array<PrimitiveInfo>({
    {"merge", "Merge", {kLoops}},
    {"fuse", "Fuse", {kLoops, kBool}},
    {"split", "Split", {kLoop, kFactors, kBool, kBool}},
    {"loop_partition", "LoopPartition", {kLoop, kFactors, kBool}},
    {"reorder", "Reorder", {kLoops}},
    {"reorder_block_iter_var", "ReorderBlockIterVar", {kBlock, kInts}},
    {"add_unit_loop", "AddUnitLoop", {kTarget}},
    {"parallel", "Parallel", {kLoop}},
    {"vectorize", "Vectorize", {kLoop}},
    {"bind", "Bind", {kLoop, kText}},
    {"unroll", "Unroll", {kLoop}},
    {"cache_read", "CacheRead", {kBlock, kInt, kScope, kBlocks}},
    {"cache_write", "CacheWrite", {kBlock, kInt, kScope, kBlocks}},
    {"reindex_cache_read", "ReindexCacheRead", {kBlock, kInt, kScope, kIndexMap}},
    {"reindex_cache_write", "ReindexCacheWrite", {kBlock, kInt, kScope, kIndexMap}},
    {"cache_inplace", "CacheInplace", {kBlock, kInt, kScope}},
    {"cache_index", "CacheIndex", {kBlock, kScope, kInt}},
    {"reindex", "ReIndex", {kBlock, kBuffer}},
    {"read_at", "ReadAt", {kLoop, kBlock, kInt, kScope}},
    {"write_at", "WriteAt", {kLoop, kBlock, kInt, kScope}},
    {"compute_at", "ComputeAt", {kBlock, kLoop, kBool, kInt}},
    {"reverse_compute_at", "ReverseComputeAt", {kBlock, kLoop, kBool, kInt}},
    {"compute_inline", "ComputeInline", {kBlock}},
    {"reverse_compute_inline", "ReverseComputeInline", {kBlock}},
    {"fuse_reduction_epilogue", "FuseReductionEpilogue", {kBlock, kBlock}},
    {"decompose_reduction", "DecomposeReduction", {kBlock, kLoop}},
    {"rfactor", "RFactor", {kLoop, kInt}},
    {"storage_align", "StorageAlign", {kBlock, kInt, kInt, kInt, kInt}},
    {"set_scope", "SetScope", {kBlock, kInt, kScope}},
    {"unsafe_set_dtype", "UnsafeSetDType", {kBlock, kInt, kText}},
    {"blockize", "Blockize", {kTargets, kBool}},
    {"tensorize", "Tensorize", {kTarget, kText, kBool}},
    {"annotate", "Annotate", {kTarget, kText, kValue}},
    {"unannotate", "Unannotate", {kTarget, kText}},
    {"transform_layout", "TransformLayout", {kBlock, kBuffer, kIndexMap, kPadValue}},
    {"transform_block_layout", "TransformBlockLayout", {kBlock, kIndexMap}},
    {"decompose_padding", "DecomposePadding", {kBlock, kLoop}},
    {"pad_einsum", "PadEinsum", {kBlock, kInts}},
    {"rolling_buffer", "RollingBuffer", {kBlock, kInt}},
    {"annotate_buffer_access", "AnnotateBufferAccess", {kBlock, kInt, kText, kRegions}},
    {"unsafe_hide_buffer_access", "UnsafeHideBufferAccess", {kBlock, kText, kInts}},
});

// Takes arguments one after the other.
class Taker {
 public:
  explicit Taker(const ScheduleStep& step) : step_(step) {}

  absl::StatusOr<std::vector<StepArgument>> Take() {
    const PrimitiveInfo* primitive = FindPrimitive(step_.primitive());
    if (primitive == nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("there is no schedule primitive '{}'", step_.primitive()));
    }
    if (step_.strings_size() != 0) return Fail("strings beside the arguments");
    std::vector<StepArgument> arguments;
    for (const StepParam kind : primitive->params) {
      if (kind == kNone) break;
      StepArgument argument;
      argument.kind = kind;
      IRATE_RETURN_IF_ERROR(TakeOne(&argument));
      arguments.push_back(std::move(argument));
    }
    if (next_ != step_.args_size()) return Fail("too many arguments");
    return arguments;
  }

 private:
  const Expr* Peek() const { return next_ < step_.args_size() ? &step_.args(next_) : nullptr; }
  bool AtText() const { return Peek() != nullptr && Peek()->op() == STRING; }
  bool AtInt() const {
    return Peek() != nullptr && Peek()->op() == CONST && Peek()->type() == I32 &&
           Peek()->lanes() == 0;
  }

  bool TakeText(StepArgument* argument) {
    if (!AtText()) return false;
    argument->texts.push_back(Peek()->name());
    ++next_;
    return true;
  }
  bool TakeInt(StepArgument* argument) {
    if (!AtInt()) return false;
    argument->ints.push_back(Peek()->int_value());
    ++next_;
    return true;
  }
  bool TakeLoop(StepArgument* argument) { return TakeText(argument) && TakeInt(argument); }

  absl::Status TakeTarget(StepArgument* argument, bool several) {
    if (!TakeText(argument)) return Fail("no loop and no block");
    argument->is_loop = TakeInt(argument);
    while (several && !argument->is_loop && AtText()) TakeText(argument);
    return absl::OkStatus();
  }

  absl::Status TakeMap(StepArgument* argument) {
    if (!TakeText(argument)) return Fail("no index map");
    const absl::StatusOr<IndexMap> map = ParseIndexMap(argument->texts[0]);
    if (!map.ok()) return Fail(std::string(map.status().message()));
    if (argument->kind == kRegions && map->outputs.size() % 2 != 0) return Fail("half a region");
    return absl::OkStatus();
  }

  absl::Status TakeOne(StepArgument* argument) {
    switch (argument->kind) {
      case kBlock:
        return TakeText(argument) ? absl::OkStatus() : Fail("no block");
      case kScope:
      case kText:
        return TakeText(argument) ? absl::OkStatus() : Fail("no string");
      case kBlocks:
        while (AtText()) TakeText(argument);
        return absl::OkStatus();
      case kLoop:
        return TakeLoop(argument) ? absl::OkStatus() : Fail("no loop");
      case kLoops:
        while (AtText()) {
          if (!TakeLoop(argument)) return Fail("a block without the number of a loop");
        }
        return argument->ints.empty() ? Fail("no loop") : absl::OkStatus();
      case kTarget:
        return TakeTarget(argument, false);
      case kTargets:
        return TakeTarget(argument, true);
      case kInt:
        return TakeInt(argument) ? absl::OkStatus() : Fail("no number");
      case kInts:
      case kFactors:
        while (AtInt()) TakeInt(argument);
        return argument->ints.empty() ? Fail("no numbers") : absl::OkStatus();
      case kBool:
        if (Peek() == nullptr || Peek()->op() != CONST || Peek()->type() != BOOL) {
          return Fail("no boolean");
        }
        argument->ints.push_back(Peek()->int_value());
        ++next_;
        return absl::OkStatus();
      case kValue:
        while (AtText() || AtInt()) argument->values.push_back(step_.args(next_++));
        return argument->values.empty() ? Fail("no value") : absl::OkStatus();
      case kIndexMap:
      case kRegions:
        return TakeMap(argument);
      case kBuffer:
        if (!TakeText(argument) || !TakeInt(argument)) return Fail("no buffer");
        return argument->texts[0] == "read" || argument->texts[0] == "write"
                   ? absl::OkStatus()
                   : Fail("a buffer that is neither read nor write");
      case kPadValue:
        if (Peek() != nullptr && Peek()->op() == CONST) {
          argument->values.push_back(step_.args(next_++));
        }
        return absl::OkStatus();
      case kNone:
        break;
    }
    return absl::OkStatus();
  }

  absl::Status Fail(std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: argument {}: {}", step_.primitive(), next_, what));
  }

  const ScheduleStep& step_;
  int next_ = 0;
};

}  // namespace

std::span<const PrimitiveInfo> Primitives() { return kPrimitives; }

const PrimitiveInfo* FindPrimitive(std::string_view name) {
  for (const PrimitiveInfo& info : kPrimitives) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

absl::StatusOr<std::vector<StepArgument>> ParseStep(const ScheduleStep& step) {
  return Taker(step).Take();
}

Expr StepInt(int64_t value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(I32);
  expr.set_int_value(value);
  return expr;
}

Expr StepBool(bool value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(BOOL);
  expr.set_int_value(value ? 1 : 0);
  return expr;
}

Expr StepText(std::string_view text) {
  Expr expr;
  expr.set_op(STRING);
  expr.set_name(std::string(text));
  return expr;
}

}  // namespace irate
