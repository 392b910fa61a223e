#include "targets/tvm/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "fmt/format.h"

namespace irate::tvm_target {
namespace {

size_t CountSmashed(const uint8_t* begin, const uint8_t* end) {
  return static_cast<size_t>(
      std::count_if(begin, end, [](uint8_t byte) { return byte != GuardedBuffer::kPattern; }));
}

}  // namespace

absl::StatusOr<std::unique_ptr<GuardedBuffer>> GuardedBuffer::Create(size_t size, size_t alignment,
                                                                     Side side) {
  const auto page = static_cast<size_t>(getpagesize());
  if (!std::has_single_bit(alignment) || alignment > page) {
    return absl::InvalidArgumentError(
        fmt::format("a buffer cannot be aligned to {} bytes", alignment));
  }
  const size_t pages = (std::max<size_t>(size, 1) + page - 1) / page;
  std::unique_ptr<GuardedBuffer> buffer(new GuardedBuffer());
  const size_t mapped = (pages + 2) * page;
  void* memory = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(fmt::format(
        "cannot map {} bytes for an argument: {}", mapped, std::generic_category().message(errno)));
  }
  buffer->mapping_ = static_cast<uint8_t*>(memory);
  buffer->mapped_ = mapped;
  buffer->first_ = buffer->mapping_ + page;
  buffer->end_ = buffer->first_ + pages * page;
  if (mprotect(buffer->first_, pages * page, PROT_READ | PROT_WRITE) != 0) {
    return absl::ResourceExhaustedError("cannot make an argument's memory accessible");
  }
  std::memset(buffer->first_, kPattern, pages * page);
  buffer->size_ = size;
  buffer->data_ = side == Side::kBegin
                      ? buffer->first_
                      : buffer->end_ - (size + alignment - 1) / alignment * alignment;
  return buffer;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

size_t GuardedBuffer::SmashedBefore() const { return CountSmashed(first_, data_); }
size_t GuardedBuffer::SmashedAfter() const { return CountSmashed(data_ + size_, end_); }

}  // namespace irate::tvm_target
