#include "generators/mutate/material.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/builder.h"
#include "ir/types.h"

namespace irate::mutate {
namespace {

bool IsScalarOf(const Variable& variable, bool integers_only) {
  if (variable.lanes() != 0) return false;
  return integers_only ? IsInteger(variable.type()) : IsValueType(variable.type());
}

std::vector<uint32_t> ScalarVariables(const Material& material, bool integers_only) {
  std::vector<uint32_t> result;
  for (const uint32_t id : material.scope.variables) {
    if (IsScalarOf(material.function.variables(static_cast<int>(id)), integers_only)) {
      result.push_back(id);
    }
  }
  return result;
}

std::optional<int64_t> ConstantExtent(const Buffer& buffer, int dimension) {
  const Expr& extent = buffer.shape(dimension);
  if (extent.op() != CONST || extent.int_value() <= 0) return std::nullopt;
  return extent.int_value();
}

}  // namespace

bool IsValueType(ScalarType type) { return IsInteger(type) || IsFloat(type) || type == BOOL; }

Expr ToLanes(Expr scalar, uint32_t lanes) {
  return lanes == 0 ? scalar : build::Broadcast(std::move(scalar), lanes);
}

Expr ConvertTo(ScalarType type, Expr expr) {
  return expr.type() == type ? expr : build::Cast(type, std::move(expr));
}

Expr EdgeConstant(ScalarType type, ChoiceSource& choices) {
  if (type == BOOL) return build::BoolConst(choices.Chance(1, 2));
  if (IsFloat(type)) {
    constexpr auto kValues =
        std::to_array<double>({0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, -4.0, 7.0, 8.0, -16.0, 0.25});
    return build::Float(type, kValues[static_cast<size_t>(PickIndex(kValues.size(), choices))]);
  }
  constexpr auto kValues =
      std::to_array<int64_t>({0,  1,  -1, 2,  -2, 3,  4,  5,  -3,  7,    8,   -8,  9,   15,
                              16, 17, 31, 32, 33, 63, 64, 65, 127, -128, 128, 255, 256, -129});
  const int64_t low = MinValue(type);
  const int64_t high = type == U64 ? MaxValue(I64) : MaxValue(type);
  if (choices.Chance(1, 24)) return build::Int(type, choices.Chance(1, 2) ? low : high);
  // The smaller ones more often: they keep sums small.
  const int count = choices.Chance(3, 4) ? 12 : static_cast<int>(kValues.size());
  const int64_t value = kValues[static_cast<size_t>(PickIndex(count, choices))];
  return build::Int(type, std::clamp(value, low, high));
}

std::optional<LoopRange> ConstantRange(const Stmt& loop) {
  if (loop.kind() != FOR || loop.args(0).op() != CONST || loop.args(1).op() != CONST ||
      loop.args_size() > 2) {
    return std::nullopt;
  }
  return LoopRange{loop.args(0).int_value(), loop.args(1).int_value()};
}

Expr MakeIndex(const Material& material, const Buffer& buffer, int dimension,
               ChoiceSource& choices) {
  const ScalarType type = buffer.shape(dimension).type();
  const std::optional<int64_t> extent = ConstantExtent(buffer, dimension);
  if (!extent.has_value()) return build::Int(type, 0);
  const auto constant = [&] {
    return build::Int(type, choices.Chance(1, 2)   ? choices.Range(0, *extent - 1)
                            : choices.Chance(1, 2) ? *extent - 1
                                                   : 0);
  };
  const std::vector<uint32_t> variables = ScalarVariables(material, /*integers_only=*/true);
  if (variables.empty() || choices.Chance(1, 6)) return constant();
  const auto draw = [&] {
    return variables[static_cast<size_t>(PickIndex(static_cast<int>(variables.size()), choices))];
  };
  const uint32_t id = draw();
  // A variable that a loop keeps within the extent needs no guard.
  for (const Stmt* loop : material.scope.loops) {
    if (loop->kind() != FOR || loop->id() != id) continue;
    const std::optional<LoopRange> range = ConstantRange(*loop);
    if (range.has_value() && range->min >= 0 && range->min + range->extent <= *extent &&
        choices.Chance(3, 4)) {
      return ConvertTo(type, build::Var(material.function, id));
    }
  }
  Expr expr = ConvertTo(type, build::Var(material.function, id));
  if (choices.Chance(1, 3)) {
    const Op op = choices.Chance(1, 2) ? ADD : SUB;
    expr =
        build::Binary(op, std::move(expr), ConvertTo(type, build::Var(material.function, draw())));
  }
  return build::Binary(FLOOR_MOD, std::move(expr), build::Int(type, *extent));
}

std::vector<Expr> MakeIndices(const Material& material, const Buffer& buffer,
                              ChoiceSource& choices) {
  std::vector<Expr> indices;
  indices.reserve(static_cast<size_t>(buffer.shape_size()));
  for (int i = 0; i < buffer.shape_size(); ++i) {
    indices.push_back(MakeIndex(material, buffer, i, choices));
  }
  return indices;
}

Expr MakeLeaf(const Material& material, ScalarType type, uint32_t lanes, ChoiceSource& choices) {
  if (choices.Chance(1, 4)) return ToLanes(EdgeConstant(type, choices), lanes);
  if (choices.Chance(1, 2)) {
    std::vector<uint32_t> variables = ScalarVariables(material, /*integers_only=*/false);
    const uint32_t* id = Pick(variables, choices);
    if (id == nullptr) return ToLanes(EdgeConstant(type, choices), lanes);
    return ToLanes(ConvertTo(type, build::Var(material.function, *id)), lanes);
  }
  std::vector<uint32_t> buffers = material.scope.buffers;
  const auto is_of = [&](uint32_t id, bool same_type) {
    const Buffer& buffer = material.function.buffers(static_cast<int>(id));
    return buffer.lanes() == 0 && (same_type ? buffer.type() == type : IsValueType(buffer.type()));
  };
  const uint32_t* id = Pick(buffers, choices, [&](uint32_t b) { return is_of(b, true); });
  if (id == nullptr || choices.Chance(1, 6)) {
    id = Pick(buffers, choices, [&](uint32_t b) { return is_of(b, false); });
  }
  if (id == nullptr) return ToLanes(EdgeConstant(type, choices), lanes);
  const Buffer& buffer = material.function.buffers(static_cast<int>(*id));
  return ToLanes(
      ConvertTo(type, build::Load(material.function, *id, MakeIndices(material, buffer, choices))),
      lanes);
}

Op PickOperator(ScalarType type, ChoiceSource& choices) {
  if (type == BOOL) return choices.Chance(1, 2) ? AND : OR;
  constexpr auto kForAll = std::to_array<Op>({ADD, SUB, MUL, MIN, MAX});
  constexpr auto kForIntegers =
      std::to_array<Op>({ADD, SUB, MUL, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR});
  if (!IsInteger(type)) {
    return kForAll[static_cast<size_t>(PickIndex(kForAll.size(), choices))];
  }
  return kForIntegers[static_cast<size_t>(PickIndex(kForIntegers.size(), choices))];
}

Expr MakeValue(const Material& material, ScalarType type, uint32_t lanes, int depth,
               ChoiceSource& choices) {
  if (depth <= 0 || choices.Chance(1, 3)) return MakeLeaf(material, type, lanes, choices);
  const auto operand = [&] { return MakeValue(material, type, lanes, depth - 1, choices); };
  if (choices.Chance(1, 5) && lanes == 0) {
    Expr condition = MakeCondition(material, choices);
    Expr then_value = operand();
    Expr else_value = operand();
    return choices.Chance(1, 2)
               ? build::Select(std::move(condition), std::move(then_value), std::move(else_value))
               : build::IfThenElse(std::move(condition), std::move(then_value),
                                   std::move(else_value));
  }
  if (IsInteger(type) && choices.Chance(1, 4)) {
    constexpr auto kDivisions = std::to_array<Op>({FLOOR_DIV, FLOOR_MOD, TRUNC_DIV, TRUNC_MOD});
    const Op op = kDivisions[static_cast<size_t>(PickIndex(kDivisions.size(), choices))];
    const int64_t divisor = choices.Range(2, 9);
    const bool negative = IsSigned(type) && choices.Chance(1, 4);
    Expr dividend = operand();
    return build::Binary(op, std::move(dividend),
                         ToLanes(build::Int(type, negative ? -divisor : divisor), lanes));
  }
  const Op op = PickOperator(type, choices);
  Expr a = operand();
  Expr b = operand();
  return build::Binary(op, std::move(a), std::move(b));
}

Expr MakeCondition(const Material& material, ChoiceSource& choices) {
  std::vector<uint32_t> variables = ScalarVariables(material, /*integers_only=*/true);
  const uint32_t* id = Pick(variables, choices);
  constexpr auto kComparisons = std::to_array<Op>({EQ, NE, LT, LE, GT, GE});
  const Op op = kComparisons[static_cast<size_t>(PickIndex(kComparisons.size(), choices))];
  if (id == nullptr) {
    Expr a = MakeLeaf(material, I32, 0, choices);
    return build::Binary(op, std::move(a), EdgeConstant(I32, choices));
  }
  Expr a = build::Var(material.function, *id);
  const ScalarType type = a.type();
  int64_t bound = choices.Range(0, 8);
  for (const Stmt* loop : material.scope.loops) {
    if (loop->kind() != FOR || loop->id() != *id) continue;
    const std::optional<LoopRange> range = ConstantRange(*loop);
    if (range.has_value() && range->extent > 0 && range->extent < 1'000) {
      bound = range->min + choices.Range(0, range->extent);
    }
  }
  bound = std::clamp(bound, MinValue(type), type == U64 ? MaxValue(I64) : MaxValue(type));
  const uint32_t* other = Pick(variables, choices, [&](uint32_t candidate) {
    return candidate != *id &&
           material.function.variables(static_cast<int>(candidate)).type() == type;
  });
  if (other != nullptr && choices.Chance(1, 3)) {
    return build::Binary(op, std::move(a), build::Var(material.function, *other));
  }
  return build::Binary(op, std::move(a), build::Int(type, bound));
}

}  // namespace irate::mutate
