#include "targets/c/argument_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate::c_target {
namespace {

constexpr size_t kAlignment = 64;  // of data pointers, as tensor compilers assume it
constexpr uint8_t kPattern = 0xA5;

// Calls `visit(element, position)` for each element of the dense tensor, in order, with its place
// in the strided buffer, both in elements.
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

size_t RoundUp(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

}  // namespace

// Pages for one argument: [guard][filler ... data ... filler][guard].
struct ArgumentMemory::Region {
  uint8_t* mapping = nullptr;
  size_t mapped = 0;
  uint8_t* data = nullptr;
  size_t size = 0;
  bool is_buffer = false;
  // Of a buffer.
  Tensor header;  // type, lanes and shape
  BufferLayout layout;

  size_t ElementSize() const {
    return static_cast<size_t>(ByteSize(header.type())) * Lanes(header.lanes());
  }

  // The accessible bytes around the data.
  uint8_t* First() const { return mapping + static_cast<size_t>(getpagesize()); }
  uint8_t* End() const { return mapping + mapped - static_cast<size_t>(getpagesize()); }

  absl::Status Map(size_t bytes) {
    const auto page = static_cast<size_t>(getpagesize());
    size = bytes;
    mapped = RoundUp(std::max<size_t>(bytes, 1), page) + 2 * page;
    void* memory = mmap(nullptr, mapped, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      return absl::ResourceExhaustedError(fmt::format("cannot map {} bytes for an argument: {}",
                                                      mapped,
                                                      std::generic_category().message(errno)));
    }
    mapping = static_cast<uint8_t*>(memory);
    if (mprotect(First(), mapped - 2 * page, PROT_READ | PROT_WRITE) != 0) {
      return absl::ResourceExhaustedError("cannot make an argument's memory accessible");
    }
    data = End() - RoundUp(bytes, kAlignment);
    std::memset(First(), kPattern, static_cast<size_t>(End() - First()));
    return absl::OkStatus();
  }

  bool Damaged() const {
    const auto is_filler = [](uint8_t byte) { return byte == kPattern; };
    return !std::all_of(First(), data, is_filler) || !std::all_of(data + size, End(), is_filler);
  }
};

ArgumentMemory::ArgumentMemory() = default;
ArgumentMemory::ArgumentMemory(ArgumentMemory&&) noexcept = default;

ArgumentMemory::~ArgumentMemory() {
  for (const Region& region : regions_) {
    if (region.mapping != nullptr) munmap(region.mapping, region.mapped);
  }
}

absl::StatusOr<ArgumentMemory> ArgumentMemory::Create(const Function& function,
                                                      const Inputs& inputs) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> values, MakeArguments(function, inputs));
  IRATE_ASSIGN_OR_RETURN(const VariableValues variables, KnownVariables(function, inputs));
  ArgumentMemory memory;
  const auto add = [&](size_t bytes) -> absl::StatusOr<Region*> {
    Region& region = memory.regions_.emplace_back();
    IRATE_RETURN_IF_ERROR(region.Map(bytes));
    memory.pointers_.push_back(region.data);
    return &region;
  };
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string& data = values[i].tensor.data();
    if (values[i].is_scalar) {
      IRATE_ASSIGN_OR_RETURN(Region * scalar, add(data.size()));
      std::memcpy(scalar->data, data.data(), data.size());
      continue;
    }
    const Buffer& buffer =
        function.buffers(static_cast<int>(function.params(static_cast<int>(i)).id()));
    IRATE_ASSIGN_OR_RETURN(BufferLayout layout, EvaluateLayout(function, buffer, variables));
    const size_t size = static_cast<size_t>(ByteSize(buffer.type())) * Lanes(buffer.lanes());
    IRATE_ASSIGN_OR_RETURN(Region * region, add(static_cast<size_t>(layout.span) * size));
    region->is_buffer = true;
    region->header = values[i].tensor;
    region->header.clear_data();
    region->layout = std::move(layout);
    ForEachElement(region->layout, [&](size_t element, size_t position) {
      std::memcpy(region->data + position * size, data.data() + element * size, size);
    });
  }
  for (const uint32_t id : DimensionVariables(function)) {
    for (const DimValue& dimension : inputs.dims()) {
      if (dimension.variable() != id) continue;
      const int64_t number = dimension.value();
      const auto size =
          static_cast<size_t>(ByteSize(function.variables(static_cast<int>(id)).type()));
      IRATE_ASSIGN_OR_RETURN(Region * region, add(size));
      std::memcpy(region->data, &number, size);
    }
  }
  return memory;
}

std::vector<Tensor> ArgumentMemory::Buffers() const {
  std::vector<Tensor> buffers;
  for (const Region& region : regions_) {
    if (!region.is_buffer) continue;
    Tensor& tensor = buffers.emplace_back(region.header);
    const size_t size = region.ElementSize();
    std::string* data = tensor.mutable_data();
    data->resize(static_cast<size_t>(region.layout.elements) * size);
    ForEachElement(region.layout, [&](size_t element, size_t position) {
      std::memcpy(data->data() + element * size, region.data + position * size, size);
    });
  }
  return buffers;
}

int ArgumentMemory::FirstDamaged() const {
  int position = 0;
  for (const Region& region : regions_) {
    if (!region.is_buffer) continue;
    if (region.Damaged()) return position;
    ++position;
  }
  return -1;
}

}  // namespace irate::c_target
