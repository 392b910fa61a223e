// Runs compiled kernels on the simulated device: one fibre for each work-item of a group, groups
// one after the other. A work-item runs until it ends or waits at a barrier; nothing else
// interrupts it, so a run is the same every time. Internal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "execution/devices/device.h"
#include "execution/devices/simulated/access_log.h"
#include "execution/devices/simulated/memory_map.h"

namespace irate::devices {

// Takes pointers to the values of the arguments.
using KernelEntry = void (*)(void** arguments);

struct SharedArray {
  std::string name;
  size_t size = 0;
};

// One way of ordering what has no order.
struct RunOrder {
  bool backwards = false;  // groups, and work-items between barriers
  uint8_t fill = 0;        // seed of what shared memory holds in the beginning of a group
};

struct Divergence {
  std::array<uint32_t, 3> group = {};
  size_t ended = 0;
  size_t waiting = 0;
  const void* first_barrier = nullptr;
  const void* other_barrier = nullptr;  // null: the others have ended
};

// A BreachFound that outlives the memory it is about.
struct BreachRecord {
  BreachFound found{};   // without the allocation
  std::string space{};   // "global", "shared", "private"; empty: no memory of the kernel's
  std::string buffer{};  // its name, or empty
  size_t buffer_size = 0;
  std::string work_item{};  // "work-item (0, 0, 0) of group (1, 0, 0)"
};

struct RunOutcome {
  bool completed = false;
  // Out of bounds ends the run; races do not.
  std::vector<BreachRecord> breaches;
  std::optional<Divergence> divergence;
  uint64_t barriers = 0;
};

class Executor {
 public:
  explicit Executor(MemoryMap* memory);
  ~Executor();
  Executor(const Executor&) = delete;

  // Everything that code calls, by name.
  static std::vector<std::pair<std::string, void*>> Symbols();

  // ResourceExhausted: no memory for stacks or shared arrays.
  absl::StatusOr<RunOutcome> Run(KernelEntry entry, void** arguments, const LaunchShape& shape,
                                 std::span<const SharedArray> shared, const RunOrder& order);

  struct State;  // of executor.cc

 private:
  State* const state_;
};

}  // namespace irate::devices
