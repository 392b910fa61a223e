// Mistakes between a code generator, its host code and a device, made on purpose: the ground truth
// of the device oracles. A Case names one as "device.NAME".
//
//   arguments-swapped  the first two buffers of a launch change places
//   extents-swapped    threads in x and y change places (threads and groups where there is one
//   each) extent-short       one thread less in x, or one group where there is one thread
//   read-after         the first load of a buffer with a constant or simple index reads past its
//   end barrier-removed    the first barrier of the source is left out shared-short       the first
//   shared array is one element short source-broken      the first statement of the source has no
//   semicolon nothing            nothing: must raise nothing
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/devices/device.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate::tvm_target {

// Whether the name is of this kind, known or not.
inline bool IsDeviceFault(std::string_view name) { return name.starts_with("device."); }

class DeviceFault {
 public:
  // The first of the Case's faults of this kind; none: changes nothing. NotFound: an unknown name.
  static absl::StatusOr<DeviceFault> Create(const Case& test_case);

  std::string Change(std::string source);
  void Change(devices::LaunchShape* shape, std::vector<devices::KernelArgument>* arguments);
  void Report(VariantObservation* observation) const;

 private:
  std::string name_;  // without "device."; empty: none
  bool reached_ = false;
  bool triggered_ = false;
};

}  // namespace irate::tvm_target
