// The smallest part of a set that still shows something, by delta debugging (Zeller and
// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002), complements only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

// Which elements of [0, count) a candidate keeps, in order.
using KeptSet = std::vector<int>;
// The first candidate that still shows it, or none. At most `width` are given at a time.
using FirstKeptSet =
    std::function<absl::StatusOr<std::optional<size_t>>(std::span<const KeptSet> candidates)>;

// Takes away everything, halves, quarters, ... single elements; what is left at the end shows it,
// and no single element of it can go. The whole set is taken to show it. The result depends on the
// answers alone, not on `width`. It ends early, with what it has, when `out_of_budget` says so.
absl::StatusOr<KeptSet> MinimiseSet(int count, size_t width, const FirstKeptSet& first_kept,
                                    const std::function<bool()>& out_of_budget);

}  // namespace irate
