// Programs for the tests of ir/: together they use every operator, every kind of statement and
// every field of the schema.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::samples {

struct Sample {
  std::string name;
  Case test_case;
  // The module is verified as one that a compiler gave back; it is not a valid Case.
  bool lifted = false;
};

std::vector<Sample> All();

// `body` in a function with parameters A, B and n and more in its tables, beside the private
// function
// @callee. Aborts if it does not parse; whether it verifies is the test's question.
Case WithBody(const std::string& body);

inline void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

}  // namespace irate::samples
