// The arguments that a caller passes to a packed function, as tight as the contract allows.
//
// Every tensor's data stands between guard pages and red zones, at the least alignment promised for
// its buffer, with its exact size, strides and byte offset. DLTensors, shapes, strides and the
// array of arguments are guarded as well: a function that reads one argument too many is caught in
// the act.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/guarded_memory.h"
#include "execution/contract/packed_abi.h"
#include "execution/contract/region.h"
#include "execution/contract/report.h"

namespace irate::contract {

struct TensorArgument {
  std::string name;
  AbiType type;
  std::vector<int64_t> shape;
  // In elements. Empty: compact, and passed as a null pointer.
  std::vector<int64_t> strides;
  // From DLTensor::data to the first element. What lies between belongs to somebody else.
  uint64_t byte_offset = 0;
  // Of DLTensor::data.
  size_t alignment = 64;
  // Elements in row-major order, without gaps. Empty: uninitialised.
  std::string contents;
  AbiDevice device{kCpuDevice, 0};
};

struct ScalarArgument {
  std::string name;
  PackedAny value;
};

struct Argument {
  std::optional<TensorArgument> tensor;  // else:
  ScalarArgument scalar;
};

class HostBuffers {
 public:
  // InvalidArgument if a shape is negative, `contents` has another size than the shape, or strides
  // are negative. `regions` outlives this.
  static absl::StatusOr<std::unique_ptr<HostBuffers>> Create(std::span<const Argument> arguments,
                                                             RegionMap* regions);
  ~HostBuffers();

  // The array to call with: exactly size() slots.
  PackedAny* arguments() const { return arguments_; }
  int size() const { return static_cast<int>(slots_.size()); }
  // Null for a scalar.
  AbiTensor* tensor(int argument) const;

  // The elements of a tensor argument in row-major order.
  std::string Contents(int argument) const;
  // Bytes that belong to no element (gaps between rows) or to a canary must not change.
  void CheckUntouched(const ReportSink& sink) const;
  // Calls `visit` with the address of each element, in row-major order.
  void VisitElements(int argument, const std::function<void(uintptr_t)>& visit) const;

 private:
  struct Slot {
    Argument argument;
    AbiTensor* tensor = nullptr;
    std::optional<GuardedBlock> data;
    std::vector<uint8_t> element_bytes;  // 1 for each byte of the span that belongs to an element
  };

  explicit HostBuffers(RegionMap* regions) : regions_(regions) {}
  absl::Status AddTensor(Slot& slot, int index);
  absl::StatusOr<GuardedSpan> Describe(const std::string& name, size_t size, size_t alignment);

  RegionMap* regions_;
  GuardedArena descriptors_;
  struct Descriptor {
    std::string name;
    GuardedSpan span;
  };
  std::vector<Descriptor> described_;
  std::vector<Slot> slots_;
  PackedAny* arguments_ = nullptr;
};

// Bytes of one element, lanes included.
size_t ElementBytes(const AbiType& type);
// From the first to one past the last byte of a tensor, without its byte offset; 0 if it is empty.
uint64_t SpanBytes(const TensorArgument& tensor);

}  // namespace irate::contract
