// Where device code runs, one interface for all of it: the simulated device, OpenCL, CUDA.
//
// A device belongs to one process and one thread. Memory is named by handles; only the simulated
// device's are addresses. What a launch did wrong is no error of the call: it is in TakeReports().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::devices {

enum class Language { kOpenClC, kCuda };

// One argument of a kernel, as the launch passes it.
struct KernelArgument {
  void* buffer = nullptr;  // from Allocate; null: a scalar
  uint64_t bits = 0;       // of a scalar, in its low `size` bytes
  uint32_t size = 0;
};

struct LaunchShape {
  std::array<uint32_t, 3> groups = {1, 1, 1};
  std::array<uint32_t, 3> items = {1, 1, 1};  // in each group
  uint32_t dynamic_shared_bytes = 0;

  uint64_t ItemsInGroup() const { return uint64_t{items[0]} * items[1] * items[2]; }
  uint64_t Groups() const { return uint64_t{groups[0]} * groups[1] * groups[2]; }
};

// What a device saw generated code do that it must not.
struct DeviceReport {
  // "memory.out-of-bounds.read.global", "order.race.shared", "order.divergence", ...
  std::string kind;
  std::string kernel;
  std::string place;   // "line 12: C[i] = A[i];", "buffer A"
  std::string detail;  // one line for people
};

// Kernels that a device has compiled.
class Program {
 public:
  virtual ~Program() = default;
  virtual std::vector<std::string> Kernels() const = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string Name() const = 0;      // "simulated"
  virtual std::string Describe() const = 0;  // one line: what it is and what it can do
  virtual bool Accepts(Language language) const = 0;

  // `name` is what reports call the memory; contents are a pattern, not zeros.
  virtual absl::StatusOr<void*> Allocate(size_t size, const std::string& name) = 0;
  // Memory that is none of this device's is left alone.
  virtual void Free(void* memory) = 0;
  virtual absl::Status CopyIn(void* to, size_t offset, std::span<const uint8_t> bytes) = 0;
  virtual absl::Status CopyOut(const void* from, size_t offset, std::span<uint8_t> bytes) = 0;

  // InvalidArgument: the source does not compile, with the compiler's first errors.
  // Unimplemented: it may be right, but this device does not have what it uses; names it.
  virtual absl::StatusOr<std::unique_ptr<Program>> Load(const std::string& source,
                                                        Language language) = 0;
  // InvalidArgument: no such kernel, or arguments that are not its own. Aborted: the device was
  // stopped by what the kernel did; TakeReports() says by what. Unimplemented as for Load.
  virtual absl::Status Launch(Program& program, const std::string& kernel, const LaunchShape& shape,
                              std::span<const KernelArgument> arguments) = 0;
  virtual absl::Status Synchronise() = 0;
  // Frees all memory and forgets all reports. Programs stay.
  virtual void Reset() = 0;

  // Reports since the last call.
  virtual std::vector<DeviceReport> TakeReports() { return {}; }
};

// A device that may be had here, or why not.
struct DeviceEntry {
  std::string name;
  std::unique_ptr<Device> device;  // null: `refusal` says why
  std::string refusal;
};

}  // namespace irate::devices
