// New expressions to put into a program: small, well typed, of what is in scope.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/choice.h"
#include "generators/mutate/places.h"
#include "ir/irate.pb.h"

namespace irate::mutate {

struct Material {
  const Function& function;
  const Scope& scope;
};

// A constant that compilers treat specially or that lies at an edge: 0, 1, -1, powers of two and
// their neighbours, the ends of narrow types. Of an integer or float type or BOOL.
Expr EdgeConstant(ScalarType type, ChoiceSource& choices);

// A constant, a variable or a load, cast where its type is another; broadcast to `lanes`.
Expr MakeLeaf(const Material& material, ScalarType type, uint32_t lanes, ChoiceSource& choices);
// A leaf or an operation on leaves, of at most `depth` levels of operators.
Expr MakeValue(const Material& material, ScalarType type, uint32_t lanes, int depth,
               ChoiceSource& choices);
// A comparison of small integers in scope: of loop variables where there are some.
Expr MakeCondition(const Material& material, ChoiceSource& choices);

// An index of dimension `dimension` that stays in bounds, if the extent is a positive constant:
// a constant, a variable or an expression of variables modulo the extent. Otherwise 0.
Expr MakeIndex(const Material& material, const Buffer& buffer, int dimension,
               ChoiceSource& choices);
std::vector<Expr> MakeIndices(const Material& material, const Buffer& buffer,
                              ChoiceSource& choices);

// A loop variable's range, where the bounds are constants.
struct LoopRange {
  int64_t min;
  int64_t extent;
};
std::optional<LoopRange> ConstantRange(const Stmt& loop);

// Whether values of the type may be made at all: integers, floats, BOOL.
bool IsValueType(ScalarType type);
// An operator on two operands of the type that has its type; not a division of integers.
Op PickOperator(ScalarType type, ChoiceSource& choices);
// `expr` as another type.
Expr ConvertTo(ScalarType type, Expr expr);
Expr ToLanes(Expr scalar, uint32_t lanes);

}  // namespace irate::mutate
