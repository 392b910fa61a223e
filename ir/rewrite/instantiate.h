// A pattern filled in with bindings: the replacement of a rule.
//
// Types are made to agree, so that rules need not state them:
//  * a literal without a suffix takes the type of what it meets, its lanes too;
//  * a scalar that meets a vector is broadcast; of two operands of different types the second is
//    cast to the type of the first; a stored value, a bound value and the whole replacement of an
//    expression are cast to the type of what takes them;
//  * "let $x = v" and "for $i in ..." of an unbound name make a new variable.
// What a statement or call does not state (annotations, a thread tag, the clauses of a block, the
// parts of an assertion, the type of a call) comes from the statement of that kind that the pattern
// matched: for loops the one with the same variable, otherwise the first, second, ... of its kind.
#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/rewrite/bindings.h"
#include "ir/rewrite/pattern.h"
#include "ir/rewrite/substitute.h"

namespace irate::rewrite {

class Instantiator {
 public:
  // New variables and buffers are added to the tables of `subject`.
  Instantiator(const Function& names, const Bindings& bindings, Function* subject)
      : names_(names), bindings_(bindings), subject_(*subject) {}

  // InvalidArgument: a name that stands for nothing or for something else, types that cannot be
  // made to agree.
  absl::StatusOr<Expr> MakeExpr(const Expr& pattern, const Expr& replaced);
  absl::Status MakeStmts(const StmtList& pattern, StmtList* result);
  // `name` becomes a new buffer declared like `model`.
  void NewBuffer(const std::string& name, uint32_t model);

 private:
  using Exprs = google::protobuf::RepeatedPtrField<Expr>;
  struct Hint {
    ScalarType type = VOID;
    uint32_t lanes = 0;
  };

  absl::StatusOr<Expr> Build(const Expr& pattern, Hint hint);
  absl::StatusOr<Expr> BuildMeta(const Expr& pattern);
  absl::StatusOr<Expr> BuildConst(const Expr& pattern, Hint hint);
  absl::StatusOr<Expr> BuildCall(const Expr& pattern);
  absl::StatusOr<Expr> BuildLet(const Expr& pattern, Hint hint);
  absl::Status BuildPair(const Expr& pattern, int first, Hint hint, Expr* result);
  absl::Status BuildArgs(const Exprs& pattern, Hint hint, Exprs* result);
  absl::Status BuildStmt(const Stmt& pattern, StmtList* result);
  absl::Status BuildMetaStmt(const Stmt& pattern, StmtList* result);
  absl::Status BuildStore(const Stmt& pattern, Stmt* stmt);
  absl::Status BuildFor(const Stmt& pattern, Stmt* stmt);
  absl::Status BuildBlock(const Stmt& pattern, Stmt* stmt);
  absl::Status BuildBodies(const Stmt& pattern, Stmt* stmt);
  // The program's variable; an unbound one is made, of this type, if the type is not VOID.
  absl::StatusOr<uint32_t> VariableId(uint32_t pattern, Hint type);
  absl::StatusOr<uint32_t> BufferId(uint32_t pattern) const;
  absl::StatusOr<std::string> Text(const std::string& pattern) const;
  absl::StatusOr<uint32_t> LanesOf(const Expr& pattern) const;
  const Stmt* Source(const Stmt& pattern);
  absl::StatusOr<Substitution> MakeSubstitution(const Exprs& pairs);
  const Binding* Find(const std::string& name) const;
  // A second copy of statements gets variables and buffers of its own.
  void Freshen(StmtList* stmts);
  uint32_t NewVariable(const std::string& name, Hint type);

  const Function& names_;
  const Bindings& bindings_;
  Function& subject_;
  std::map<std::string, Binding> fresh_;
  std::map<StmtKind, int> used_;  // statements of a kind whose source was taken
  int calls_used_ = 0;
  std::set<std::string> pasted_;  // lists of statements that the result has already
};

}  // namespace irate::rewrite
