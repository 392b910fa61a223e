// Small Cases, and the check that the interpreter and the second reference agree on them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::c_target_test {

// Values of one parameter of an element-wise Case; both 0: the type's default range.
struct Values {
  ScalarType type = I32;
  int64_t min = 0;
  int64_t max = 0;
  bool real = false;
};

// out[i] = make(a[i], b[i], ...) over 24 elements, in vectors of `lanes` where that is above 1.
Case ElementwiseCase(const std::string& name, const std::vector<Values>& inputs, uint32_t lanes,
                     const std::function<Expr(Function*, const std::vector<Expr>&)>& make);

// Runs every Case through both and expects that the program is defined and the results agree.
// Cases are named by `generator`.
void ExpectAgreement(const std::vector<Case>& cases);

}  // namespace irate::c_target_test
