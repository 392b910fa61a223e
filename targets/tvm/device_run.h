// Tier 3: code generation for a device and a run of it, launched by TVM's own host code.
#pragma once

#include <string>

#include "execution/api/target.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// Builds the host and the device functions of `module`, loads the device's on `device`, and runs
// the entry function on the Case's inputs. Sets outputs, build_ms, run_ms and violations, or a
// failure of the compiler, or in `not_sanitized` what the device does not have. Violations are of
// the families "device-memory", "device-order", "device-source" and "device-launch".
void BuildAndRunOnDevice(const Case& test_case, const Any& module, const Any& target,
                         const Any& host, const std::string& device, Progress* progress,
                         VariantObservation* observation);

}  // namespace irate::tvm_target
