// Size and depth of messages, found without recursion: the first thing that is asked of input that
// may be hostile, before anything recursive looks at it.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate {

struct Measure {
  // Messages below the root: statements, expressions, table entries, ranges, attributes...
  int64_t nodes = 0;
  // Nesting of messages below a Function (or below a Case, for the parts outside the module); a
  // statement of a function's body has depth 1, a loop's minimum 2.
  int depth = 0;
};

Measure MeasureModule(const Module& module);
Measure MeasureCase(const Case& test_case);

}  // namespace irate
