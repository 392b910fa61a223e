// Features: the named things a generated Case may contain, each with a switch and a weight.
//
// A feature is a property of the Case that anyone can check: but for the families and a few that
// only the inputs show, it is visible in the IR, and generators/feature_scan.h decides whether it
// is there. So Case.features never claims what the program lost on its way, a mutated or imported
// Case has features too, and "disabled means never produced" is a test and not a hope.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace irate {

enum class Feature : uint8_t {
  // Families: which generator made the Case.
  kFamilyElementwise,
  kFamilyReduction,
  kFamilyStencil,
  kFamilyMatmul,
  kFamilyTranspose,
  kFamilyReshape,
  kFamilyGuards,
  kFamilyLocals,
  kFamilyScan,
  kFamilyGather,
  kFamilyArgReduce,
  kFamilyConcat,
  kFamilyWhile,
  kFamilyVectors,
  kFamilyCalls,
  kFamilyViews,
  kFamilyCasts,
  kFamilyMath,
  kFamilyExternal,
  // Loops.
  kLoopParallel,
  kLoopVectorized,
  kLoopUnrolled,
  kLoopNonzeroMin,
  kLoopStep,
  kLoopOneExtent,
  kLoopZeroExtent,
  kLoopTriangular,
  kLoopSymbolic,
  kLoopI64,
  // Kinds of loops around each other (any number of levels apart).
  kNestParallelInSerial,
  kNestParallelInUnrolled,
  kNestVectorizedInSerial,
  kNestVectorizedInParallel,
  kNestVectorizedInUnrolled,
  kNestUnrolledInSerial,
  kNestUnrolledInParallel,
  kNestLoopInVectorized,
  // Statements.
  kStmtIf,
  kStmtElse,
  kStmtNestedIf,
  kStmtBind,
  kStmtSeveralStores,
  kStmtAssert,
  kStmtAssume,
  kStmtWhile,
  kStmtBreak,
  kStmtContinue,
  // Blocks.
  kBlock,
  kBlockInit,
  kBlockPredicate,
  kBlockAlloc,
  kBlockMatchBuffer,
  // Locals, and where they are.
  kLocalScalar,
  kLocalArray,
  kLocalStage,
  kLocalInParallel,
  kLocalInVectorized,
  kLocalInUnrolled,
  kBindInParallel,
  kBindInVectorized,
  kBindInUnrolled,
  kLetInParallel,
  kLetInVectorized,
  kLetInUnrolled,
  kIfInVectorized,
  kIfThenElseInVectorized,
  kSelectInVectorized,
  // Expressions.
  kFloorDiv,
  kFloorMod,
  kTruncDiv,
  kTruncMod,
  kFloatDiv,
  kNegativeDivisor,
  kVariableDivisor,
  kMinMax,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
  kNot,
  kBoolConstant,
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kShiftLeft,
  kShiftRight,
  kVariableShift,
  kSelect,
  kIfThenElse,
  kGuardedLoad,
  kLet,
  kLikely,
  kReinterpret,
  // Conversions.
  kCastBoolToNumber,
  kCastNumberToBool,
  kCastIntToFloat,
  kCastFloatToInt,
  kCastFloatToFloat,
  kCastWiden,
  kCastNarrow,
  kCastSign,
  // Indices of loads and stores.
  kIndexNegative,
  kIndexScaled,
  kIndexZeroCoefficient,
  kIndexDiv,
  kIndexMod,
  kIndexMinMax,
  kIndexSelect,
  kIndexBits,
  kIndexLoad,
  kIndexCast,
  // Element types of buffers (i32 is always there to fall back on).
  kTypeBool,
  kTypeI64,
  kTypeF32,
  kTypeI8,
  kTypeI16,
  kTypeU8,
  kTypeU16,
  kTypeU32,
  kTypeU64,
  kTypeF16,
  kTypeBf16,
  kTypeF64,
  kTypeF8E4m3fn,
  kTypeF8E5m2,
  // Inputs that are no whole numbers: results are compared within error bounds.
  kFloatReal,
  // Buffers, parameters, functions.
  kShapeSymbolic,
  kShapeSymbolicExpr,
  kShapeStrided,
  kShapeOffset,
  kParamScalar,
  kFunctionNoalias,
  kFunctionCalls,
  kFunctionExternal,
  kViewDeclBuffer,
  // Vectors written directly.
  kVectorRamp,
  kVectorBroadcast,
  kVectorShuffle,
  kVectorBuffer,
  kVectorInVectorized,
  // Intrinsics; the first are exact on exact arguments.
  kMathFloor,
  kMathCeil,
  kMathTrunc,
  kMathRound,
  kMathNearbyint,
  kMathFabs,
  kMathFma,
  kMathCopysign,
  kMathPopcount,
  kMathClz,
  kMathSqrt,
  kMathExp,
  kMathExp2,
  kMathExp10,
  kMathLog,
  kMathLog2,
  kMathLog10,
  kMathLog1p,
  kMathRsqrt,
  kMathSigmoid,
  kMathSin,
  kMathCos,
  kMathTan,
  kMathAsin,
  kMathAcos,
  kMathAtan,
  kMathTanh,
  kMathAsinh,
  kMathAcosh,
  kMathAtanh,
  kMathErf,
  kMathPow,
  kMathAtan2,
  kMathHypot,
  kMathIsnan,
  // Schedules.
  kSchedule,
  kScheduleMerge,
  kScheduleFuse,
  kScheduleSplit,
  kScheduleLoopPartition,
  kScheduleReorder,
  kScheduleReorderBlockIterVar,
  kScheduleAddUnitLoop,
  kScheduleParallel,
  kScheduleVectorize,
  kScheduleBind,
  kScheduleUnroll,
  kScheduleCacheRead,
  kScheduleCacheWrite,
  kScheduleReindexCacheRead,
  kScheduleReindexCacheWrite,
  kScheduleCacheInplace,
  kScheduleCacheIndex,
  kScheduleReindex,
  kScheduleReadAt,
  kScheduleWriteAt,
  kScheduleComputeAt,
  kScheduleReverseComputeAt,
  kScheduleComputeInline,
  kScheduleReverseComputeInline,
  kScheduleFuseReductionEpilogue,
  kScheduleDecomposeReduction,
  kScheduleRfactor,
  kScheduleStorageAlign,
  kScheduleSetScope,
  kScheduleUnsafeSetDtype,
  kScheduleBlockize,
  kSchedulePragma,
  kSchedulePipeline,
  kScheduleDoubleBuffer,
  kScheduleUnannotate,
  kScheduleTransformLayout,
  kScheduleTransformBlockLayout,
  kScheduleDecomposePadding,
  kSchedulePadEinsum,
  kScheduleRollingBuffer,
  kScheduleAnnotateBufferAccess,
  kScheduleUnsafeHideBufferAccess,
  // Device programs.
  kFamilyDevice,
  kDeviceBlocks2d,
  kDeviceThreads2d,
  kDeviceThreads3d,
  kDeviceEdge,
  kDeviceOneExtent,
  kDeviceDynamicExtent,
  kDeviceVirtualThread,
  kDeviceLocal,
  kDeviceShared,
  kDeviceSharedDynamic,
  kDeviceDoubleBuffer,
  kDeviceBarrier,
  kDeviceAllReduce,
  kDeviceBlockReduction,
  kDeviceSeveralKernels,
  kCount,
};

inline constexpr size_t kFeatureCount = static_cast<size_t>(Feature::kCount);
using FeatureSet = std::bitset<kFeatureCount>;

inline FeatureSet& Include(FeatureSet& set, Feature feature) {
  return set.set(static_cast<size_t>(feature));
}
inline bool Has(const FeatureSet& set, Feature feature) {
  return set.test(static_cast<size_t>(feature));
}

struct FeatureInfo {
  Feature feature;
  std::string_view name;
  std::string_view description;
  // Where several features compete for one place: relative to the others. Where there is one to
  // take or leave: the chance in percent, so at most 100.
  int weight;
};

// The one table, in the order of the enumeration.
std::span<const FeatureInfo> Features();
const FeatureInfo& Info(Feature feature);
std::optional<Feature> FindFeature(std::string_view name);
std::vector<std::string> FeatureNames(const FeatureSet& set);

}  // namespace irate
