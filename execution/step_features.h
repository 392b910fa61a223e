// What a pass changed, as hashed features for coverage-guided fuzzing: which kinds of nodes, in
// which surroundings, appeared, vanished, became more or fewer. Two programs on which a pass does
// the same kind of thing have the same features; a new feature is a new thing that a pass did.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// Sorted, without doubles, at most kMaxStepFeatures; empty for equal modules. A node kind is an
// operator with its type, an operator below another, the name of a call, a statement (of a loop:
// with its kind) below another. The same on every machine.
std::vector<uint32_t> StepFeatures(std::string_view pass, const Module& before,
                                   const Module& after);

inline constexpr size_t kMaxStepFeatures = 512;

// Fills in `features` of every step whose module was lifted and that stands behind another such.
void AddStepFeatures(VariantObservation* variant);

}  // namespace irate
