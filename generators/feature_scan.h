// Which features a Case contains, read from its IR and inputs alone (so not its family).
#pragma once

#include <optional>
#include <string_view>

#include "generators/features.h"
#include "ir/irate.pb.h"

namespace irate {

FeatureSet ScanFeatures(const Case& test_case);

// The feature that a node of this kind is, if any. A conversion between equal widths of one
// signedness has none, and so has i32 as an element type.
std::optional<Feature> OperatorFeature(Op op);
std::optional<Feature> CastFeature(ScalarType to, ScalarType from);
std::optional<Feature> ElementTypeFeature(ScalarType type);
// Of a call: math, hints, functions of the module.
std::optional<Feature> IntrinsicFeature(std::string_view name);

// if_then_else around a load whose index mentions a variable of the condition.
bool IsGuardedLoad(const Expr& expr);

}  // namespace irate
