// The passes, their options, the schedule or the targets of another Case, on this program.
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class AdoptParts : public Mutator {
 public:
  std::string_view Name() const override { return "adopt-parts"; }
  int Weight() const override { return 6; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    if (context.donor == nullptr) return false;
    const Case before = *test_case;
    switch (choices.Range(0, 3)) {
      case 0:
        *test_case->mutable_passes() = context.donor->passes();
        break;
      case 1:
        // Some options are for wild sequences only.
        if (context.donor->passes().mode() == WILD && before.passes().mode() != WILD) return false;
        *test_case->mutable_passes()->mutable_config() = context.donor->passes().config();
        break;
      case 2:
        *test_case->mutable_schedule() = context.donor->schedule();
        break;
      default:
        *test_case->mutable_targets() = context.donor->targets();
        break;
    }
    return test_case->SerializeAsString() != before.SerializeAsString();
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeAdoptParts() { return std::make_unique<AdoptParts>(); }

}  // namespace irate
