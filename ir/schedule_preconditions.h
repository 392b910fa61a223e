// What a schedule step takes for granted and no compiler checks: conditions that TVM's
// documentation states, or that follow from what a block's regions promise. A step that breaks one
// gives a wrong program by its own fault; it is not applied. This also holds while a Case is
// reduced, when the program shrinks below its steps.
//
//  * A copy in front of a block (cache_read, reindex, read_at) is not of a buffer that the block
//    itself writes: it would go on reading what was there before.
//  * A block whose output is copied, moved or computed anew writes the whole of its write region
//    in every instance, and initialises it: no store under a condition, each index an iterator or a
//    constant, no update of what an earlier instance left.
//  * reindex: one block accesses the buffer, and reads it at one place.
//  * split without a predicate: the factors divide the extent.
//  * annotate_buffer_access: the region is the whole buffer.
//  * pad_einsum: the block adds up products of elements.
//  * fuse_reduction_epilogue: what follows adds something. (Of the other patterns it says itself
//  that
//    results differ.)
#pragma once

#include <string>

#include "ir/irate.pb.h"

namespace irate {

// Why no schedule is to be applied to the entry function of `module`: schedules are for functions
// whose statements all lie in blocks, below loops and blocks. Empty if one may be.
std::string NotBlockStructured(const Module& module);

// Why the step must not be applied to the entry function of `module`; empty if it may be, or if its
// block is not there (then the compiler says so).
std::string BrokenPrecondition(const Module& module, const ScheduleStep& step);

}  // namespace irate
