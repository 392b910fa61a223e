#include "targets/selftest/passes.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ir/pass_map.h"
#include "ir/types.h"
#include "ir/visit.h"

namespace irate::selftest {
namespace {

constexpr char kIdentity[] = "selftest.Identity";
constexpr char kSerialiseLoops[] = "selftest.SerialiseLoops";
constexpr char kCommuteOperands[] = "selftest.CommuteOperands";

using Statements = google::protobuf::RepeatedPtrField<Stmt>;

// Those of a block's init as well.
bool SerialiseLoops(Function* function) {
  bool changed = false;
  VisitStmts(function, [&changed](Stmt& stmt) {
    if (stmt.kind() == FOR && stmt.loop_kind() != SERIAL && stmt.loop_kind() != THREAD_BINDING) {
      stmt.set_loop_kind(SERIAL);
      changed = true;
    }
  });
  return changed;
}

bool CommuteOperands(Expr* expr) {
  bool changed = false;
  for (Expr& argument : *expr->mutable_args()) changed |= CommuteOperands(&argument);
  if ((expr->op() == ADD || expr->op() == MUL) && IsInteger(expr->type())) {
    expr->mutable_args()->SwapElements(0, 1);
    changed = true;
  }
  return changed;
}

bool CommuteOperands(Statements* statements) {
  bool changed = false;
  for (Stmt& stmt : *statements) {
    for (Expr& argument : *stmt.mutable_args()) changed |= CommuteOperands(&argument);
    changed |= CommuteOperands(stmt.mutable_body());
    changed |= CommuteOperands(stmt.mutable_orelse());
  }
  return changed;
}

}  // namespace

PassSequence DefaultPasses() {
  PassSequence passes;
  for (const char* name : {kIdentity, kSerialiseLoops, kCommuteOperands}) {
    passes.add_steps()->set_name(name);
  }
  return passes;
}

std::vector<std::string> PromisesOf(std::string_view pass) {
  if (pass != kSerialiseLoops) return {};
  return {"no-vectorized-loops", kIdempotent};
}

absl::StatusOr<bool> ApplyPass(std::string_view name, Module* module) {
  bool changed = false;
  if (name == kIdentity) return false;
  for (Function& function : *module->mutable_functions()) {
    if (name == kSerialiseLoops) {
      changed |= SerialiseLoops(&function);
    } else if (name == kCommuteOperands) {
      changed |= CommuteOperands(function.mutable_body());
    } else {
      return absl::NotFoundError(
          absl::StrCat("the selftest target has no pass ", std::string(name)));
    }
  }
  return changed;
}

}  // namespace irate::selftest
