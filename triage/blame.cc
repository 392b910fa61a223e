#include "triage/blame.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "triage/case_tester.h"
#include "triage/delta_debugging.h"
#include "triage/finding_probe.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

// What is varied for findings in code generation.
struct Variation {
  std::string_view key;
  int value;
};
constexpr std::array kVariations = {Variation{"opt-level", 0}, Variation{"opt-level", 1},
                                    Variation{"opt-level", 2}, Variation{"vector-width", 128},
                                    Variation{"vector-width", 256}};

class Blamer {
 public:
  Blamer(Case test_case, CaseTester* tester, const std::function<bool()>& stop)
      : case_(std::move(test_case)), tester_(*tester), stop_(stop) {}

  absl::StatusOr<Blame> Run(bool in_code_generation) {
    IRATE_ASSIGN_OR_RETURN(const bool shows, Shows(case_));
    if (!shows) return absl::NotFoundError("the Case does not show the finding");
    IRATE_RETURN_IF_ERROR(NeededOptions());
    IRATE_RETURN_IF_ERROR(NeededPasses());
    if (in_code_generation) IRATE_RETURN_IF_ERROR(Variations());
    return blame_;
  }

 private:
  absl::StatusOr<bool> Shows(const Case& candidate) {
    IRATE_ASSIGN_OR_RETURN(const auto answers, tester_.Ask({&candidate, 1}));
    return answers[0].value_or(false);
  }

  absl::Status NeededPasses() {
    blame_.passes_before = case_.passes().steps_size();
    const auto with = [this](const KeptSet& kept) {
      Case candidate = case_;
      candidate.mutable_passes()->clear_steps();
      for (const int index : kept) {
        *candidate.mutable_passes()->add_steps() = case_.passes().steps(index);
      }
      return candidate;
    };
    // Without any pass the target would take its default ones.
    const auto first_kept =
        [&](std::span<const KeptSet> sets) -> absl::StatusOr<std::optional<size_t>> {
      std::vector<Case> candidates;
      std::vector<size_t> indices;
      for (size_t i = 0; i < sets.size(); ++i) {
        if (sets[i].empty()) continue;
        candidates.push_back(with(sets[i]));
        indices.push_back(i);
      }
      if (candidates.empty()) return std::optional<size_t>();
      IRATE_ASSIGN_OR_RETURN(const auto answers, tester_.Ask(candidates));
      for (size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].value_or(false)) return std::optional<size_t>(indices[i]);
      }
      return std::optional<size_t>();
    };
    IRATE_ASSIGN_OR_RETURN(const KeptSet kept, MinimiseSet(case_.passes().steps_size(),
                                                           tester_.width(), first_kept, stop_));
    for (const int index : kept) blame_.passes.push_back(case_.passes().steps(index).name());
    return absl::OkStatus();
  }

  absl::Status NeededOptions() {
    for (int i = case_.passes().config_size() - 1; i >= 0; --i) {
      Case candidate = case_;
      candidate.mutable_passes()->mutable_config()->DeleteSubrange(i, 1);
      IRATE_ASSIGN_OR_RETURN(const bool shows, Shows(candidate));
      if (!shows) blame_.options.push_back(case_.passes().config(i).key());
    }
    for (int i = 0; i < case_.targets_size(); ++i) {
      const Json options = Json::parse(case_.targets(i).options(), nullptr, false);
      if (!options.is_object()) continue;
      for (const auto& [key, value] : options.items()) {
        if (key == "kind") continue;
        Json without = options;
        without.erase(key);
        Case candidate = case_;
        candidate.mutable_targets(i)->set_options(without.dump());
        IRATE_ASSIGN_OR_RETURN(const bool shows, Shows(candidate));
        if (!shows) blame_.options.push_back(fmt::format("{}={}", key, value.dump()));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Variations() {
    Json options = Json::parse(case_.targets(0).options(), nullptr, false);
    if (!options.is_object()) return absl::OkStatus();
    for (const Variation& variation : kVariations) {
      Json varied = options;
      varied[std::string(variation.key)] = variation.value;
      Case candidate = case_;
      candidate.mutable_targets(0)->set_options(varied.dump());
      IRATE_ASSIGN_OR_RETURN(const bool shows, Shows(candidate));
      if (!shows) blame_.gone_with.push_back(fmt::format("{}={}", variation.key, variation.value));
    }
    return absl::OkStatus();
  }

  const Case case_;
  CaseTester& tester_;
  const std::function<bool()>& stop_;
  Blame blame_;
};

}  // namespace

absl::StatusOr<Blame> BlameFinding(const Case& test_case, const Finding& finding,
                                   const HarnessOptions& options, int jobs,
                                   const std::function<bool()>& stop) {
  Case whole = test_case;
  Finding only = finding;
  KeepOnlyVariant(&whole, &only);
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness, Harness::Create(options));
  if (whole.targets().empty()) {
    // The default ones, spelt out so that their options can be varied.
    const auto& specs = harness->worker().hello().default_specs();
    if (static_cast<int>(only.variant()) < specs.size()) {
      *whole.add_targets() = specs[static_cast<int>(only.variant())];
      only.set_variant(0);
    }
  }
  if (whole.passes().steps().empty() && !whole.targets().empty()) {
    IRATE_ASSIGN_OR_RETURN(const PassSequence passes,
                           harness->worker().DefaultPasses(whole.targets(0)));
    *whole.mutable_passes()->mutable_steps() = passes.steps();
  }
  if (ShowsInPasses(only) && only.step() >= 0 && only.step() + 1 < whole.passes().steps_size()) {
    whole.mutable_passes()->mutable_steps()->DeleteSubrange(
        only.step() + 1, whole.passes().steps_size() - only.step() - 1);
  }
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<CaseTester> tester,
                         MakeProbeTester(options, whole, only, jobs, 1));
  return Blamer(whole, tester.get(), stop).Run(!ShowsInPasses(only));
}

}  // namespace irate
