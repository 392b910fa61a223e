// Variables replaced by expressions and buffers by others, and the types of expressions made equal.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::rewrite {

struct Substitution {
  std::map<uint32_t, Expr> variables;
  std::map<uint32_t, uint32_t> buffers;
  bool empty() const { return variables.empty() && buffers.empty(); }
};

void Substitute(const Substitution& substitution, Expr* expr);
void Substitute(const Substitution& substitution, StmtList* stmts);

// Broadcasts a scalar and casts a number so that `expr` has the type. InvalidArgument: it cannot.
absl::Status Convert(ScalarType type, uint32_t lanes, Expr* expr);
// Makes both of one type: scalars are broadcast, then `b` is cast to the type of `a`.
absl::Status Unify(Expr* a, Expr* b);

}  // namespace irate::rewrite
