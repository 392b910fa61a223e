// One type becomes another throughout: variables, buffers, constants, operators. Types of loop
// variables stay, as everything hangs on them.
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

void Retype(Function* function, ScalarType from, ScalarType to) {
  for (Variable& variable : *function->mutable_variables()) {
    if (variable.type() == from) variable.set_type(to);
    if (variable.type() == HANDLE && variable.pointee() == from) variable.set_pointee(to);
  }
  for (Buffer& buffer : *function->mutable_buffers()) {
    if (buffer.type() == from) buffer.set_type(to);
  }
  if (function->result() == from) function->set_result(to);
  VisitExprs(function, [&](Expr& expr) {
    if (expr.type() != from) return;
    expr.set_type(to);
    if (expr.op() != CONST || !IsInteger(to)) return;
    const int64_t high = to == U64 ? MaxValue(I64) : MaxValue(to);
    expr.set_int_value(std::clamp(expr.int_value(), MinValue(to), high));
  });
}

class RetypeEverything : public Mutator {
 public:
  std::string_view Name() const override { return "retype-everything"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Module* module = test_case->mutable_module();
    std::vector<ScalarType> used;
    for (const Function& function : module->functions()) {
      for (const Buffer& buffer : function.buffers()) used.push_back(buffer.type());
    }
    const ScalarType* picked = Pick(used, choices, [](ScalarType type) {
      return IsFloat(type) || (IsInteger(type) && type != I32 && type != I64);
    });
    if (picked == nullptr) return false;
    const ScalarType from = *picked;
    constexpr auto kFloats = std::to_array<ScalarType>({F16, BF16, F32, F64});
    constexpr auto kIntegers = std::to_array<ScalarType>({I8, I16, I32, I64, U8, U16, U32, U64});
    const ScalarType to =
        IsFloat(from) ? kFloats[static_cast<size_t>(PickIndex(kFloats.size(), choices))]
                      : kIntegers[static_cast<size_t>(PickIndex(kIntegers.size(), choices))];
    if (to == from) return false;
    for (Function& function : *module->mutable_functions()) Retype(&function, from, to);
    FitInputs(test_case);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeRetypeEverything() { return std::make_unique<RetypeEverything>(); }

}  // namespace irate
