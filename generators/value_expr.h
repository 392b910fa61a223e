// Data expressions of every element type: what loop bodies compute.
//
// Every value is generated to a limit on its magnitude, so that integers are never fragile and
// floats stay exact; operators hand smaller limits to their operands.
#pragma once

#include <cstdint>
#include <vector>

#include "generators/context.h"
#include "generators/term.h"
#include "ir/irate.pb.h"

namespace irate {

// A value of `type` that Fits `limit` (which is at most TypeLimit). `type` must be switched on.
Term GenerateValue(Context& context, ScalarType type, Limit limit, int depth);

// A constant, a variable, a load.
Term GenerateLeaf(Context& context, ScalarType type, Limit limit);

// A load of an element of `buffer`, of a readable buffer of `type`, or of a new parameter.
Term GenerateLoadOf(Context& context, const BufferInfo& buffer);
Term GenerateLoad(Context& context, ScalarType type);

// `a`, or something computed from it that fits; a constant where no operator for it is switched on.
Term Shrink(Context& context, Term a, Limit limit);

// A value of `type` computed from `a`, of any type: the conversion, where it is switched on and the
// result fits.
std::optional<Term> TryConvert(Context& context, const Term& a, ScalarType type, Limit limit);

// The operators of one class of types; depth at least 1.
Term GenerateInteger(Context& context, ScalarType type, Limit limit, int depth);
Term GenerateFloat(Context& context, ScalarType type, Limit limit, int depth);

// What all types share: choices, lets, conversions. Weights for Pick, and the generators.
Term GenerateChoice(Context& context, Op op, ScalarType type, Limit limit, int depth);
Term GenerateLet(Context& context, ScalarType type, Limit limit, int depth);
Term GenerateConversion(Context& context, ScalarType type, Limit limit, int depth);
// Switches and placement.
bool MayChoose(const Context& context, Op op);
bool MayLet(const Context& context);

}  // namespace irate
