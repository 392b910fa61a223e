// Proof that each oracle speaks up for the fault that is meant for it and keeps quiet without one:
// a target that commits faults on request (targets/selftest) goes through harness and oracles.
#pragma once

#include <vector>

#include "execution/doctor.h"
#include "execution/worker_client.h"

namespace irate {

// One check for each oracle, named after it, and "silence". `worker` says which program to start;
// its target is replaced.
std::vector<DoctorCheck> CheckOracles(const WorkerOptions& worker);

}  // namespace irate
