// Devices for `irate doctor`: what is here, and does a kernel run on it?
#pragma once

#include <vector>

#include "execution/doctor.h"
#include "execution/worker_client.h"

namespace irate {

// One check for each device that a description can name. A device that this machine does not have
// is no failure: the detail says what is missing. One that is here and computes something wrong is.
std::vector<DoctorCheck> CheckDevices(const WorkerOptions& worker);

}  // namespace irate
