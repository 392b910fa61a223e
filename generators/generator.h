// From choices to a Case that is valid by construction: well typed, in bounds, free of races, with
// exact floats or floats that carry bounds.
//
// A family is one file that registers one Generator in generators/registry.cc, the one list.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/choice.h"
#include "generators/sequence.h"
#include "ir/irate.pb.h"

namespace irate {

struct GenerateOptions {
  std::set<std::string> disabled_features;  // names from generators/features.h
  // Left out of three Cases of four: those that dominate known findings.
  std::set<std::string> avoided_features;
  std::string family;  // empty: drawn by weight
  // Programs for a device (family `device`), which only a compiler for one takes. Off: none of them
  // unless the family is asked for.
  bool devices = false;
  // Off: the same programs without their schedules.
  bool schedules = true;
  // With a pass map: Cases get pass sequences by these shares. The program of a seed is the same
  // with and without.
  const PassMap* pass_map = nullptr;
  SequenceMix sequences = kDefaultMix;
  // Programs of corpus/seeds (generators/seed_programs.h); null: none.
  std::shared_ptr<const std::vector<Case>> seeds;
};

class Generator {
 public:
  virtual ~Generator() = default;
  virtual std::string_view Family() const = 0;  // "stencil"
  virtual std::string_view Description() const = 0;
  virtual Case Generate(ChoiceSource& choices, const GenerateOptions& options) const = 0;
};

std::span<const std::unique_ptr<Generator>> Generators();

// Draws a family and lets it generate. Deterministic in (seed, options).
Case GenerateCase(uint64_t seed, const GenerateOptions& options = {});
// The same from any source of choices; `generator_seed` stays 0. Any bytes give a valid Case.
Case GenerateCase(ChoiceSource& choices, const GenerateOptions& options = {});
// Case number `index` of a run with `seed`: every job and every replay agrees on it.
uint64_t CaseSeed(uint64_t seed, uint64_t index);

}  // namespace irate
