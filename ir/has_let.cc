#include "ir/has_let.h"

#include <algorithm>

#include "ir/irate.pb.h"

namespace irate {

bool HasLet(const Expr& expr) {
  return expr.op() == LET || std::ranges::any_of(expr.args(), HasLet);
}

}  // namespace irate
