// Two texts line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace irate {

struct DiffLine {
  char kind;  // ' ' in both, '-' in the first only, '+' in the second only
  std::string text;
  bool operator==(const DiffLine&) const = default;
};

// A shortest edit script. Above a million pairs of lines all of the first is replaced.
std::vector<DiffLine> DiffLines(std::string_view before, std::string_view after);

}  // namespace irate
