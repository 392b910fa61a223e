// From Cases to changed Cases that are as valid as generated ones.
//
//  1. One to four mutators, drawn by weight (yield.h), are applied in turn; after each the verifier
//     is asked.
//  2. The result is brought into canonical form (ids in order of use, no unused table entries, no
//     stated regions of blocks, which would no longer be those of the body; no schedule of a
//     program that is no longer fit for one, see ir/schedule_validity.h) and its features are read
//     from it.
//  3. It is accepted if it is small enough, differs from the parent, has no feature that is
//  switched
//     off, and, unless its passes are wild, the interpreter finds it defined and judges most of it.
//  4. Otherwise the whole is tried again with other draws, up to a number of times.
//
// Deterministic in the parent, the donor, the choices and what was learned before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/choice.h"
#include "generators/mutate/mutator.h"
#include "generators/mutate/yield.h"
#include "ir/irate.pb.h"

namespace irate {

struct MutateOptions {
  // No child has one of them unless its parent has.
  std::set<std::string> disabled_features;
  // The same for three children of four (see GenerateOptions).
  std::set<std::string> avoided_features;
  // See MutationContext.
  PassSequence passes;
  std::function<bool(const PassSequence&)> is_strict_walk;
  int attempts = 16;
  int64_t nodes = 1'500;             // of the module, at most
  size_t bytes = size_t{64} * 1024;  // serialised, at most
  uint64_t fuel = 300'000;           // interpreter steps
  double inconclusive = 0.25;        // share of elements that may stay unjudged
  bool learn = true;                 // weights follow the yield
};

class MutationEngine {
 public:
  explicit MutationEngine(MutateOptions options);

  struct Child {
    Case test_case;
    std::vector<size_t> mutators;  // indices into Mutators(), in order
  };
  // `donor` may be null. Nothing if no attempt was accepted.
  std::optional<Child> Mutate(const Case& parent, const Case* donor, ChoiceSource& choices);
  // The first mutator takes parts of the donor.
  std::optional<Child> Cross(const Case& parent, const Case& donor, ChoiceSource& choices);

  // What came of a child that ran.
  void Learn(const Child& child, bool interesting) { yield_.Learn(child.mutators, interesting); }
  const MutatorYield& yield() const { return yield_; }
  const MutateOptions& options() const { return options_; }

 private:
  std::optional<Child> Attempt(const Case& parent, const Case* donor, bool cross,
                               ChoiceSource& choices);
  std::optional<Child> Try(const Case& parent, const Case* donor, bool cross, bool avoids,
                           ChoiceSource& choices);
  bool Apply(size_t mutator, const Case* donor, Case* test_case, ChoiceSource& choices);
  bool IsAcceptable(const Case& parent, bool avoids, Case* child) const;
  bool HasUnwantedFeature(const Case& parent, bool avoids, const Case& child) const;

  MutateOptions options_;
  MutatorYield yield_;
};

}  // namespace irate
