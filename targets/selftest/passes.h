// The passes of the selftest target: small and right, so that everything that is found in it was
// planted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate::selftest {

// In order:
//   selftest.Identity          changes nothing
//   selftest.SerialiseLoops    parallel, vectorized and unrolled loops become serial
//   selftest.CommuteOperands   a + b and a * b of integers become b + a and b * a
PassSequence DefaultPasses();

// What a pass promises of its result: names of ir/properties.h.
std::vector<std::string> PromisesOf(std::string_view pass);

// Whether the module changed. Errors: NotFound for a pass that there is not.
absl::StatusOr<bool> ApplyPass(std::string_view name, Module* module);

}  // namespace irate::selftest
