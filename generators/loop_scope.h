// One loop: the choice of its kind, and the scope that its body is generated in.
#pragma once

#include <string_view>
#include <vector>

#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

struct LoopFacts {
  int64_t trips = 1;
  bool constant = true;      // minimum and extent
  bool independent = false;  // iterations do not depend on each other
  bool body_has_loops = false;
  bool body_has_if = false;
  bool body_allocates = false;
  bool may_vectorize = true;
};

// A kind that is switched on here, at the top of the loops around, and that TVM accepts: no
// parallel loop in a parallel one, constant extents where vectorized or unrolled.
LoopKind DrawLoopKind(Context& context, const LoopFacts& facts);

class LoopScope {
 public:
  // for variable in [min, min + extent): enters the loop.
  LoopScope(Context& context, std::string_view prefix, Expr min, Expr extent, LoopKind kind);
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

  Expr Variable() const { return context_.VariableExpr(variable_); }
  Stmt Close(std::vector<Stmt> body);

 private:
  Context& context_;
  uint32_t variable_;
  Expr min_;
  Expr extent_;
  LoopKind kind_;
};

// The arm of a conditional statement: inside, `condition` holds (or does not).
class ArmScope {
 public:
  ArmScope(Context& context, const Expr& condition, bool holds);
  ~ArmScope();
  ArmScope(const ArmScope&) = delete;
  ArmScope& operator=(const ArmScope&) = delete;

 private:
  Context& context_;
  size_t range_mark_;
};

// Whether a conditional statement is switched on here.
bool MayIf(const Context& context);

}  // namespace irate
