#include "generators/mutate/engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "generators/device_program.h"
#include "generators/feature_scan.h"
#include "ir/canonical.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/measure.h"
#include "ir/schedule_validity.h"
#include "ir/verify.h"
#include "ir/visit.h"

namespace irate {
namespace {

constexpr auto kCrossovers =
    std::to_array<std::string_view>({"splice-programs", "graft-expression", "adopt-parts"});
constexpr int kMostMutators = 4;

size_t IndexOf(std::string_view name) {
  const auto mutators = Mutators();
  const auto found = std::ranges::find_if(
      mutators, [name](const std::unique_ptr<Mutator>& m) { return m->Name() == name; });
  return static_cast<size_t>(found - mutators.begin());
}

// A parallel loop inside another one: no backend of TVM takes it, which is a limit that it names
// and no bug.
bool HasNestedParallel(const google::protobuf::RepeatedPtrField<Stmt>& stmts, bool inside) {
  return std::ranges::any_of(stmts, [inside](const Stmt& stmt) {
    const bool parallel = stmt.kind() == FOR && stmt.loop_kind() == PARALLEL;
    if (parallel && inside) return true;
    bool nested = false;
    ForEachChildList(stmt, [&nested, inside, parallel](const auto& list) {
      nested = nested || HasNestedParallel(list, inside || parallel);
    });
    return nested;
  });
}

bool HasNestedParallel(const Module& module) {
  return std::ranges::any_of(module.functions(), [](const Function& function) {
    return HasNestedParallel(function.body(), false);
  });
}

void DropRegions(Module* module) {
  for (Function& function : *module->mutable_functions()) {
    VisitStmts(&function, [](Stmt& stmt) {
      if (!stmt.has_block()) return;
      stmt.mutable_block()->clear_reads();
      stmt.mutable_block()->clear_writes();
    });
  }
}

bool SameTargets(const Case& a, const Case& b) {
  return std::ranges::equal(a.targets(), b.targets(), [](const TargetSpec& x, const TargetSpec& y) {
    return x.target() == y.target() && x.options() == y.options();
  });
}

void SetOrigin(const Case& parent, Case* child) {
  constexpr std::string_view kMutated = "mutated ";
  const bool again = std::string_view(parent.generator()).starts_with(kMutated);
  child->set_generator(again ? parent.generator()
                             : fmt::format("{}{}", kMutated, parent.generator()));
  // A number of its own, as generated Cases have: by it users take one Case in so many.
  child->set_generator_seed(StructuralHash(child->module()) ^ child->inputs().seed());
  child->clear_features();
  for (std::string& name : FeatureNames(ScanFeatures(*child))) {
    child->add_features(std::move(name));
  }
}

}  // namespace

MutationEngine::MutationEngine(MutateOptions options)
    : options_(std::move(options)), yield_(options_.learn) {}

std::optional<MutationEngine::Child> MutationEngine::Mutate(const Case& parent, const Case* donor,
                                                            ChoiceSource& choices) {
  return Attempt(parent, donor, false, choices);
}

std::optional<MutationEngine::Child> MutationEngine::Cross(const Case& parent, const Case& donor,
                                                           ChoiceSource& choices) {
  return Attempt(parent, &donor, true, choices);
}

std::optional<MutationEngine::Child> MutationEngine::Attempt(const Case& parent, const Case* donor,
                                                             bool cross, ChoiceSource& choices) {
  const bool avoids = !options_.avoided_features.empty() && choices.Chance(3, 4);
  for (int i = 0; i < options_.attempts; ++i) {
    std::optional<Child> child = Try(parent, donor, cross, avoids, choices);
    if (child.has_value()) return child;
  }
  return std::nullopt;
}

std::optional<MutationEngine::Child> MutationEngine::Try(const Case& parent, const Case* donor,
                                                         bool cross, bool avoids,
                                                         ChoiceSource& choices) {
  Child child;
  child.test_case = parent;
  // Wild Cases are only looked at for crashes: most of their children are not wild.
  if (parent.passes().mode() == WILD && choices.Chance(3, 4)) child.test_case.clear_passes();
  int count = 1;
  while (count < kMostMutators && choices.Chance(1, 3)) ++count;
  for (int i = 0; i < count; ++i) {
    const size_t mutator =
        cross && i == 0
            ? IndexOf(kCrossovers[static_cast<size_t>(choices.Range(0, kCrossovers.size() - 1))])
            : yield_.Draw(choices);
    if (!Apply(mutator, donor, &child.test_case, choices)) {
      // One that finds nothing to do is no reason to throw away what the others did.
      if (cross && i == 0) return std::nullopt;
      continue;
    }
    child.mutators.push_back(mutator);
  }
  if (child.mutators.empty() || !IsAcceptable(parent, avoids, &child.test_case))
    return std::nullopt;
  for (const size_t mutator : child.mutators) ++yield_.counts(mutator).defined;
  return child;
}

bool MutationEngine::Apply(size_t mutator, const Case* donor, Case* test_case,
                           ChoiceSource& choices) {
  MutatorCounts& counts = yield_.counts(mutator);
  ++counts.tried;
  const MutationContext context = {
      .donor = donor, .passes = &options_.passes, .is_strict_walk = options_.is_strict_walk};
  Case changed = *test_case;
  if (!Mutators()[mutator]->Mutate(&changed, context, choices)) return false;
  ++counts.applied;
  if (!VerifyCase(changed).ok()) return false;
  ++counts.valid;
  test_case->Swap(&changed);
  return true;
}

bool MutationEngine::HasUnwantedFeature(const Case& parent, bool avoids, const Case& child) const {
  return std::ranges::any_of(child.features(), [&](const std::string& feature) {
    const bool unwanted = options_.disabled_features.contains(feature) ||
                          (avoids && options_.avoided_features.contains(feature));
    return unwanted && std::ranges::count(parent.features(), feature) == 0;
  });
}

bool MutationEngine::IsAcceptable(const Case& parent, bool avoids, Case* child) const {
  DropRegions(child->mutable_module());
  if (!child->schedule().steps().empty() &&
      !NotSchedulable(child->module(), child->inputs()).empty()) {
    child->clear_schedule();
  }
  *child = Canonicalize(*child);
  const Measure measure = MeasureModule(child->module());
  if (measure.depth > kMaxDepth / 2 || CountNodes(child->module()) > options_.nodes) return false;
  SetOrigin(parent, child);
  if (child->module().SerializeAsString() == parent.module().SerializeAsString() &&
      child->passes().SerializeAsString() == parent.passes().SerializeAsString() &&
      child->inputs().SerializeAsString() == parent.inputs().SerializeAsString() &&
      child->schedule().SerializeAsString() == parent.schedule().SerializeAsString() &&
      SameTargets(*child, parent)) {
    return false;
  }
  if (child->ByteSizeLong() > options_.bytes || !VerifyCase(*child).ok()) return false;
  if (HasUnwantedFeature(parent, avoids, *child)) return false;
  if (HasNestedParallel(child->module())) return false;
  if (child->passes().mode() == WILD) return true;
  if (!IsCoherent(*child)) return false;
  const absl::StatusOr<Interpretation> result =
      Interpret(child->module(), child->inputs(), {.fuel = options_.fuel});
  if (!result.ok() || result->status() != Interpretation::DEFINED) return false;
  return InconclusiveShare(*result) <= options_.inconclusive;
}

}  // namespace irate
