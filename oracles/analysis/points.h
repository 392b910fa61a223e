// The points at which the expressions of a question are evaluated.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis.pb.h"

namespace irate::analysis {

struct Points {
  size_t count = 0;
  // Every point of the ranges is there; never with a variable that has none.
  bool exhaustive = false;
  // By variable, then by point.
  std::vector<std::vector<int64_t>> values;
};

// All points of the ranges where they are at most `limit`, else `limit` of them: the corners first,
// then drawn from a fixed stream. A variable without a range is taken from [-24, 40] and now and
// then from further away. The same question gives the same points.
Points MakePoints(const AnalysisQuestion& question, size_t limit);

}  // namespace irate::analysis
