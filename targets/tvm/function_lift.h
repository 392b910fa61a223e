// One function on its way back to Case IR. Internal to lift*.cc.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "google/protobuf/repeated_field.h"
#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class FunctionLift {
 public:
  explicit FunctionLift(Function* function) : function_(function) {}

  // `prim_func` is a tirx.PrimFunc; the function's name is set. False if a construct has no Case
  // IR: `construct` then names it.
  bool Lift(const Object* prim_func);

  // One expression. Variables that were not named before are added to the function's table.
  bool LiftValue(const Object* expr, Expr* result) { return LiftExpr(expr, result); }
  void NameVariable(const Object* var, uint32_t id) { variables_[var] = id; }
  const std::string& construct() const { return construct_; }

 private:
  using Stmts = google::protobuf::RepeatedPtrField<Stmt>;
  using Attributes = google::protobuf::RepeatedPtrField<Attribute>;

  // lift_expr.cc and lift_call.cc
  bool LiftExpr(const Object* node, Expr* result);
  bool LiftOperator(const Object* node, Expr* result);
  bool LiftCall(const Object* node, Expr* result);
  bool LiftLaunchParams(const Object* attrs, Expr* call);
  bool LiftLoad(const Object* node, Expr* result);
  bool LiftShuffle(const Object* node, Expr* result);
  bool LiftIntImm(const Object* node, Expr* result);
  bool LiftExprs(const Object* array, google::protobuf::RepeatedPtrField<Expr>* result);
  bool SetType(const Object* node, Expr* result);
  bool IsBuffer(const Object* node) const;
  bool VariableId(const Object* var, uint32_t* id);
  bool BufferId(const Object* var, uint32_t* id);

  // lift_stmt.cc
  bool LiftBody(const Object* stmt, Stmts* result);
  bool LiftStmt(const Object* stmt, Stmt* result);
  bool LiftFor(const Object* stmt, Stmt* result);
  bool LiftAttr(const Object* stmt, Stmt* result);
  bool LiftReducer(const Object* reducer, Expr* value);
  bool LiftEvaluate(const Object* stmt, Stmt* result);
  bool LiftAssert(const Object* stmt, Stmt* result);
  bool LiftAttributes(const Object* map, Attributes* result);

  // lift_block.cc
  bool LiftBlock(const Object* realize, Stmt* result);
  bool LiftRange(const Object* range, Range* result);
  bool LiftRegion(const Object* region, BufferRegion* result);
  static bool IsImplicitRoot(const Object* stmt);

  // Always false.
  bool Fail(std::string construct);

  Function* function_;
  absl::flat_hash_map<const Object*, uint32_t> variables_;
  absl::flat_hash_map<const Object*, uint32_t> buffers_;
  std::string construct_;
};

}  // namespace irate::tvm_target
