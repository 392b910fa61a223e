// Comparison of results: two interpretations, or an interpretation and what a machine computed.
//
// Elements that are not judged on either side are skipped (kJudgedAsResult counts as judged on the
// actual side only). Floats differ where |expected - actual| exceeds the sum of their bounds; a
// machine's value is given the bound of the expected one. Where that sum is 0, and for integers,
// values are equal bit for bit, but for -0.0 and 0.0, which are equal, and NaNs, which all are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/observation.pb.h"

namespace irate {

struct Difference {
  int output = 0;              // which buffer parameter
  std::vector<int64_t> index;  // the first differing element, lane last if the type is a vector
  std::string expected;        // printed so that it reads back exactly
  std::string actual;
  double tolerance = 0;   // the sum of the bounds of that element
  int64_t differing = 0;  // elements that differ
  int64_t judged = 0;     // elements that were judged
  std::string ToString() const;
};

// Both DEFINED, outputs of equal number and shape (anything else is a difference of its own kind,
// reported with `judged` 0).
std::optional<Difference> Compare(const Interpretation& expected, const Interpretation& actual);
std::optional<Difference> Compare(const Interpretation& expected,
                                  const std::vector<Tensor>& actual);

// Share of elements that are not judged, over all outputs; 0 if there are none.
double InconclusiveShare(const Interpretation& interpretation);

}  // namespace irate
