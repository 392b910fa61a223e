// One small defined Case for each form of statement and of function.
#pragma once

#include <vector>

#include "ir/irate.pb.h"

namespace irate::c_target_test {

std::vector<Case> LoopCases();      // loops of each kind and type, with steps and jumps
std::vector<Case> MemoryCases();    // stores, locals, views, strides, vectors of elements
std::vector<Case> BlockCases();     // iterators, init, predicate, locals, matches
std::vector<Case> FunctionCases();  // calls, results, scalar parameters, symbolic dimensions

}  // namespace irate::c_target_test
