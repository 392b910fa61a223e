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
//  * What is copied as a region (cache_*, reindex*, read_at, write_at) is a region of the buffer:
//  what
//    a condition inside of the block holds back does not leave it either.
//  * A loop made parallel, vectorized or bound has no block below it that runs again for iterators
//    that it had before: iterations would write the same places.
//  * parallel: no loop around or inside is parallel already; code generation has no nested ones.
//  * reindex: one block accesses the buffer, and reads it at one place, by its iterators.
//  * split without a predicate: the factors divide the extent.
//  * transform_layout: the buffer is none of the parameters, whose layout is the caller's.
//  * annotate_buffer_access: the region is the whole buffer.
//  * pad_einsum: the block adds up products of elements; all spatial iterators index the sum.
//  * fuse_reduction_epilogue: what follows adds something. (Of the other patterns it says itself
//  that
//    results differ.)
#pragma once

#include <string>

#include "ir/irate.pb.h"

namespace irate {

// Why the step must not be applied to the entry function of `module`; empty if it may be, or if its
// block is not there (then the compiler says so). `inputs` as of the Case.
std::string BrokenPrecondition(const Module& module, const Inputs& inputs,
                               const ScheduleStep& step);

}  // namespace irate
