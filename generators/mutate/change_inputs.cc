// The same program on other inputs: another seed, other ranges, real instead of whole numbers,
// other values of symbolic dimensions.
#include <algorithm>
#include <array>

#include "generators/mutate/inputs.h"
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

bool ChangeRange(Case* test_case, ChoiceSource& choices) {
  const Function& entry = test_case->module().functions(0);
  if (entry.params().empty()) return false;
  const auto param = static_cast<uint32_t>(PickIndex(entry.params_size(), choices));
  const ScalarType type = TypeOfParam(entry, param);
  if (!IsValueType(type)) return false;
  ParamInput* input = InputOf(test_case->mutable_inputs(), param);
  if (IsFloat(type) && choices.Chance(1, 3)) {
    input->set_real(!input->real());
    return true;
  }
  constexpr auto kEnds =
      std::to_array<int64_t>({-128, -64, -16, -8, -3, -1, 0, 1, 2, 3, 8, 16, 63, 100, 127});
  int64_t a = kEnds[static_cast<size_t>(PickIndex(kEnds.size(), choices))];
  int64_t b = kEnds[static_cast<size_t>(PickIndex(kEnds.size(), choices))];
  if (a > b) std::swap(a, b);
  input->set_min(a);
  input->set_max(b);
  FitInputs(test_case);
  return true;
}

class ChangeInputs : public Mutator {
 public:
  std::string_view Name() const override { return "change-inputs"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Inputs* inputs = test_case->mutable_inputs();
    switch (choices.Range(0, 3)) {
      case 0:
        inputs->set_seed(static_cast<uint64_t>(choices.Range(0, 0xffffffff)));
        return true;
      case 1: {
        if (inputs->dims().empty()) return false;
        DimValue* dim = inputs->mutable_dims(PickIndex(inputs->dims_size(), choices));
        const int64_t value = choices.Range(1, 20);
        if (value == dim->value()) return false;
        dim->set_value(value);
        return true;
      }
      default:
        return ChangeRange(test_case, choices);
    }
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeInputs() { return std::make_unique<ChangeInputs>(); }

}  // namespace irate
