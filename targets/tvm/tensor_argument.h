// A buffer parameter of the entry function as the DLTensor that the built function takes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/interpreter/shape.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/guarded_buffer.h"
#include "tvm/ffi/c_api.h"

namespace irate::tvm_target {

class TensorArgument {
 public:
  // `values` is copied into memory laid out as `buffer` says: strides, offset, alignment. Bytes
  // that belong to no element hold GuardedBuffer::kPattern. Errors as GuardedBuffer::Create.
  static absl::StatusOr<std::unique_ptr<TensorArgument>> Create(const Buffer& buffer,
                                                                const BufferLayout& layout,
                                                                const Tensor& values,
                                                                GuardedBuffer::Side side);

  DLTensor* tensor() { return &tensor_; }
  const std::string& name() const { return name_; }
  // All of its memory, bytes between elements included.
  std::span<uint8_t> bytes() { return {memory_->data(), memory_->size()}; }
  // The elements as they are now.
  Tensor Collect() const;
  // "wrote 4 bytes past the end of parameter 'B'", or empty if only elements were written.
  std::string Violation() const;

 private:
  TensorArgument() = default;
  size_t SmashedBetween() const;

  std::string name_;
  Tensor header_;  // type, lanes and shape
  BufferLayout layout_;
  size_t element_size_ = 0;
  std::unique_ptr<GuardedBuffer> memory_;
  DLTensor tensor_{};
};

}  // namespace irate::tvm_target
