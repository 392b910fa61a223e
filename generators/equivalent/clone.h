// Copies of statements within one function, where each variable and buffer has one definition.
#pragma once

#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::equivalent {

// A copy of `list` in which everything that is defined in it (loops, lets, bindings, iterators,
// allocations, views) has a new id with an equal table entry. What comes from outside is shared.
StmtList CloneWithFreshDefinitions(Function* function, const StmtList& list);

}  // namespace irate::equivalent
