// Questions to an integer analyser: expressions over variables with ranges, and what is asked about
// them.
//
//  * Scalar questions (most of them): one expression or condition of up to about twenty nodes over
//    one to four variables, asked of several functions of one analyser; a constraint in some.
//  * Iterator maps: indices that split, fuse, shift and pad iterators.
//  * Vectors: ramps and broadcasts, for the simplifiers and bounds.
//
// Constants come from a few that are chosen for each question, with their multiples, neighbours and
// negatives, and sub-expressions are used again: rules of a simplifier apply to operands that have
// something to do with each other.
#pragma once

#include "generators/choice.h"
#include "ir/analysis.pb.h"

namespace irate {

// Valid by construction: types agree, divisors that are constants are not 0. Divisions by a
// variable may be by 0 at some points, and values may overflow at some: those points are no test.
AnalysisQuestion GenerateAnalysisQuestion(ChoiceSource& choice);

}  // namespace irate
