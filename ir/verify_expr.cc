// Typing rules of expressions.
#include <cmath>
#include <limits>

#include "fmt/format.h"
#include "ir/ops.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {
namespace {

double MaxFinite(ScalarType type) {
  switch (type) {
    case F8E4M3FN:
      return 448;
    case F8E5M2:
      return 57344;
    case F16:
      return 65504;
    case BF16:
      return 0x1.FEp127;
    case F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

}  // namespace

absl::Status FunctionVerifier::CheckPart(std::string_view label, const Expr& expr, Accept accept) {
  Scope scope(this, {.label = label});
  IRATE_RETURN_IF_ERROR(CheckExpr(expr));
  if (expr.op() == STRING && accept != Accept::kString) {
    return Fail("a string is a value only as an argument of a call or in an attribute");
  }
  if (expr.op() != STRING && expr.type() == VOID && accept != Accept::kVoid) {
    return Fail(fmt::format("{} of type void has no value", OpName(expr.op())));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckScalarInt(std::string_view label, const Expr& expr) {
  IRATE_RETURN_IF_ERROR(CheckPart(label, expr));
  if (IsInteger(expr.type()) && expr.lanes() == 0) return absl::OkStatus();
  Scope scope(this, {.label = label});
  return Fail(fmt::format("{} where a scalar integer belongs", ToString(TypeOf(expr))));
}

absl::Status FunctionVerifier::CheckScalarBool(std::string_view label, const Expr& expr) {
  IRATE_RETURN_IF_ERROR(CheckPart(label, expr));
  if (TypeOf(expr) == Type{BOOL, 0}) return absl::OkStatus();
  Scope scope(this, {.label = label});
  return Fail(fmt::format("{} where a scalar bool belongs", ToString(TypeOf(expr))));
}

absl::Status FunctionVerifier::CheckExpr(const Expr& expr) {
  IRATE_RETURN_IF_ERROR(CheckExprForm(expr));
  IRATE_RETURN_IF_ERROR(CheckArgs(expr));
  return CheckRule(expr);
}

absl::Status FunctionVerifier::CheckTypeForm(Type type) {
  if (!ScalarType_IsValid(type.scalar)) {
    return Fail(fmt::format("unknown type number {}", static_cast<int>(type.scalar)));
  }
  if (type.lanes == 1) return Fail("1 lane: a scalar has lanes 0");
  if (type.lanes > kMaxLanes) {
    return Fail(fmt::format("{} lanes, at most {} are allowed", type.lanes, kMaxLanes));
  }
  if (type.lanes != 0 && (type.scalar == VOID || type.scalar == HANDLE)) {
    return Fail(fmt::format("a vector of {}", TypeName(type.scalar)));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckExprForm(const Expr& expr) {
  const OpFacts* facts = FindOp(expr.op());
  if (facts == nullptr) {
    return Fail(expr.op() == OP_INVALID
                    ? std::string("an expression without an operator")
                    : fmt::format("unknown operator number {}", static_cast<int>(expr.op())));
  }
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(expr));
  IRATE_RETURN_IF_ERROR(CheckTypeForm(TypeOf(expr)));
  const auto fail_unused = [&](std::string_view field) {
    return Fail(fmt::format("{} does not use {}, which must stay unset", OpName(expr.op()), field));
  };
  if (expr.args_size() < facts->min_args ||
      (facts->max_args >= 0 && expr.args_size() > facts->max_args)) {
    return Fail(fmt::format("{} with {} arguments instead of {}{}", OpName(expr.op()),
                            expr.args_size(), facts->max_args < 0 ? "at least " : "",
                            facts->min_args));
  }
  const bool is_const = (facts->fields & kConstantField) != 0;
  if (expr.int_value() != 0 && !(is_const && !IsFloat(expr.type()))) {
    return fail_unused("int_value");
  }
  if (!IsUnset(expr.float_value()) && !(is_const && IsFloat(expr.type()))) {
    return fail_unused("float_value");
  }
  if (expr.id() != 0 && (facts->fields & kIdField) == 0) return fail_unused("id");
  if (!expr.name().empty() && (facts->fields & kNameField) == 0) return fail_unused("name");
  if (expr.int_list_size() != 0 && (facts->fields & kIntListField) == 0) {
    return fail_unused("int_list");
  }
  if (!expr.name().empty()) return CheckText("the name", expr.name(), true);
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckArgs(const Expr& expr) {
  // The body of a LET sees a variable that its value does not.
  if (expr.op() == LET) return absl::OkStatus();
  for (int i = 0; i < expr.args_size(); ++i) {
    const Expr& arg = expr.args(i);
    Scope scope(this, {.label = "args", .index = i, .nested_expr = true});
    IRATE_RETURN_IF_ERROR(CheckExpr(arg));
    if (arg.op() == STRING && expr.op() != CALL) {
      return Fail(
          fmt::format("a string as an operand of {}; only a call takes one", OpName(expr.op())));
    }
    if (arg.op() != STRING && arg.type() == VOID) {
      return Fail(fmt::format("{} of type void has no value", OpName(arg.op())));
    }
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckRule(const Expr& expr) {
  switch (expr.op()) {
    case CONST:
      return CheckConst(expr);
    case VAR:
      IRATE_RETURN_IF_ERROR(UseVariable(expr.id()));
      return ExpectType(expr, TypeOf(function_.variables(static_cast<int>(expr.id()))));
    case STRING:
      return ExpectType(expr, {VOID, 0});
    case LOAD:
      return CheckLoad(expr);
    case BUFFER_DATA:
      IRATE_RETURN_IF_ERROR(UseBuffer(expr.id()));
      return ExpectType(expr, {HANDLE, 0});
    case NOT:
    case BIT_NOT:
      return CheckNot(expr);
    case SELECT:
    case IF_THEN_ELSE:
      return CheckChoice(expr);
    case CAST:
    case REINTERPRET:
    case RAMP:
    case BROADCAST:
      return CheckConversion(expr);
    case SHUFFLE:
      return CheckShuffle(expr);
    case LET:
      return CheckLet(expr);
    case CALL:
      return CheckCall(expr);
    default:
      return CheckBinary(expr);
  }
}

absl::Status FunctionVerifier::ExpectType(const Expr& expr, Type type) {
  if (TypeOf(expr) == type) return absl::OkStatus();
  return Fail(fmt::format("{} claims the type {} but has {}", OpName(expr.op()),
                          ToString(TypeOf(expr)), ToString(type)));
}

absl::Status FunctionVerifier::CheckConst(const Expr& expr) {
  const Type type = TypeOf(expr);
  if (type.lanes != 0) return Fail("a vector constant: BROADCAST a scalar one");
  if (IsFloat(type.scalar) && std::isfinite(expr.float_value()) && !options_.lifted &&
      std::fabs(expr.float_value()) > MaxFinite(type.scalar)) {
    return Fail(fmt::format("the constant {} does not fit {}", expr.float_value(), ToString(type)));
  }
  if (IsFloat(type.scalar) || type.scalar == U64 || type.scalar == I64) return absl::OkStatus();
  if (type.scalar != BOOL && !IsInteger(type.scalar)) {
    return Fail(fmt::format("a constant of type {}", ToString(type)));
  }
  if (expr.int_value() < MinValue(type.scalar) || expr.int_value() > MaxValue(type.scalar)) {
    return Fail(fmt::format("the constant {} does not fit {}", expr.int_value(), ToString(type)));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckBinary(const Expr& expr) {
  const Op op = expr.op();
  const Type a = TypeOf(expr.args(0));
  const Type b = TypeOf(expr.args(1));
  if (!(a == b)) return Fail(fmt::format("{} of {} and {}", OpName(op), ToString(a), ToString(b)));
  const ScalarType scalar = a.scalar;
  bool allowed = false;
  if (IsComparison(op)) {
    const bool handles = options_.lifted && scalar == HANDLE && (op == EQ || op == NE);
    allowed = IsInteger(scalar) || IsFloat(scalar) || scalar == BOOL || handles;
  } else if (IsLogic(op)) {
    allowed = scalar == BOOL;
  } else if (IsBitwise(op)) {
    const bool on_bools = options_.lifted && scalar == BOOL && op != SHL && op != SHR;
    allowed = IsInteger(scalar) || on_bools;
  } else if (op == DIV) {
    allowed = IsFloat(scalar);
  } else if (op >= TRUNC_DIV && op <= FLOOR_MOD) {
    allowed = IsInteger(scalar);
  } else {
    allowed = IsInteger(scalar) || IsFloat(scalar);
  }
  if (!allowed) return Fail(fmt::format("{} of {}", OpName(op), ToString(a)));
  return ExpectType(expr, {IsComparison(op) ? BOOL : a.scalar, a.lanes});
}

absl::Status FunctionVerifier::CheckNot(const Expr& expr) {
  const Type type = TypeOf(expr.args(0));
  const bool allowed = expr.op() == NOT
                           ? type.scalar == BOOL
                           : IsInteger(type.scalar) || (options_.lifted && type.scalar == BOOL);
  if (!allowed) return Fail(fmt::format("{} of {}", OpName(expr.op()), ToString(type)));
  return ExpectType(expr, type);
}

absl::Status FunctionVerifier::CheckLet(const Expr& expr) {
  {
    Scope scope(this, {.label = "args", .index = 0, .nested_expr = true});
    IRATE_RETURN_IF_ERROR(CheckPart("", expr.args(0)));
  }
  Region region(this);
  IRATE_RETURN_IF_ERROR(Define(expr.id()));
  const Type variable = TypeOf(function_.variables(static_cast<int>(expr.id())));
  if (!(variable == TypeOf(expr.args(0)))) {
    return Fail(fmt::format("LET gives the variable {} of type {} a value of type {}",
                            VariableName(expr.id()), ToString(variable),
                            ToString(TypeOf(expr.args(0)))));
  }
  Scope scope(this, {.label = "args", .index = 1, .nested_expr = true});
  IRATE_RETURN_IF_ERROR(CheckPart("", expr.args(1), Accept::kVoid));
  return ExpectType(expr, TypeOf(expr.args(1)));
}

absl::Status FunctionVerifier::CheckLoad(const Expr& expr) {
  IRATE_RETURN_IF_ERROR(UseBuffer(expr.id()));
  const Buffer& buffer = function_.buffers(static_cast<int>(expr.id()));
  uint32_t lanes = 0;
  IRATE_RETURN_IF_ERROR(CheckIndices(expr.args(), 0, buffer, "LOAD", &lanes));
  return ExpectType(expr, {buffer.type(), lanes});
}

absl::Status FunctionVerifier::CheckIndices(const google::protobuf::RepeatedPtrField<Expr>& args,
                                            int first, const Buffer& buffer, std::string_view what,
                                            uint32_t* lanes) {
  const int count = args.size() - first;
  if (count != buffer.shape_size()) {
    return Fail(fmt::format("{} of {} with {} indices for {} dimensions", what, buffer.name(),
                            count, buffer.shape_size()));
  }
  uint64_t total = Lanes(buffer.lanes());
  for (int i = 0; i < count; ++i) {
    const Type type = TypeOf(args[first + i]);
    if (!IsInteger(type.scalar)) {
      return Fail(fmt::format("index {} of {} has type {}, not an integer", i, buffer.name(),
                              ToString(type)));
    }
    if (type.lanes != 0 && i + 1 != count) {
      return Fail(
          fmt::format("index {} of {} is a vector; only the last may be", i, buffer.name()));
    }
    total *= Lanes(type.lanes);
  }
  if (total > kMaxLanes) {
    return Fail(fmt::format("{} of {} lanes, at most {} are allowed", what, total, kMaxLanes));
  }
  *lanes = total == 1 ? 0 : static_cast<uint32_t>(total);
  return absl::OkStatus();
}

}  // namespace irate::verify
