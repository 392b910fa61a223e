// Which of two versions of a compiler is newer.
#pragma once

#include <compare>
#include <string_view>

namespace irate {

// By the numbers and words in order, as PyPI orders releases: 0.9 < 0.10, 0.27.0 < 0.27.0.post1,
// 0.27.0.dev3 < 0.27.0a1 < 0.27.0rc1 < 0.27.0; missing numbers are 0, so 0.27 equals 0.27.0. What
// follows '+' (a local build) does not count.
std::strong_ordering CompareVersions(std::string_view a, std::string_view b);

}  // namespace irate
