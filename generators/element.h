// Statements that compute one element of a buffer and store it: directly, through binds, locals and
// local arrays, through an inner loop, on both arms of a conditional.
#pragma once

#include <vector>

#include "generators/context.h"
#include "generators/term.h"
#include "ir/irate.pb.h"

namespace irate {

struct Element {
  BufferInfo* buffer = nullptr;  // contents are widened by what is stored
  std::vector<Expr> indices;     // in bounds, of this iteration alone
  // The element has a value already, so a path that stores nothing is fine, and so is reading it.
  bool initialised = false;
  // What may be stored; 0: whatever the type holds.
  Limit limit = {};
};

// One store or several, always at least one on every path unless `initialised`.
std::vector<Stmt> GenerateElement(Context& context, const Element& element, int depth);

// A store of `value`, converted or shrunk to fit.
Stmt StoreElement(Context& context, const Element& element, Term value);
// The element's own value, as long as nothing else is stored meanwhile.
Term LoadElement(Context& context, const Element& element);

// Statements that change nothing: an assertion or assumption that holds, a loop that never runs.
void AppendIdle(Context& context, const Element& element, std::vector<Stmt>* body);

// A new buffer of the innermost scope and the statement that makes it.
struct LocalBuffer {
  BufferInfo info;
  Stmt allocation;
};
LocalBuffer MakeLocal(Context& context, ScalarType type, int64_t elements);
bool MayLocal(const Context& context, Feature feature);

}  // namespace irate
