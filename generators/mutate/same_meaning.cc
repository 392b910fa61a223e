// A rule of generators/equivalent as a mutator: the meaning stays, what the compiler sees does not.
#include <string>

#include "fmt/format.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"

namespace irate {
namespace {

class SameMeaning : public Mutator {
 public:
  explicit SameMeaning(const Rewrite* rewrite)
      : rewrite_(*rewrite), name_(fmt::format("same-{}", rewrite->Name())) {}

  std::string_view Name() const override { return name_; }
  int Weight() const override { return 2; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    const int sites = rewrite_.CountSites(test_case->module());
    if (sites == 0) return false;
    rewrite_.ApplyAt(test_case->mutable_module(), mutate::PickIndex(sites, choices), choices);
    return true;
  }

 private:
  const Rewrite& rewrite_;
  const std::string name_;
};

}  // namespace

std::unique_ptr<Mutator> MakeSameMeaning(const Rewrite* rewrite) {
  return std::make_unique<SameMeaning>(rewrite);
}

}  // namespace irate
