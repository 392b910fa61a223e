// What a generator produces, measured: how often each feature occurs, how many Cases the
// interpreter drops as undefined and why, how much of the outputs it can judge, how fast Cases are
// made.
//
// A feature that is never there, a drop rate above 1 % or an inconclusive share above 5 % is a
// fault of the generator: tests/generators checks all three.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "generators/generator.h"
#include "nlohmann/json_fwd.hpp"

namespace irate {

struct FamilyStats {
  int64_t cases = 0;
  int64_t dropped = 0;  // not DEFINED by the interpreter
  // Scalar elements of all outputs of the defined Cases, and those that may not be judged.
  int64_t elements = 0;
  int64_t not_judged = 0;
  uint64_t steps = 0;  // of the interpreter
  int64_t bytes = 0;   // serialised

  double DropRate() const;
  double InconclusiveShare() const;
};

struct GeneratorStats {
  FamilyStats total;
  std::map<std::string, FamilyStats> families;
  // Cases that contain the feature; every feature of the table has an entry.
  std::map<std::string, int64_t> features;
  // Interpreter's status and reason, numbers masked, and how often.
  std::map<std::string, int64_t> drop_reasons;
  double generate_seconds = 0;  // CPU time of this thread
  double interpret_seconds = 0;

  double CasesPerSecond() const;
};

// Cases 0 .. count - 1 of a run with `seed`. Everything but the seconds is deterministic.
GeneratorStats CollectGeneratorStats(uint64_t seed, int64_t count,
                                     const GenerateOptions& options = {});

// {"cases", "dropped_undefined", "drop_rate", "inconclusive_share", "cases_per_s", "mean_steps",
//  "mean_bytes", "features": {name: share of Cases}, "families": {name: {"cases", ...}},
//  "drop_reasons": {reason: count}}
nlohmann::ordered_json ToJson(const GeneratorStats& stats);

}  // namespace irate
