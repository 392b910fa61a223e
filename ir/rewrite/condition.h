// When a rule applies: the "where" of docs/faults.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/rewrite/bindings.h"
#include "ir/rewrite/match.h"
#include "ir/rewrite/pattern.h"
#include "ir/rewrite/place.h"

namespace irate::rewrite {

struct Condition {
  enum class Kind {
    kInteger,   // value
    kText,      // text
    kMeta,      // text, a name without "$"
    kFunction,  // text(args); also words without arguments: depth, pass, ...
    kBinary,    // args[0] text args[1]
    kNot,       // args[0]
    kIs,        // args[0], a kMeta, is one of words
    kInside,    // one of words is around the match
    kIn,        // the match is part of one of words
    kContains,  // `pattern` occurs in text: a metavariable, "module" or "function"
  };
  Kind kind = Kind::kInteger;
  int64_t value = 0;
  std::string text;
  std::vector<std::string> words;
  std::vector<Condition> args;
  std::shared_ptr<const Pattern> pattern;
};

// Whether `word` is a function of conditions and how many arguments it takes; -1: there is none.
int FunctionArity(const std::string& word);
// Words after "is".
bool IsTest(const std::string& word);

class Evaluator {
 public:
  Evaluator(const Function& names, const Place& place, Matcher* matcher, Bindings* bindings)
      : names_(names), place_(place), matcher_(*matcher), bindings_(*bindings) {}

  // Whether all hold, in their order, and then `then`. What a "contains" binds is bound in those
  // after it; every way to bind it is tried.
  bool All(const std::vector<Condition>& conditions, size_t from, const Then& then);

 private:
  struct Value;
  Value Evaluate(const Condition& condition);
  Value Function(const Condition& condition);
  Value OfMeta(const std::string& name);
  static Value Compare(const std::string& op, const Value& a, const Value& b);
  bool Holds(const Condition& condition);
  bool Is(const std::string& name, const std::string& test);
  bool Contains(const Condition& condition, const Then& then);
  bool ContainedIn(const Pattern& pattern, const Expr& expr, const Then& then);
  bool ContainedIn(const Pattern& pattern, const StmtList& stmts, const Then& then);
  // Uses of the variable or buffer that args[1] names in what args[0] names; reads or writes only.
  int64_t Uses(const Condition& condition);

  const irate::Function& names_;
  const Place& place_;
  Matcher& matcher_;
  Bindings& bindings_;
};

}  // namespace irate::rewrite
