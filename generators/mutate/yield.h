// How well each mutator does, and how often it is drawn because of that.
//
// Everything is integer arithmetic on counts, so the same history gives the same draws on every
// machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/choice.h"
#include "generators/mutate/mutator.h"

namespace irate {

struct MutatorCounts {
  uint64_t tried = 0;
  uint64_t applied = 0;      // it found a place
  uint64_t valid = 0;        // and the result verified
  uint64_t defined = 0;      // and the child that it took part in was accepted: defined, small
  uint64_t executed = 0;     // accepted children that ran
  uint64_t interesting = 0;  // of these, those that showed something new
};

class MutatorYield {
 public:
  // Without `learns` the weights stay those of the mutators.
  explicit MutatorYield(bool learns = true);

  // Index into Mutators().
  size_t Draw(ChoiceSource& choices) const;
  MutatorCounts& counts(size_t mutator) { return counts_[mutator]; }
  const std::vector<MutatorCounts>& counts() const { return counts_; }
  void Learn(const std::vector<size_t>& mutators, bool interesting);

  // The mutator's own weight, times its share of tries that led to something new relative to that
  // of all mutators, between an eighth and eight times. A mutator without a history has its own.
  int Weight(size_t mutator) const;

  // A table for people: one line a mutator, the most fruitful first.
  std::string ToText() const;

 private:
  bool learns_;
  std::vector<MutatorCounts> counts_;
  uint64_t total_tried_ = 0;  // as of the last Learn
  uint64_t total_interesting_ = 0;
};

}  // namespace irate
