// The features that single nodes are.
#include "generators/node_features.h"

#include "generators/feature_scan.h"
#include "ir/types.h"

namespace irate {

using enum Feature;

std::optional<Feature> ElementTypeFeature(ScalarType type) {
  switch (type) {
    case BOOL:
      return kTypeBool;
    case I64:
      return kTypeI64;
    case F32:
      return kTypeF32;
    case I8:
      return kTypeI8;
    case I16:
      return kTypeI16;
    case U8:
      return kTypeU8;
    case U16:
      return kTypeU16;
    case U32:
      return kTypeU32;
    case U64:
      return kTypeU64;
    case F16:
      return kTypeF16;
    case BF16:
      return kTypeBf16;
    case F64:
      return kTypeF64;
    case F8E4M3FN:
      return kTypeF8E4m3fn;
    case F8E5M2:
      return kTypeF8E5m2;
    default:
      return std::nullopt;
  }
}

std::optional<Feature> CastFeature(ScalarType to, ScalarType from) {
  if (from == BOOL) return kCastBoolToNumber;
  if (to == BOOL) return kCastNumberToBool;
  if (IsFloat(to)) return IsFloat(from) ? kCastFloatToFloat : kCastIntToFloat;
  if (IsFloat(from)) return kCastFloatToInt;
  if (IsSigned(to) != IsSigned(from)) return kCastSign;
  if (BitWidth(to) == BitWidth(from)) return std::nullopt;
  return BitWidth(to) > BitWidth(from) ? kCastWiden : kCastNarrow;
}

std::optional<Feature> OperatorFeature(Op op) {
  switch (op) {
    case FLOOR_DIV:
      return kFloorDiv;
    case FLOOR_MOD:
      return kFloorMod;
    case TRUNC_DIV:
      return kTruncDiv;
    case TRUNC_MOD:
      return kTruncMod;
    case DIV:
      return kFloatDiv;
    case MIN:
    case MAX:
      return kMinMax;
    case EQ:
      return kEqual;
    case NE:
      return kNotEqual;
    case LT:
      return kLess;
    case LE:
      return kLessEqual;
    case GT:
      return kGreater;
    case GE:
      return kGreaterEqual;
    case AND:
      return kAnd;
    case OR:
      return kOr;
    case NOT:
      return kNot;
    case BIT_AND:
      return kBitAnd;
    case BIT_OR:
      return kBitOr;
    case BIT_XOR:
      return kBitXor;
    case BIT_NOT:
      return kBitNot;
    case SHL:
      return kShiftLeft;
    case SHR:
      return kShiftRight;
    case SELECT:
      return kSelect;
    case IF_THEN_ELSE:
      return kIfThenElse;
    case LET:
      return kLet;
    case REINTERPRET:
      return kReinterpret;
    case RAMP:
      return kVectorRamp;
    case BROADCAST:
      return kVectorBroadcast;
    case SHUFFLE:
      return kVectorShuffle;
    default:
      return std::nullopt;
  }
}

std::optional<Feature> IntrinsicFeature(std::string_view name) {
  if (name == "likely") return kLikely;
  if (name == "assume") return kStmtAssume;
  if (name.starts_with("@")) return kFunctionCalls;
  if (name == "tvm_call_packed") return kFunctionExternal;
  for (int i = static_cast<int>(kMathFloor); i <= static_cast<int>(kMathIsnan); ++i) {
    const FeatureInfo& info = Info(static_cast<Feature>(i));
    if (info.name.substr(std::string_view("math.").size()) == name) return info.feature;
  }
  return std::nullopt;
}

void AddIndexFeatures(const Expr& expr, FeatureSet* found) {
  const auto add = [found](Feature feature) { Include(*found, feature); };
  switch (expr.op()) {
    case SUB:
      if (MentionsVariable(expr.args(1))) add(kIndexNegative);
      break;
    case MUL:
      for (int i = 0; i < 2; ++i) {
        if (!IsConst(expr.args(i)) || !MentionsVariable(expr.args(1 - i))) continue;
        const int64_t factor = expr.args(i).int_value();
        add(factor == 0 ? kIndexZeroCoefficient : kIndexScaled);
        if (factor < 0) add(kIndexNegative);
      }
      break;
    case FLOOR_DIV:
    case TRUNC_DIV:
      add(kIndexDiv);
      break;
    case FLOOR_MOD:
    case TRUNC_MOD:
      add(kIndexMod);
      break;
    case MIN:
    case MAX:
      add(kIndexMinMax);
      break;
    case SELECT:
    case IF_THEN_ELSE:
      add(kIndexSelect);
      break;
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
    case BIT_NOT:
    case SHL:
    case SHR:
      add(kIndexBits);
      break;
    case LOAD:
      add(kIndexLoad);
      break;
    case CAST:
      add(kIndexCast);
      break;
    default:
      break;
  }
}

}  // namespace irate
