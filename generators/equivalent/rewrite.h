// Changes of a program that keep its meaning: what no compiler, interpreter or printer may notice.
//
// Each rule is one file and stands in the one list, rewrites.cc. A rule says where it applies and
// what it does there; it knows nothing of results. `irate bench null` applies rules at random and
// expects that nobody finds a difference.
//
// "Meaning" is that of a *pass's result* (ir/interpreter.h): integers may be computed in another
// order, so that a sum that fits may overflow on its way, and floats may be computed in any order,
// within their bounds.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "generators/choice.h"
#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate {

class Rewrite {
 public:
  virtual ~Rewrite() = default;
  virtual std::string_view Name() const = 0;  // "split-loop"
  // The places of `module` where the rule applies, in an order that depends on the module alone.
  virtual int CountSites(const Module& module) const = 0;
  // Applies the rule at place number `site`, below CountSites(*module). Other choices (a factor, a
  // side) are drawn.
  virtual void ApplyAt(Module* module, int site, ChoiceSource& choices) const = 0;
};

// A rule about one expression. Its places are the values that statements store, bind and decide by,
// with their operands. The arguments of calls that are more than functions of numbers, loop
// bounds and declarations are left alone: there, compilers ask for a certain form.
class ExprRewrite : public Rewrite {
 public:
  int CountSites(const Module& module) const final;
  void ApplyAt(Module* module, int site, ChoiceSource& choices) const final;

 protected:
  virtual bool IsApplicable(const Expr& expr) const = 0;
  virtual void Apply(Function* function, Expr* expr, ChoiceSource& choices) const = 0;
};

// A rule about one statement in its list.
class StmtRewrite : public Rewrite {
 public:
  int CountSites(const Module& module) const final;
  void ApplyAt(Module* module, int site, ChoiceSource& choices) const final;

 protected:
  virtual bool IsApplicable(const Function& function, const Stmt& stmt) const = 0;
  // May replace the statement at `index` by any number of others.
  virtual void Apply(Function* function, StmtList* list, int index,
                     ChoiceSource& choices) const = 0;
};

std::span<const std::unique_ptr<Rewrite>> Rewrites();
const Rewrite* FindRewrite(std::string_view name);

}  // namespace irate
