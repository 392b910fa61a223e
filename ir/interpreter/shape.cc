#include "ir/interpreter/shape.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 40;
constexpr int kMaxExtentDepth = 100;

std::optional<int64_t> Apply(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case ADD:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case SUB:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case MUL:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case MIN:
      return std::min(a, b);
    case MAX:
      return std::max(a, b);
    default:
      break;
  }
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  const int64_t quotient = a / b;
  const int64_t remainder = a % b;
  const bool adjust = remainder != 0 && ((remainder < 0) != (b < 0));
  switch (op) {
    case TRUNC_DIV:
      return quotient;
    case TRUNC_MOD:
      return remainder;
    case FLOOR_DIV:
      return adjust ? quotient - 1 : quotient;
    case FLOOR_MOD:
      return adjust ? remainder + b : remainder;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<int64_t> Evaluate(const Function& function, const Expr& expr,
                                 const VariableValues& values, int depth) {
  if (depth > kMaxExtentDepth) return absl::InvalidArgumentError("an extent is nested too deeply");
  switch (expr.op()) {
    case CONST:
      return expr.int_value();
    case VAR: {
      const auto found = values.find(expr.id());
      if (found != values.end()) return found->second;
      const bool known = expr.id() < static_cast<uint32_t>(function.variables_size());
      return absl::InvalidArgumentError(fmt::format(
          "the dimension {} has no value: add it to Inputs.dims",
          known ? function.variables(static_cast<int>(expr.id())).name() : "of an unknown id"));
    }
    case CAST:
      if (expr.args_size() != 1) return absl::InvalidArgumentError("a malformed extent");
      return Evaluate(function, expr.args(0), values, depth + 1);
    default: {
      if (expr.args_size() != 2) {
        return absl::InvalidArgumentError(fmt::format("{} in an extent", OpName(expr.op())));
      }
      IRATE_ASSIGN_OR_RETURN(const int64_t a, Evaluate(function, expr.args(0), values, depth + 1));
      IRATE_ASSIGN_OR_RETURN(const int64_t b, Evaluate(function, expr.args(1), values, depth + 1));
      const std::optional<int64_t> result = Apply(expr.op(), a, b);
      if (result) return *result;
      return absl::InvalidArgumentError(
          fmt::format("{} of {} and {} in an extent", OpName(expr.op()), a, b));
    }
  }
}

}  // namespace

absl::StatusOr<int64_t> EvaluateInteger(const Function& function, const Expr& expr,
                                        const VariableValues& values) {
  return Evaluate(function, expr, values, 0);
}

absl::StatusOr<BufferLayout> EvaluateLayout(const Function& function, const Buffer& buffer,
                                            const VariableValues& values) {
  const auto fail = [&buffer](std::string_view what) {
    return absl::InvalidArgumentError(fmt::format("buffer {}: {}", buffer.name(), what));
  };
  const auto evaluate = [&](const Expr& expr, std::string_view what) -> absl::StatusOr<int64_t> {
    absl::StatusOr<int64_t> value = EvaluateInteger(function, expr, values);
    if (!value.ok()) return fail(std::string(value.status().message()));
    if (*value < 0) return fail(fmt::format("{} is {}, it cannot be negative", what, *value));
    return value;
  };
  BufferLayout layout;
  layout.elements = 1;
  for (const Expr& extent : buffer.shape()) {
    IRATE_ASSIGN_OR_RETURN(const int64_t value, evaluate(extent, "an extent"));
    layout.shape.push_back(value);
    if (__builtin_mul_overflow(layout.elements, value, &layout.elements) ||
        layout.elements > kMaxElements) {
      return fail("more than 2^40 elements");
    }
  }
  if (buffer.strides_size() != 0 && buffer.strides_size() != buffer.shape_size()) {
    return fail("as many strides as extents are needed, or none");
  }
  layout.strides.assign(layout.shape.size(), 1);
  for (size_t i = layout.shape.size(); i-- > 0;) {
    if (buffer.strides_size() != 0) {
      IRATE_ASSIGN_OR_RETURN(layout.strides[i],
                             evaluate(buffer.strides(static_cast<int>(i)), "a stride"));
    } else if (i + 1 < layout.shape.size() && layout.elements > 0) {
      layout.strides[i] = layout.strides[i + 1] * layout.shape[i + 1];
    }
  }
  if (buffer.has_elem_offset()) {
    IRATE_ASSIGN_OR_RETURN(layout.elem_offset, evaluate(buffer.elem_offset(), "the offset"));
  }
  layout.span = layout.elem_offset;
  if (layout.elements > 0) {
    __int128 last = layout.elem_offset;
    for (size_t i = 0; i < layout.shape.size(); ++i) {
      last += static_cast<__int128>(layout.shape[i] - 1) * layout.strides[i];
    }
    if (last >= kMaxElements) return fail("it spans more than 2^40 elements");
    layout.span = static_cast<int64_t>(last) + 1;
  }
  if (layout.span > kMaxElements) return fail("it spans more than 2^40 elements");
  return layout;
}

absl::StatusOr<VariableValues> KnownVariables(const Function& function, const Inputs& inputs) {
  VariableValues values;
  for (const DimValue& dim : inputs.dims()) values[dim.variable()] = dim.value();
  for (int i = 0; i < function.params_size(); ++i) {
    const Param& param = function.params(i);
    if (param.kind() != PARAM_SCALAR) continue;
    if (param.id() >= static_cast<uint32_t>(function.variables_size())) continue;
    const Variable& variable = function.variables(static_cast<int>(param.id()));
    if (!IsInteger(variable.type()) || variable.lanes() != 0) continue;
    IRATE_ASSIGN_OR_RETURN(values[param.id()], ScalarArgument(function, i, inputs));
  }
  return values;
}

}  // namespace irate
