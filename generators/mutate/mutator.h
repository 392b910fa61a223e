// Small typed changes of a Case: what a coverage-guided fuzzer does to the interesting ones.
//
// Each mutator is one file and stands in the one list, mutators.cc. It changes one thing at a place
// that it draws, keeps types and scopes, and guards what it can against undefined behaviour (an
// index stays inside of its extent, a divisor is no zero). It promises neither that the result
// verifies nor that it is defined: the engine (engine.h) asks the verifier and the interpreter.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "generators/choice.h"
#include "ir/irate.pb.h"

namespace irate {

// What a mutator may draw from besides the Case.
struct MutationContext {
  // Another Case to take parts from; null: there is none, and crossover does not apply.
  const Case* donor = nullptr;
  // Passes that may be inserted, the target's default pipeline for example, in its order.
  const PassSequence* passes = nullptr;
  // Whether a sequence may run in strict mode (PassMap::Check). Empty: nobody knows, and a sequence
  // whose order was changed runs in wild mode.
  std::function<bool(const PassSequence&)> is_strict_walk;
};

class Mutator {
 public:
  virtual ~Mutator() = default;
  virtual std::string_view Name() const = 0;  // "wrap-in-loop"
  // Relative to the other mutators, before anything is known of its yield. At least 1.
  virtual int Weight() const { return 8; }
  // Changes the Case; false, with the Case unspecified, where it found nothing to change.
  virtual bool Mutate(Case* test_case, const MutationContext& context,
                      ChoiceSource& choices) const = 0;
};

// The one list: those of mutator_list.h and, as "same-NAME", every rule of generators/equivalent.
std::span<const std::unique_ptr<Mutator>> Mutators();
const Mutator* FindMutator(std::string_view name);

}  // namespace irate
