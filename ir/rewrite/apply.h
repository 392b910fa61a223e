// A rule on a module.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/rewrite/rule.h"

namespace irate::rewrite {

struct Applied {
  bool triggered = false;  // it matches somewhere (at the wanted place), and all conditions hold
  bool changed = false;    // and `module` is another program than before
  int matches = 0;         // places at which the pattern matches
  // Why a match was not rewritten: the replacement cannot be typed, or the result is not valid.
  std::string problem;
  Module module;  // the result; set if `changed`
};

// Looks through functions in their order, and in each through statements from outside in and in
// their order, each before what it contains. `module` is lifted and verified, or a source program.
Applied Apply(const Rule& rule, const Module& module, const std::string& pass, int step);

}  // namespace irate::rewrite
