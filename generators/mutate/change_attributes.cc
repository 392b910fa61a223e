// A promise of a function is made or taken back: that parameters do not overlap, that it is
// private.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class ChangeAttributes : public Mutator {
 public:
  std::string_view Name() const override { return "change-attributes"; }
  int Weight() const override { return 2; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Module* module = test_case->mutable_module();
    Function* function = module->mutable_functions(PickIndex(module->functions_size(), choices));
    auto* attrs = function->mutable_attrs();
    for (int i = 0; i < attrs->size(); ++i) {
      if (attrs->Get(i).key() != "noalias") continue;
      attrs->DeleteSubrange(i, 1);
      return true;
    }
    // Parameters of the entry never overlap here; those of other functions may.
    if (function != module->mutable_functions(0)) return false;
    Attribute* noalias = attrs->Add();
    noalias->set_key("noalias");
    *noalias->mutable_value() = build::BoolConst(true);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeAttributes() { return std::make_unique<ChangeAttributes>(); }

}  // namespace irate
