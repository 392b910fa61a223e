#include "generators/sequence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generators/sequence_edits.h"

namespace irate {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({"default", "options", "strict", "wild"});

constexpr int kMaxWildSteps = 48;

int DrawEditCount(ChoiceSource& choices) {
  // Few edits keep a finding's cause plain, many reach orders that few do not.
  switch (choices.Weighted(std::array{5, 3, 1})) {
    case 0:
      return static_cast<int>(choices.Range(1, 3));
    case 1:
      return static_cast<int>(choices.Range(4, 10));
    default:
      return static_cast<int>(choices.Range(11, 30));
  }
}

// The pipeline without the passes that the map does not require. Where that breaks a rule of the
// map, the whole pipeline.
PassSequence RequiredOnly(const PassMap& map, const PassConfig& config) {
  PassSequence whole = map.Pipeline(config);
  PassSequence required = whole;
  required.clear_steps();
  for (const PassStep& step : whole.steps()) {
    const PassRule* rule = map.Find(step.name());
    const bool moves = rule->leaves >= 0;
    if (rule->required || moves) *required.add_steps() = step;
  }
  return map.Check(required).ok() ? required : whole;
}

PassSequence Strict(ChoiceSource& choices, const PassMap& map) {
  PassSequence passes;
  if (choices.Chance(1, 3)) DrawOptions(choices, map, /*wild=*/false, &passes);
  const PassConfig config = passes.config();
  passes = choices.Chance(1, 3) ? RequiredOnly(map, config) : map.Pipeline(config);
  const int edits = DrawEditCount(choices);
  for (int i = 0; i < edits; ++i) MutateStrict(choices, map, &passes);
  return passes;
}

PassSequence Wild(ChoiceSource& choices, const PassMap& map) {
  PassSequence passes;
  if (choices.Chance(1, 2)) DrawOptions(choices, map, /*wild=*/true, &passes);
  const PassConfig config = passes.config();
  switch (choices.Weighted(std::array{4, 2, 2})) {
    case 0:  // any passes
      for (int64_t count = choices.Range(1, kMaxWildSteps); count > 0; --count) {
        *passes.add_steps() = DrawStep(choices, map, /*wild=*/true);
      }
      break;
    case 1: {  // the pipeline, shuffled
      passes = map.Pipeline(config);
      for (int i = passes.steps_size() - 1; i > 0; --i) {
        passes.mutable_steps()->SwapElements(i, static_cast<int>(choices.Range(0, i)));
      }
      break;
    }
    default: {  // the pipeline, somewhat changed
      passes = map.Pipeline(config);
      const int edits = DrawEditCount(choices);
      for (int i = 0; i < edits; ++i) MutateWild(choices, map, &passes);
    }
  }
  // Most passes ask for the target first and do nothing without it.
  if (choices.Chance(9, 10)) {
    *passes.add_steps() = map.Pipeline({}).steps(0);
    for (int i = passes.steps_size() - 1; i > 0; --i) {
      passes.mutable_steps()->SwapElements(i, i - 1);
    }
  }
  passes.set_mode(WILD);
  return passes;
}

}  // namespace

std::string_view Name(SequenceKind kind) { return kNames[static_cast<size_t>(kind)]; }

std::optional<SequenceKind> FindSequenceKind(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SequenceKind>(found - kNames.begin());
}

SequenceKind KindOf(const PassSequence& passes) {
  if (passes.mode() == WILD) return SequenceKind::kWild;
  if (!passes.steps().empty()) return SequenceKind::kStrict;
  return passes.config().empty() ? SequenceKind::kDefault : SequenceKind::kOptions;
}

SequenceMix Only(SequenceKind kind) {
  SequenceMix mix = {};
  mix[static_cast<size_t>(kind)] = 1;
  return mix;
}

PassSequence GenerateSequence(ChoiceSource& choices, const PassMap& map, SequenceKind kind) {
  switch (kind) {
    case SequenceKind::kDefault:
      break;
    case SequenceKind::kOptions: {
      PassSequence passes;
      DrawOptions(choices, map, /*wild=*/false, &passes);
      return passes;
    }
    case SequenceKind::kStrict:
      return Strict(choices, map);
    case SequenceKind::kWild:
      return Wild(choices, map);
  }
  return {};
}

PassSequence GenerateSequence(ChoiceSource& choices, const PassMap& map, const SequenceMix& mix) {
  return GenerateSequence(choices, map, static_cast<SequenceKind>(choices.Weighted(mix)));
}

bool IsStrictSequence(const PassMap& map, const PassSequence& passes) {
  if (!passes.steps().empty()) return map.Check(passes).ok();
  return map.Check(map.Pipeline(passes.config())).ok();
}

void DrawOptions(ChoiceSource& choices, const PassMap& map, bool wild, PassSequence* passes) {
  passes->clear_config();
  std::vector<const OptionRule*> options;
  for (const OptionRule& option : map.options()) {
    if (wild || !option.wild) options.push_back(&option);
  }
  for (int64_t count = choices.Range(1, 3); count > 0 && !options.empty(); --count) {
    const auto picked =
        options.begin() + choices.Range(0, static_cast<int64_t>(options.size()) - 1);
    const std::vector<Expr>& values = (*picked)->values;
    Attribute* option = passes->add_config();
    option->set_key((*picked)->name);
    *option->mutable_value() =
        values[static_cast<size_t>(choices.Range(0, static_cast<int64_t>(values.size()) - 1))];
    options.erase(picked);
  }
}

}  // namespace irate
