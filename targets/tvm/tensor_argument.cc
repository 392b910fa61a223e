#include "targets/tvm/tensor_argument.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/types.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

constexpr size_t kDefaultAlignment = 64;

// Calls `visit(element, position)` for each element in row-major order, with its place from the
// data pointer, both in elements.
template <typename F>
void ForEachElement(const BufferLayout& layout, F visit) {
  std::vector<int64_t> index(layout.shape.size());
  for (int64_t element = 0; element < layout.elements; ++element) {
    int64_t position = layout.elem_offset;
    for (size_t i = 0; i < index.size(); ++i) position += index[i] * layout.strides[i];
    visit(static_cast<size_t>(element), static_cast<size_t>(position));
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < layout.shape[i]) break;
      index[i] = 0;
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<TensorArgument>> TensorArgument::Create(const Buffer& buffer,
                                                                       const BufferLayout& layout,
                                                                       const Tensor& values,
                                                                       GuardedBuffer::Side side) {
  std::unique_ptr<TensorArgument> argument(new TensorArgument());
  argument->name_ = buffer.name();
  argument->header_.set_type(values.type());
  argument->header_.set_lanes(values.lanes());
  *argument->header_.mutable_shape() = values.shape();
  argument->layout_ = layout;
  const size_t size = static_cast<size_t>(ByteSize(buffer.type())) * Lanes(buffer.lanes());
  argument->element_size_ = size;
  const size_t alignment = buffer.alignment() == 0 ? kDefaultAlignment : buffer.alignment();
  IRATE_ASSIGN_OR_RETURN(
      argument->memory_,
      GuardedBuffer::Create(static_cast<size_t>(layout.span) * size, alignment, side));
  uint8_t* data = argument->memory_->data();
  ForEachElement(layout, [&](size_t element, size_t position) {
    std::memcpy(data + position * size, values.data().data() + element * size, size);
  });
  DLTensor& tensor = argument->tensor_;
  tensor.data = data;
  tensor.device = DLDevice{kDLCPU, 0};
  tensor.ndim = static_cast<int32_t>(argument->layout_.shape.size());
  tensor.dtype = ToDataType(buffer.type(), buffer.lanes());
  tensor.shape = argument->layout_.shape.data();
  tensor.strides = argument->layout_.strides.data();
  tensor.byte_offset = static_cast<uint64_t>(layout.elem_offset) * size;
  return argument;
}

Tensor TensorArgument::Collect() const {
  Tensor result = header_;
  std::string* data = result.mutable_data();
  data->resize(static_cast<size_t>(layout_.elements) * element_size_);
  ForEachElement(layout_, [&](size_t element, size_t position) {
    std::memcpy(data->data() + element * element_size_, memory_->data() + position * element_size_,
                element_size_);
  });
  return result;
}

std::string TensorArgument::Violation() const {
  if (const size_t count = memory_->SmashedAfter(); count != 0) {
    return fmt::format("wrote {} bytes past the end of parameter '{}'", count, name_);
  }
  if (const size_t count = memory_->SmashedBefore(); count != 0) {
    return fmt::format("wrote {} bytes before the beginning of parameter '{}'", count, name_);
  }
  if (const size_t count = SmashedBetween(); count != 0) {
    return fmt::format("wrote {} bytes between the elements of parameter '{}'", count, name_);
  }
  return "";
}

size_t TensorArgument::SmashedBetween() const {
  if (layout_.span == layout_.elements) return 0;
  std::vector<bool> is_element(static_cast<size_t>(layout_.span));
  ForEachElement(layout_, [&](size_t, size_t position) { is_element[position] = true; });
  size_t count = 0;
  for (size_t i = 0; i < memory_->size(); ++i) {
    if (is_element[i / element_size_]) continue;
    if (memory_->data()[i] != GuardedBuffer::kPattern) ++count;
  }
  return count;
}

}  // namespace irate::tvm_target
