// An option of the passes flips, moves to an edge, goes, or comes from another Case.
#include <algorithm>
#include <utility>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

const PassSequence* PassesOf(const Case* donor) {
  return donor == nullptr ? nullptr : &donor->passes();
}

// Options are flags and small limits.
bool Change(Expr* value, ChoiceSource& choices) {
  if (value->op() != CONST) return false;
  if (value->type() == BOOL) {
    value->set_int_value(value->int_value() == 0 ? 1 : 0);
    return true;
  }
  if (!IsInteger(value->type())) return false;
  const int64_t before = value->int_value();
  value->set_int_value(choices.Chance(1, 2) ? choices.Range(0, 4)
                                            : int64_t{1} << choices.Range(0, 6));
  return value->int_value() != before;
}

class ChangePassConfig : public Mutator {
 public:
  std::string_view Name() const override { return "change-pass-config"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    PassSequence before = test_case->passes();
    if (!Edit(test_case, context, choices)) return false;
    // A strict Case keeps to the options and values that mean no error by design.
    const PassSequence& passes = test_case->passes();
    if (passes.mode() == WILD || !context.is_strict_walk || context.is_strict_walk(passes)) {
      return true;
    }
    *test_case->mutable_passes() = std::move(before);
    return false;
  }

 private:
  static bool Edit(Case* test_case, const MutationContext& context, ChoiceSource& choices) {
    auto* config = test_case->mutable_passes()->mutable_config();
    std::vector<const Attribute*> offered;
    for (const PassSequence* source : {context.passes, PassesOf(context.donor)}) {
      if (source == nullptr) continue;
      // Some options are for wild sequences only.
      if (source->mode() == WILD && test_case->passes().mode() != WILD) continue;
      for (const Attribute& option : source->config()) offered.push_back(&option);
    }
    if (!offered.empty() && (config->empty() || choices.Chance(1, 2))) {
      const Attribute& option = **Pick(offered, choices);
      Attribute* own = nullptr;
      for (Attribute& candidate : *config) {
        if (candidate.key() == option.key()) own = &candidate;
      }
      if (own == nullptr) own = config->Add();
      const std::string before = own->SerializeAsString();
      *own = option;
      if (choices.Chance(1, 2)) Change(own->mutable_value(), choices);
      return own->SerializeAsString() != before;
    }
    if (config->empty()) return false;
    const int at = PickIndex(config->size(), choices);
    if (choices.Chance(1, 4)) {
      config->DeleteSubrange(at, 1);
      return true;
    }
    return Change(config->Mutable(at)->mutable_value(), choices);
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangePassConfig() { return std::make_unique<ChangePassConfig>(); }

}  // namespace irate
