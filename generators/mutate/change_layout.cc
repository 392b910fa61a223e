// A buffer gets strides, an offset, an alignment or another extent than its uses need.
#include <algorithm>
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"
#include "ir/visit.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

bool IsConstantShape(const Buffer& buffer) {
  return std::ranges::all_of(buffer.shape(), [](const Expr& extent) {
    return extent.op() == CONST && extent.int_value() < 1'024;
  });
}

bool IsParameter(const Function& function, int buffer) {
  return std::ranges::any_of(function.params(), [buffer](const Param& param) {
    return param.kind() == PARAM_BUFFER && param.id() == static_cast<uint32_t>(buffer);
  });
}

// Whoever has the pointer counts on elements that lie side by side.
bool IsSeenThroughPointer(const Function& function, int buffer) {
  bool seen = false;
  VisitExprs(function, [&](const Expr& expr) {
    seen |= expr.op() == BUFFER_DATA && expr.id() == static_cast<uint32_t>(buffer);
  });
  return seen;
}

// Row-major with gaps between rows.
void SetStrides(Buffer* buffer, ChoiceSource& choices) {
  std::vector<int64_t> strides(static_cast<size_t>(buffer->shape_size()));
  int64_t stride = choices.Chance(1, 4) ? 2 : 1;
  for (int i = buffer->shape_size() - 1; i >= 0; --i) {
    strides[static_cast<size_t>(i)] = stride;
    stride = stride * std::max<int64_t>(1, buffer->shape(i).int_value()) + choices.Range(0, 3);
  }
  const ScalarType type = buffer->shape(0).type();
  buffer->clear_strides();
  for (const int64_t one : strides) *buffer->add_strides() = build::Int(type, one);
}

class ChangeLayout : public Mutator {
 public:
  std::string_view Name() const override { return "change-layout"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    std::vector<int> ids;
    for (int i = 0; i < function->buffers_size(); ++i) ids.push_back(i);
    const int* id = Pick(ids, choices, [function](int i) {
      return IsConstantShape(function->buffers(i)) && function->buffers(i).shape_size() > 0;
    });
    if (id == nullptr) return false;
    Buffer* buffer = function->mutable_buffers(*id);
    switch (choices.Range(0, 3)) {
      case 0:
        if (!IsParameter(*function, *id) || IsSeenThroughPointer(*function, *id)) return false;
        SetStrides(buffer, choices);
        return true;
      case 1: {
        if (!IsParameter(*function, *id)) return false;
        const int64_t offset = choices.Range(1, 9);
        *buffer->mutable_elem_offset() = build::Int(buffer->shape(0).type(), offset);
        // A promise that the offset keeps.
        buffer->set_offset_factor(offset % 4 == 0 ? 4 : offset % 2 == 0 ? 2 : 1);
        return true;
      }
      case 2: {
        Expr* extent = buffer->mutable_shape(PickIndex(buffer->shape_size(), choices));
        const int64_t larger = extent->int_value() + choices.Range(1, 5);
        if (larger > MaxValue(extent->type())) return false;
        extent->set_int_value(larger);
        if (buffer->strides_size() > 0) buffer->clear_strides();
        return true;
      }
      default: {
        constexpr auto kAlignments = std::to_array<uint32_t>({0, 16, 32, 64, 128});
        const uint32_t alignment =
            kAlignments[static_cast<size_t>(PickIndex(kAlignments.size(), choices))];
        if (alignment == buffer->alignment() || IsParameter(*function, *id)) return false;
        buffer->set_alignment(alignment);
        return true;
      }
    }
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeLayout() { return std::make_unique<ChangeLayout>(); }

}  // namespace irate
