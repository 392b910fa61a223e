// Where in the passes of a Case a fault would trigger: the rule on what each pass returned, without
// the fault being on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct FaultProbe {
  bool reached = false;  // a pass that the fault concerns ran and was lifted
  std::string pass;      // the first after which the rule matches; empty: none
  std::string problem;   // why a match could not be rewritten
};

// The number of passes up to the last that the fault concerns; nothing if it concerns none.
std::optional<int> PassesNeeded(const rewrite::Rule& rule, const PassSequence& passes);

// `observation`: of a run with lifting, of at least those passes.
FaultProbe ProbeFault(const rewrite::Rule& rule, const VariantObservation& observation);

}  // namespace irate
