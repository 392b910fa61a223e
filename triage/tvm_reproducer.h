// The Python text of a reproducer for TVM. It runs nothing: see triage/reproducer.h.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct TvmProgram {
  const Case& test_case;
  const Observation& observation;
  const Finding& finding;
  std::string script;          // TVMScript of the module as lowered, before the schedule
  std::string target_options;  // JSON
  // Empty: tvm.tirx.build with the default pipeline. Else these and nothing else.
  std::vector<PassStep> passes;
  // Not even the schedule as a whole: the steps that TVM came to, and nothing after them.
  bool schedule_only = false;
  // How far it goes: not beyond a failure of the compiler.
  bool builds = true;  // code generation after `passes`
  bool calls = true;   // the built function
};

// Unimplemented, with the reason, where the module or a value has no standalone form.
absl::StatusOr<std::string> WriteTvmReproducer(const TvmProgram& program);

}  // namespace irate
