// The entry function of one Case as part of another one's.
#pragma once

#include <vector>

#include "ir/irate.pb.h"

namespace irate::mutate {

class Import {
 public:
  // Adds the donor's tables, parameters and inputs to the entry function of `test_case`. Every
  // parameter of the donor becomes a further parameter.
  Import(Case* test_case, const Case& donor);

  // The donor's statements, with the ids that its variables and buffers now have.
  std::vector<Stmt> Body() const;

 private:
  const Function& donor_;
  uint32_t first_variable_;
  uint32_t first_buffer_;
};

}  // namespace irate::mutate
