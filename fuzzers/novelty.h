// What a run of a Case showed of the compiler, as a set of numbers: the coverage that guides
// mutation. Two runs with the same features exercised the passes in the same ways.
//
// The features are, each with the pass that it is about:
//  * how the step ended, and in what order passes changed the program (pairs of changing passes);
//  * by how much the program grew or shrank, in powers of two;
//  * which kinds of nodes (operators, statements, loops, types, intrinsics) became more or fewer,
//    and by how many, in powers of two;
//  * which of the Case's own features (generators/features.h) it had when the pass changed it;
//  * what the target itself reports (StepObservation.features).
// And, of the variant: the stage and kind of a failure. No time and no address is among them, so
// they are the same in every run.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// Sorted, each once.
std::vector<uint32_t> NoveltyFeatures(const Case& test_case, const Observation& observation);

// The features of all runs so far.
class SeenFeatures {
 public:
  // How many of them are new.
  size_t Add(const std::vector<uint32_t>& features);
  size_t size() const { return seen_.size(); }

 private:
  std::unordered_set<uint32_t> seen_;
};

}  // namespace irate
