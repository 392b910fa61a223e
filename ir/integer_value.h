// The value of an integer expression where that takes no data: constants, variables whose values
// are given, arithmetic over the integers (no wrap-around). For checks that go through the
// iterations of a loop nest without running the program.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

// By id; nullopt: not known.
using KnownVariables = std::vector<std::optional<int64_t>>;

// A scalar of integer type or a boolean. nullopt where data, floats, a division by zero or a
// variable without a value have a part in it. `variables` is as it was afterwards.
std::optional<int64_t> IntegerValue(const Expr& expr, KnownVariables* variables);

// One value for each lane of a ramp or broadcast, one for a scalar.
std::optional<std::vector<int64_t>> IntegerLanes(const Expr& expr, KnownVariables* variables);

}  // namespace irate
