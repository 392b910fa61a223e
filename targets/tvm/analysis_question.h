// One question on its way into TVM and back. Internal to analysis*.cc.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/analysis.pb.h"
#include "ir/irate.pb.h"
#include "targets/tvm/function_lift.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class NativeQuestion {
 public:
  explicit NativeQuestion(const AnalysisQuestion& question);

  // Binds the ranges and switches the extensions on. Throws.
  void Prepare();
  // Enters the scope of the constraint, if there is one. Throws.
  void Enter();
  // Leaves it again. Throws.
  void Leave();
  // Asks one function; see ir/analysis.proto. Throws tvm::ffi::Error; what was answered until then
  // is in `answer`.
  void Ask(const AnalysisAsk& ask, AnalysisAnswer* answer);

  // Variables that answers have brought in.
  void AddNewVariables(AnalysisAnswers* answers) const;

 private:
  Any Lower(const Expr& expr) { return lowering_.LowerValue(expr); }
  Any Variable(uint32_t id) { return lowering_.LowerVariable(id); }
  AnyArray Variables(const AnalysisAsk& ask);
  AnyArray Exprs(const AnalysisAsk& ask);
  Any Predicate(const AnalysisAsk& ask);
  Any RangeOf(uint32_t id);
  Any SetOf(uint32_t id);
  // Of all bound variables.
  ffi::Map<Any, Any> Ranges();
  void AddExpr(const Any& expr, AnalysisAnswer* answer);
  void AddSet(const Any& set, AnalysisAnswer* answer);

  void AskBoundDeduction(const AnalysisAsk& ask, AnalysisAnswer* answer);
  void AskIterMap(const AnalysisAsk& ask, AnalysisAnswer* answer);
  void AskInverse(const AnalysisAsk& ask, AnalysisAnswer* answer);
  void AskSubspace(const AnalysisAsk& ask, AnalysisAnswer* answer);
  void AskRegion(const AnalysisAsk& ask, AnalysisAnswer* answer);

  const AnalysisQuestion& question_;
  Function function_;  // with the question's variables; those of answers follow
  std::unordered_map<std::string, Any> globals_;
  FunctionLowering lowering_;
  Function lifted_;
  FunctionLift lift_;
  Any analyzer_;
  Any leave_;
};

}  // namespace irate::tvm_target
