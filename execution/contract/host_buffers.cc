#include "execution/contract/host_buffers.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/poison.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

constexpr size_t kDescriptorCapacity = size_t{4} << 20;
constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 30;
// What gaps and uninitialised tensors hold.
constexpr uint8_t kFill = 0xCB;

std::vector<int64_t> EffectiveStrides(const TensorArgument& tensor) {
  if (!tensor.strides.empty()) return tensor.strides;
  std::vector<int64_t> strides(tensor.shape.size(), 1);
  for (size_t i = strides.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * tensor.shape[i - 1];
  return strides;
}

uint64_t ElementCount(const TensorArgument& tensor) {
  uint64_t count = 1;
  for (int64_t extent : tensor.shape) count *= static_cast<uint64_t>(extent);
  return count;
}

// Element offsets in row-major order of the shape.
template <typename Visit>
void ForEachOffset(const TensorArgument& tensor, Visit visit) {
  const std::vector<int64_t> strides = EffectiveStrides(tensor);
  const uint64_t count = ElementCount(tensor);
  std::vector<int64_t> index(tensor.shape.size(), 0);
  for (uint64_t n = 0; n < count; ++n) {
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
    visit(static_cast<uint64_t>(offset));
    for (size_t d = index.size(); d > 0; --d) {
      if (++index[d - 1] < tensor.shape[d - 1]) break;
      index[d - 1] = 0;
    }
  }
}

absl::Status Validate(const TensorArgument& tensor) {
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size()) {
    return absl::InvalidArgumentError(fmt::format("tensor {} has {} dimensions and {} strides",
                                                  tensor.name, tensor.shape.size(),
                                                  tensor.strides.size()));
  }
  const auto negative = [](int64_t value) { return value < 0; };
  if (std::any_of(tensor.shape.begin(), tensor.shape.end(), negative) ||
      std::any_of(tensor.strides.begin(), tensor.strides.end(), negative)) {
    return absl::InvalidArgumentError(
        fmt::format("tensor {} has a negative extent or stride", tensor.name));
  }
  double bytes = static_cast<double>(ElementBytes(tensor.type));
  for (int64_t extent : tensor.shape) bytes *= static_cast<double>(extent);
  if (bytes > static_cast<double>(kMaxTensorBytes) || SpanBytes(tensor) > kMaxTensorBytes) {
    return absl::InvalidArgumentError(
        fmt::format("tensor {} has more than {} bytes", tensor.name, kMaxTensorBytes));
  }
  const uint64_t expected = ElementCount(tensor) * ElementBytes(tensor.type);
  if (!tensor.contents.empty() && tensor.contents.size() != expected) {
    return absl::InvalidArgumentError(fmt::format("tensor {} takes {} bytes, but {} were given",
                                                  tensor.name, expected, tensor.contents.size()));
  }
  return absl::OkStatus();
}

// Poisons what lies between the elements of a span.
void PoisonGaps(uintptr_t begin, const std::vector<uint8_t>& element_bytes) {
  for (size_t at = 0; at < element_bytes.size();) {
    size_t end = at;
    while (end < element_bytes.size() && element_bytes[end] == element_bytes[at]) ++end;
    if (element_bytes[at] == 0) Poison(reinterpret_cast<void*>(begin + at), end - at);
    at = end;
  }
}

}  // namespace

size_t ElementBytes(const AbiType& type) { return (size_t{type.bits} * type.lanes + 7) / 8; }

uint64_t SpanBytes(const TensorArgument& tensor) {
  if (ElementCount(tensor) == 0) return 0;
  const std::vector<int64_t> strides = EffectiveStrides(tensor);
  uint64_t last = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    last += static_cast<uint64_t>(tensor.shape[d] - 1) * static_cast<uint64_t>(strides[d]);
  }
  return (last + 1) * ElementBytes(tensor.type);
}

absl::StatusOr<std::unique_ptr<HostBuffers>> HostBuffers::Create(
    std::span<const Argument> arguments, RegionMap* regions) {
  std::unique_ptr<HostBuffers> buffers(new HostBuffers(regions));
  IRATE_ASSIGN_OR_RETURN(buffers->descriptors_, GuardedArena::Create(kDescriptorCapacity));
  buffers->slots_.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    buffers->slots_[i].argument = arguments[i];
    if (arguments[i].tensor) {
      IRATE_RETURN_IF_ERROR(buffers->AddTensor(buffers->slots_[i], static_cast<int>(i)));
    }
  }
  IRATE_ASSIGN_OR_RETURN(GuardedSpan span, buffers->Describe("the argument array",
                                                             arguments.size() * sizeof(PackedAny),
                                                             alignof(PackedAny)));
  buffers->arguments_ = reinterpret_cast<PackedAny*>(span.begin);
  for (size_t i = 0; i < arguments.size(); ++i) {
    PackedAny value = arguments[i].scalar.value;
    if (arguments[i].tensor) {
      value.type_index = kTensorPointer;
      value.v_ptr = buffers->slots_[i].tensor;
    }
    buffers->arguments_[i] = value;
  }
  return buffers;
}

HostBuffers::~HostBuffers() {
  for (const Descriptor& descriptor : described_) regions_->Remove(descriptor.span.begin);
  for (const Slot& slot : slots_) {
    if (slot.tensor != nullptr) {
      regions_->Remove(slot.data->span().begin + slot.argument.tensor->byte_offset);
    }
  }
}

absl::StatusOr<GuardedSpan> HostBuffers::Describe(const std::string& name, size_t size,
                                                  size_t alignment) {
  IRATE_ASSIGN_OR_RETURN(GuardedSpan span, descriptors_.Allocate(size, alignment));
  regions_->Add({RegionKind::kDescriptor, name, span.begin, span.end, span.zone_begin,
                 span.zone_end, static_cast<int>(alignment), false, nullptr});
  described_.push_back({name, span});
  return span;
}

