// Where a program may be changed, and what is in scope there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "generators/choice.h"
#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::mutate {

struct Scope {
  std::vector<uint32_t> variables;  // scalar parameters and dimensions first, then outside in
  std::vector<uint32_t> buffers;
  std::vector<const Stmt*> loops;  // FOR and WHILE around the place, outside in
};

enum class Role {
  kValue,      // part of a value that is stored, bound or branched on
  kIndex,      // a whole index of a load or store
  kInIndex,    // part of an index or bound
  kBound,      // a whole minimum or extent of a loop
  kCondition,  // a whole condition of IF, WHILE or a block's predicate
};

struct ExprPlace {
  Expr* expr = nullptr;
  Role role = Role::kValue;
  std::shared_ptr<const Scope> scope;
  // Of an index: its buffer and dimension.
  uint32_t buffer = 0;
  int dimension = 0;
};

struct StmtPlace {
  StmtList* list = nullptr;
  int index = 0;
  std::shared_ptr<const Scope> scope;
  Stmt& stmt() const { return *list->Mutable(index); }
};

// Places of one function, outside in; they hold until the first change of a list or an expression
// above them. Expressions that are not to be changed (strings, handles, arguments of calls that are
// more than functions of numbers, strides, declarations) are left out. Where `list` is the list of
// a StmtPlace, positions one behind the last statement are not among the places.
struct Places {
  std::vector<ExprPlace> expressions;
  std::vector<StmtPlace> statements;
};
Places FindPlaces(Function* function);

// Whether everything that the expression or statement uses and does not define is in the scope.
bool IsInScope(const Expr& expr, const Scope& scope);
bool IsInScope(const Stmt& stmt, const Scope& scope);

// One function of the module, drawn by the number of its statements.
Function* PickFunction(Module* module, ChoiceSource& choices);

// An element of `items` for which `fits` holds, each equally likely; null if there is none.
template <typename T, typename F>
T* Pick(std::vector<T>& items, ChoiceSource& choices, F&& fits) {
  int64_t count = 0;
  for (T& item : items) count += fits(item) ? 1 : 0;
  if (count == 0) return nullptr;
  int64_t wanted = choices.Range(0, count - 1);
  for (T& item : items) {
    if (fits(item) && wanted-- == 0) return &item;
  }
  return nullptr;
}
template <typename T>
T* Pick(std::vector<T>& items, ChoiceSource& choices) {
  return Pick(items, choices, [](const T&) { return true; });
}

// Index below `count`, which is positive.
inline int PickIndex(int count, ChoiceSource& choices) {
  return static_cast<int>(choices.Range(0, count - 1));
}

}  // namespace irate::mutate
