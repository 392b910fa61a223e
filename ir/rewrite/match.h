// A pattern against a piece of a function.
//
// All ways in which lists can be split are tried, the shortest lists first, until `then` accepts
// one: conditions take part in the choice. The work is bounded; a pattern that is too costly for a
// program does not match it.
#pragma once

#include <functional>
#include <string>

#include "ir/irate.pb.h"
#include "ir/rewrite/bindings.h"
#include "ir/rewrite/pattern.h"

namespace irate::rewrite {

using Then = std::function<bool()>;

class Matcher {
 public:
  // `names`: the tables of the pattern's names. All outlive the Matcher.
  Matcher(const Function& names, const Function& subject, Bindings* bindings)
      : names_(names), subject_(subject), bindings_(*bindings) {}

  // True if there is a way that `then` accepts; the bindings are those of that way. Otherwise they
  // are as before.
  bool MatchExpr(const Expr& pattern, const Expr& subject, const Then& then);
  // The first statements of `subject` from `start` on; *length is how many when `then` is called. A
  // list at the end of the pattern takes all that is left, one at its beginning all that is before.
  bool MatchWindow(const StmtList& pattern, const StmtList& subject, int start, int* length,
                   const Then& then);

 private:
  using Exprs = google::protobuf::RepeatedPtrField<Expr>;

  bool Bind(const std::string& name, Binding value, const Then& then);
  bool MatchVariable(uint32_t pattern, uint32_t subject, const Then& then);
  bool MatchBuffer(uint32_t pattern, uint32_t subject, const Then& then);
  bool MatchText(const std::string& pattern, const std::string& subject, const Then& then);
  bool MatchMeta(const Expr& pattern, const Expr& subject, const Then& then);
  bool MatchConst(const Expr& pattern, const Expr& subject, const Then& then);
  bool MatchExprs(const Exprs& pattern, int at, const Exprs& subject, int from, const Then& then);
  bool MatchStmt(const Stmt& pattern, const Stmt& subject, const Then& then);
  bool MatchBody(const Stmt& pattern, const Stmt& subject, const Then& then);
  bool MatchFor(const Stmt& pattern, const Stmt& subject, const Then& then);
  bool MatchBlock(const Stmt& pattern, const Stmt& subject, const Then& then);
  bool MatchIters(const Block& pattern, int at, const Block& subject, const Then& then);
  // `end`: what is left of `subject` must be nothing; otherwise *stop is where the pattern ended.
  bool MatchStmts(const StmtList& pattern, int at, const StmtList& subject, int from, int* stop,
                  const Then& then);
  bool Exhausted() { return ++steps_ > kMaxSteps; }

  static constexpr int kMaxSteps = 200'000;
  const Function& names_;
  const Function& subject_;
  Bindings& bindings_;
  int steps_ = 0;
};

}  // namespace irate::rewrite