absl::Status HostBuffers::AddTensor(Slot& slot, int index) {
  TensorArgument& tensor = *slot.argument.tensor;
  if (tensor.name.empty()) tensor.name = fmt::format("argument {}", index);
  IRATE_RETURN_IF_ERROR(Validate(tensor));
  const uint64_t span_bytes = SpanBytes(tensor);
  const size_t element = ElementBytes(tensor.type);
  IRATE_ASSIGN_OR_RETURN(slot.data,
                         GuardedBlock::Create(tensor.byte_offset + span_bytes, tensor.alignment));
  const GuardedSpan& block = slot.data->span();
  const uintptr_t begin = block.begin + tensor.byte_offset;
  std::memset(slot.data->data(), kFill, tensor.byte_offset + span_bytes);
  slot.element_bytes.assign(span_bytes, 0);
  const char* source = tensor.contents.data();
  ForEachOffset(tensor, [&](uint64_t offset) {
    if (!tensor.contents.empty()) {
      std::memcpy(reinterpret_cast<void*>(begin + offset * element), source, element);
      source += element;
    }
    std::fill_n(slot.element_bytes.begin() + static_cast<int64_t>(offset * element), element, 1);
  });
  Poison(slot.data->data(), tensor.byte_offset);
  PoisonGaps(begin, slot.element_bytes);
  regions_->Add({RegionKind::kArgument, tensor.name, begin, block.end, block.zone_begin,
                 block.zone_end, static_cast<int>(element), false, nullptr});

  const size_t rank = tensor.shape.size();
  IRATE_ASSIGN_OR_RETURN(GuardedSpan shape, Describe(fmt::format("the shape of {}", tensor.name),
                                                     rank * sizeof(int64_t), alignof(int64_t)));
  std::copy(tensor.shape.begin(), tensor.shape.end(), reinterpret_cast<int64_t*>(shape.begin));
  int64_t* strides = nullptr;
  if (!tensor.strides.empty()) {
    IRATE_ASSIGN_OR_RETURN(GuardedSpan span, Describe(fmt::format("the strides of {}", tensor.name),
                                                      rank * sizeof(int64_t), alignof(int64_t)));
    strides = reinterpret_cast<int64_t*>(span.begin);
    std::copy(tensor.strides.begin(), tensor.strides.end(), strides);
  }
  IRATE_ASSIGN_OR_RETURN(GuardedSpan descriptor,
                         Describe(fmt::format("the DLTensor of {}", tensor.name), sizeof(AbiTensor),
                                  alignof(AbiTensor)));
  slot.tensor = reinterpret_cast<AbiTensor*>(descriptor.begin);
  *slot.tensor = {slot.data->data(),
                  tensor.device,
                  static_cast<int32_t>(rank),
                  tensor.type,
                  reinterpret_cast<int64_t*>(shape.begin),
                  strides,
                  tensor.byte_offset};
  return absl::OkStatus();
}

AbiTensor* HostBuffers::tensor(int argument) const {
  return slots_[static_cast<size_t>(argument)].tensor;
}

void HostBuffers::VisitElements(int argument, const std::function<void(uintptr_t)>& visit) const {
  const Slot& slot = slots_[static_cast<size_t>(argument)];
  const TensorArgument& tensor = *slot.argument.tensor;
  const uintptr_t begin = slot.data->span().begin + tensor.byte_offset;
  const size_t element = ElementBytes(tensor.type);
  ForEachOffset(tensor, [&](uint64_t offset) { visit(begin + offset * element); });
}

std::string HostBuffers::Contents(int argument) const {
  const size_t element = ElementBytes(slots_[static_cast<size_t>(argument)].argument.tensor->type);
  std::string contents;
  VisitElements(argument, [&](uintptr_t address) {
    contents.append(reinterpret_cast<const char*>(address), element);
  });
  return contents;
}

__attribute__((no_sanitize("address"))) void HostBuffers::CheckUntouched(
    const ReportSink& sink) const {
  for (const Slot& slot : slots_) {
    if (slot.tensor == nullptr) continue;
    const TensorArgument& tensor = *slot.argument.tensor;
    const uintptr_t begin = slot.data->span().begin + tensor.byte_offset;
    uintptr_t changed = FirstChangedCanary(slot.data->span());
    for (uintptr_t at = slot.data->span().begin; changed == 0 && at < begin; ++at) {
      if (*reinterpret_cast<volatile uint8_t*>(at) != kFill) changed = at;
    }
    for (size_t i = 0; changed == 0 && i < slot.element_bytes.size(); ++i) {
      if (slot.element_bytes[i] != 0) continue;
      if (*reinterpret_cast<volatile uint8_t*>(begin + i) != kFill) changed = begin + i;
    }
    if (changed == 0) continue;
    const int64_t offset = static_cast<int64_t>(changed - begin);
    sink({Clause::kRedZone,
          fmt::format("a byte that belongs to no element of {} was overwritten, at offset {} of {} "
                      "bytes",
                      tensor.name, offset, slot.element_bytes.size()),
          offset, nullptr});
  }
  for (const Descriptor& descriptor : described_) {
    const uintptr_t changed = FirstChangedCanary(descriptor.span);
    if (changed == 0) continue;
    const int64_t offset = static_cast<int64_t>(changed - descriptor.span.begin);
    sink({Clause::kRedZone,
          fmt::format("a byte beside {} was overwritten, at offset {}", descriptor.name, offset),
          offset, nullptr});
  }
}

}  // namespace irate::contract
