// Launch parameters against the loops that they stand for.
#pragma once

#include <string>
#include <vector>

#include "ir/irate.pb.h"
#include "targets/tvm/device_session.h"

namespace irate::tvm_target {

// What is wrong, one line each. Judged where there is no doubt which loops a launch stands for: a
// program with one nest of hardware threads and one launch, each index bound once, of constant
// extent.
std::vector<std::string> CheckExtents(const Module& program,
                                      const std::vector<DeviceLaunch>& launches);

}  // namespace irate::tvm_target
