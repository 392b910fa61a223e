// When a Case may have a schedule: what TVM's schedules take for granted of a program and do not
// check. From the documentation of TVM's Schedule, of SBlockInfo and of complete and reduction
// blocks; docs/schedules.md says it at length. Beyond that a wrong result is TVM's.
//
//  1. Every statement of the entry function lies in a block, below loops and blocks only, and none
//     leaves its block (break and continue of a loop around it, return).
//  2. A loop around a block runs at least once, with step 1, between bounds that depend neither on
//     data nor on other loops' variables.
//  3. The instances of a block are those of its iterators' domain, each once: bindings and
//     condition map the iterations onto it one to one, and take no data. Domains are not empty.
//  4. Instances that differ in a spatial iterator are independent: none touches what another
//     writes. The block writes no place that data decides, and nothing through views or pointers.
//  5. A block touches what its stated regions say.
//  6. A reduction iterator stands for a commutative, associative update: every store outside of
//     init is X[i] = X[i] op value, and what init writes is written first.
//
// Used for generated and mutated Cases (which lose their schedule otherwise), and by the target,
// which applies no step to a Case that is not valid: so a reduced Case is valid, too.
#pragma once

#include <string>

#include "ir/irate.pb.h"

namespace irate {

// Why no schedule is to be applied to the entry function; empty if one may be. For verified Cases.
std::string NotSchedulable(const Module& module, const Inputs& inputs);

}  // namespace irate
