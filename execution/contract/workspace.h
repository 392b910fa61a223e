// Workspaces: TVMBackendAllocWorkspace and TVMBackendFreeWorkspace, checked.
//
// The contract (c_backend_api.h): an address aligned to kTempAllocaAlignment, 64; freed with the
// device it was allocated for; TVM's own pool is per thread, so freed by the thread that allocated
// it. LowerTVMBuiltin frees in reverse order of allocation within a scope, so another order means
// that a pass moved a statement.
//
// A freed workspace is poisoned and its address is not handed out again during the run.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/faults.h"
#include "execution/contract/guarded_memory.h"
#include "execution/contract/packed_abi.h"
#include "execution/contract/region.h"
#include "execution/contract/report.h"

namespace irate::contract {

inline constexpr size_t kWorkspaceAlignment = 64;

struct WorkspaceOptions {
  AbiDevice device{kCpuDevice, 0};
  // Live and freed together, per run.
  size_t capacity = size_t{256} << 20;
  // What fresh workspaces hold: defined, so that runs are reproducible, and unlikely as a value.
  uint8_t fill = 0xCB;
  Fault fault = Fault::kNone;
};

class WorkspaceHeap {
 public:
  // `regions` and the sink outlive this.
  static absl::StatusOr<std::unique_ptr<WorkspaceHeap>> Create(const WorkspaceOptions& options,
                                                               RegionMap* regions, ReportSink sink);

  // Null if the request cannot be met; then the caller must set an error.
  void* Allocate(int device_type, int device_id, uint64_t size, int type_code, int type_bits,
                 const void* caller);
  int Free(int device_type, int device_id, void* pointer, const void* caller);

  // After the run: canaries, and leaks if the function returned success (on an error TVM's code
  // returns at once and frees nothing).
  void Finish(bool succeeded);
  // Forgets everything; addresses may be handed out again.
  void Reset();
  bool fault_triggered() const { return fault_triggered_; }

 private:
  struct Block {
    GuardedSpan span;
    AbiDevice device;
    uint32_t launch = 0;
    int32_t task = -1;
    const void* caller = nullptr;
    int number = 0;
    bool freed = false;
  };

  WorkspaceHeap(const WorkspaceOptions& options, RegionMap* regions, ReportSink sink,
                GuardedArena arena);
  void CheckRequest(int device_type, int device_id, uint64_t size, int type_code, int type_bits,
                    const void* caller);
  Block* FindBlock(const void* pointer);
  void CheckOrder(const Block& freed, const void* caller);

  WorkspaceOptions options_;
  RegionMap* regions_;
  ReportSink sink_;
  GuardedArena arena_;
  std::mutex mutex_;
  std::vector<Block> blocks_;
  bool fault_triggered_ = false;
};

}  // namespace irate::contract
