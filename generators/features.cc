#include "generators/features.h"

#include <array>

namespace irate {
namespace {

using enum Feature;

constexpr auto kFeatures = std::to_array<FeatureInfo>({
    {kFamilyElementwise, "family.elementwise", "chains of elementwise stages", 14},
    {kFamilyReduction, "family.reduction", "sum, product, min and max over some axes", 14},
    {kFamilyStencil, "family.stencil", "windows over a padded input", 12},
    {kFamilyMatmul, "family.matmul", "matrix products in several layouts", 7},
    {kFamilyTranspose, "family.transpose", "axis permutations and tilings", 7},
    {kFamilyReshape, "family.reshape", "one shape read as another, by div and mod", 7},
    {kFamilyGuards, "family.guards", "nested conditions around stores and loads", 14},
    {kFamilyLocals, "family.locals", "lets, binds and local buffers in loops", 14},
    {kFamilyScan, "family.scan", "prefix sums and other loop-carried values", 6},
    {kFamilyGather, "family.gather", "loads and stores through index buffers", 7},
    {kFamilyArgReduce, "family.argreduce", "index and value of a minimum or maximum", 5},
    {kFamilyConcat, "family.concat", "concatenation, slicing, flipping, rolling", 6},
    {kFamilyWhile, "family.while", "while loops, break and continue", 6},
    {kFamilyVectors, "family.vectors", "ramps, broadcasts and shuffles written directly", 5},
    {kFamilyCalls, "family.calls", "functions that call each other", 4},
    {kFamilyViews, "family.views", "aliasing views and match-buffers", 5},
    {kFamilyCasts, "family.casts", "conversions between every pair of types", 6},
    {kFamilyMath, "family.math", "math intrinsics on exact arguments", 5},
    {kLoopParallel, "loop.parallel", "a parallel loop", 25},
    {kLoopVectorized, "loop.vectorized", "a vectorized loop", 35},
    {kLoopUnrolled, "loop.unrolled", "an unrolled loop", 20},
    {kLoopNonzeroMin, "loop.nonzero_min", "a loop whose minimum is not 0", 15},
    {kLoopStep, "loop.step", "a loop with a step", 8},
    {kLoopOneExtent, "loop.one_extent", "a loop of exactly one iteration", 12},
    {kLoopZeroExtent, "loop.zero_extent", "a loop that never runs", 3},
    {kLoopTriangular, "loop.triangular", "bounds that depend on an outer loop", 20},
    {kLoopSymbolic, "loop.symbolic", "an extent that depends on a parameter", 70},
    {kLoopI64, "loop.i64", "a 64-bit loop variable", 15},
    {kNestParallelInSerial, "nest.parallel_in_serial", "parallel inside serial", 40},
    {kNestParallelInUnrolled, "nest.parallel_in_unrolled", "parallel inside unrolled", 40},
    {kNestVectorizedInSerial, "nest.vectorized_in_serial", "vectorized inside serial", 90},
    {kNestVectorizedInParallel, "nest.vectorized_in_parallel", "vectorized inside parallel", 90},
    {kNestVectorizedInUnrolled, "nest.vectorized_in_unrolled", "vectorized inside unrolled", 90},
    {kNestUnrolledInSerial, "nest.unrolled_in_serial", "unrolled inside serial", 90},
    {kNestUnrolledInParallel, "nest.unrolled_in_parallel", "unrolled inside parallel", 90},
    {kNestLoopInVectorized, "nest.loop_in_vectorized", "any loop inside a vectorized one", 40},
    {kStmtIf, "stmt.if", "a conditional statement", 20},
    {kStmtElse, "stmt.else", "a conditional statement with two arms", 35},
    {kStmtNestedIf, "stmt.nested_if", "a conditional statement inside another", 30},
    {kStmtBind, "stmt.bind", "a variable bound by a statement", 15},
    {kStmtSeveralStores, "stmt.several_stores", "a loop body with several stores", 25},
    {kStmtAssert, "stmt.assert", "an assertion that holds", 4},
    {kStmtAssume, "stmt.assume", "an assumption that holds", 4},
    {kStmtWhile, "stmt.while", "a while loop", 30},
    {kStmtBreak, "stmt.break", "a loop left early", 30},
    {kStmtContinue, "stmt.continue", "an iteration left early", 30},
    {kBlock, "block", "a block with iterators", 35},
    {kBlockInit, "block.init", "a block with an init statement", 50},
    {kBlockPredicate, "block.predicate", "a block with a predicate", 60},
    {kBlockAlloc, "block.alloc", "a buffer allocated by a block", 40},
    {kBlockMatchBuffer, "block.match_buffer", "a block that views a region", 40},
    {kLocalScalar, "local.scalar", "a one-element local buffer", 12},
    {kLocalArray, "local.array", "a local array inside a loop", 8},
    {kLocalStage, "local.stage", "an intermediate buffer between nests", 60},
    {kLocalInParallel, "local.in_parallel", "an allocation in a parallel loop", 70},
    {kLocalInVectorized, "local.in_vectorized", "an allocation in a vectorized loop", 70},
    {kLocalInUnrolled, "local.in_unrolled", "an allocation in an unrolled loop", 70},
    {kBindInParallel, "bind.in_parallel", "a bind in a parallel loop", 70},
    {kBindInVectorized, "bind.in_vectorized", "a bind in a vectorized loop", 70},
    {kBindInUnrolled, "bind.in_unrolled", "a bind in an unrolled loop", 70},
    {kLetInParallel, "let.in_parallel", "a let in a parallel loop", 70},
    {kLetInVectorized, "let.in_vectorized", "a let in a vectorized loop", 70},
    {kLetInUnrolled, "let.in_unrolled", "a let in an unrolled loop", 70},
    {kIfInVectorized, "if.in_vectorized", "a conditional in a vectorized loop", 70},
    {kIfThenElseInVectorized, "if_then_else.in_vectorized", "if_then_else in a vectorized loop",
     70},
    {kSelectInVectorized, "select.in_vectorized", "select in a vectorized loop", 70},
    {kFloorDiv, "op.floordiv", "division that rounds down", 5},
    {kFloorMod, "op.floormod", "remainder with the divisor's sign", 5},
    {kTruncDiv, "op.truncdiv", "division that rounds to zero", 5},
    {kTruncMod, "op.truncmod", "remainder with the dividend's sign", 5},
    {kFloatDiv, "op.div", "float division with an exact quotient", 4},
    {kNegativeDivisor, "op.negative_divisor", "a constant negative divisor", 20},
    {kVariableDivisor, "op.variable_divisor", "a divisor that is no constant", 15},
    {kMinMax, "op.minmax", "min or max", 10},
    {kEqual, "op.eq", "comparison for equality", 5},
    {kNotEqual, "op.ne", "comparison for inequality", 5},
    {kLess, "op.lt", "less than", 8},
    {kLessEqual, "op.le", "less than or equal", 6},
    {kGreater, "op.gt", "greater than", 6},
    {kGreaterEqual, "op.ge", "greater than or equal", 8},
    {kAnd, "op.and", "conjunction", 8},
    {kOr, "op.or", "disjunction", 6},
    {kNot, "op.not", "negation", 4},
    {kBoolConstant, "op.bool_constant", "true or false written out", 2},
    {kBitAnd, "bit.and", "bitwise and", 4},
    {kBitOr, "bit.or", "bitwise or", 3},
    {kBitXor, "bit.xor", "bitwise exclusive or", 3},
    {kBitNot, "bit.not", "bitwise not", 3},
    {kShiftLeft, "shift.left", "shift left", 4},
    {kShiftRight, "shift.right", "shift right", 4},
    {kVariableShift, "shift.variable", "a shift by an amount that is no constant", 30},
    {kSelect, "op.select", "a choice that evaluates both arms", 8},
    {kIfThenElse, "op.if_then_else", "a choice that evaluates one arm", 8},
    {kGuardedLoad, "op.guarded_load", "if_then_else around a load", 60},
    {kLet, "op.let", "a let expression", 6},
    {kLikely, "op.likely", "the hint likely", 12},
    {kReinterpret, "op.reinterpret", "the bits of one type read as another", 3},
    {kCastBoolToNumber, "cast.bool_to_number", "a truth value used as a number", 6},
    {kCastNumberToBool, "cast.number_to_bool", "a number used as a truth value", 4},
    {kCastIntToFloat, "cast.int_to_float", "integer to float", 6},
    {kCastFloatToInt, "cast.float_to_int", "float to integer", 6},
    {kCastFloatToFloat, "cast.float_to_float", "one float type to another", 6},
    {kCastWiden, "cast.widen", "integer to a wider integer", 6},
    {kCastNarrow, "cast.narrow", "integer to a narrower integer that holds it", 6},
    {kCastSign, "cast.sign", "signed integer to unsigned or back", 6},
    {kIndexNegative, "index.negative", "an index that falls as a variable grows", 18},
    {kIndexScaled, "index.scaled", "a variable times a constant in an index", 25},
    {kIndexZeroCoefficient, "index.zero_coefficient", "a variable times 0 in an index", 3},
    {kIndexDiv, "index.div", "a division in an index", 18},
    {kIndexMod, "index.mod", "a remainder in an index", 18},
    {kIndexMinMax, "index.minmax", "min or max in an index", 10},
    {kIndexSelect, "index.select", "a choice in an index", 5},
    {kIndexBits, "index.bits", "a shift or bit operation in an index", 5},
    {kIndexLoad, "index.load", "a loaded value in an index", 10},
    {kIndexCast, "index.cast", "a conversion in an index", 6},
    {kTypeBool, "type.bool", "bool elements", 8},
    {kTypeI64, "type.i64", "i64 elements", 10},
    {kTypeF32, "type.f32", "f32 elements", 35},
    {kTypeI8, "type.i8", "i8 elements", 5},
    {kTypeI16, "type.i16", "i16 elements", 4},
    {kTypeU8, "type.u8", "u8 elements", 5},
    {kTypeU16, "type.u16", "u16 elements", 3},
    {kTypeU32, "type.u32", "u32 elements", 4},
    {kTypeU64, "type.u64", "u64 elements", 3},
    {kTypeF16, "type.f16", "f16 elements", 5},
    {kTypeBf16, "type.bf16", "bf16 elements", 4},
    {kTypeF64, "type.f64", "f64 elements", 5},
    {kShapeSymbolic, "shape.symbolic", "a dimension that the caller defines", 15},
    {kShapeSymbolicExpr, "shape.symbolic_expr", "an extent computed from dimensions", 25},
    {kShapeStrided, "shape.strided", "a parameter with strides", 3},
    {kShapeOffset, "shape.offset", "a parameter with an element offset", 2},
    {kParamScalar, "param.scalar", "a scalar parameter", 12},
    {kFunctionNoalias, "function.noalias", "parameters promised not to overlap", 60},
    {kFunctionCalls, "function.calls", "a call of a function of the module", 80},
    {kViewDeclBuffer, "view.decl_buffer", "a view of an existing buffer", 60},
    {kVectorRamp, "vector.ramp", "a ramp as an index or value", 60},
    {kVectorBroadcast, "vector.broadcast", "a broadcast", 60},
    {kVectorShuffle, "vector.shuffle", "a shuffle", 25},
    {kVectorBuffer, "vector.buffer", "a buffer of vectors", 25},
    {kMathFloor, "math.floor", "floor", 5},
    {kMathCeil, "math.ceil", "ceil", 5},
    {kMathTrunc, "math.trunc", "trunc", 5},
    {kMathRound, "math.round", "round", 5},
    {kMathNearbyint, "math.nearbyint", "nearbyint", 5},
    {kMathFabs, "math.fabs", "fabs", 6},
    {kMathFma, "math.fma", "fused multiply and add", 3},
    {kMathCopysign, "math.copysign", "copysign", 3},
    {kMathSqrt, "math.sqrt", "square root of a square", 3},
    {kMathPopcount, "math.popcount", "number of bits set", 4},
    {kMathClz, "math.clz", "number of leading zeros", 3},
});

constexpr bool InOrder() {
  if (kFeatures.size() != kFeatureCount) return false;
  for (size_t i = 0; i < kFeatures.size(); ++i) {
    if (kFeatures[i].feature != static_cast<Feature>(i)) return false;
  }
  return true;
}
static_assert(InOrder(), "one entry per feature, in the order of the enumeration");

}  // namespace

std::span<const FeatureInfo> Features() { return kFeatures; }

const FeatureInfo& Info(Feature feature) { return kFeatures[static_cast<size_t>(feature)]; }

std::optional<Feature> FindFeature(std::string_view name) {
  for (const FeatureInfo& info : kFeatures) {
    if (info.name == name) return info.feature;
  }
  return std::nullopt;
}

std::vector<std::string> FeatureNames(const FeatureSet& set) {
  std::vector<std::string> names;
  for (const FeatureInfo& info : kFeatures) {
    if (Has(set, info.feature)) names.emplace_back(info.name);
  }
  return names;
}

}  // namespace irate
