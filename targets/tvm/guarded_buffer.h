// Memory for one argument, with an inaccessible page on either side.
//
// The data touches one of the two pages: an access beyond it on that side faults at once. Its
// alignment and the page size leave slack, on the other side always: that holds a pattern which is
// checked after the run, so a write into it is seen too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"

namespace irate::tvm_target {

class GuardedBuffer {
 public:
  enum class Side { kBegin, kEnd };  // where the data touches the inaccessible page

  static constexpr uint8_t kPattern = 0xA5;

  // `size` bytes whose address is a multiple of `alignment` (a power of two, at most a page), all
  // kPattern. ResourceExhausted if there is no memory, InvalidArgument for another alignment.
  static absl::StatusOr<std::unique_ptr<GuardedBuffer>> Create(size_t size, size_t alignment,
                                                               Side side);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  // Bytes of the slack that were written to.
  size_t SmashedBefore() const;
  size_t SmashedAfter() const;

 private:
  GuardedBuffer() = default;

  uint8_t* mapping_ = nullptr;
  size_t mapped_ = 0;
  uint8_t* first_ = nullptr;  // accessible bytes
  uint8_t* end_ = nullptr;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace irate::tvm_target
