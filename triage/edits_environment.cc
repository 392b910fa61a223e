// Edits of what is around the program: passes, options of the compiler, inputs.
#include <array>
#include <string>

#include "nlohmann/json.hpp"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {

// The default pipeline (no steps) stays whole: a reproducer is shortest with it.
EditResult DropPass(Case* test_case, int position, int) {
  if (position >= test_case->passes().steps_size()) return EditResult::kNoPosition;
  PassSequence* passes = test_case->mutable_passes();
  if (passes->steps_size() == 1) return EditResult::kNotApplicable;
  passes->mutable_steps()->DeleteSubrange(position, 1);
  return EditResult::kApplied;
}

// A half, then a quarter of the passes at a time: most are of no matter.
EditResult DropPassRun(Case* test_case, int position, int) {
  constexpr int kRuns = 6;
  const int count = test_case->passes().steps_size();
  if (position >= kRuns || count < 4) return EditResult::kNoPosition;
  const int parts = position < 2 ? 2 : 4;
  const int part = parts == 2 ? position : position - 2;
  const int begin = count * (parts - 1 - part) / parts;  // those behind the culprit first
  const int end = count * (parts - part) / parts;
  test_case->mutable_passes()->mutable_steps()->DeleteSubrange(begin, end - begin);
  return EditResult::kApplied;
}

EditResult DropConfig(Case* test_case, int position, int) {
  if (position >= test_case->passes().config_size()) return EditResult::kNoPosition;
  test_case->mutable_passes()->mutable_config()->DeleteSubrange(position, 1);
  return EditResult::kApplied;
}

// One member of a target description, if it is a JSON object; positions go through all of them.
// "kind" says which target it is and stays.
EditResult DropTargetOption(Case* test_case, int position, int) {
  for (TargetSpec& spec : *test_case->mutable_targets()) {
    auto options = nlohmann::ordered_json::parse(spec.options(), nullptr, false);
    if (!options.is_object()) continue;
    if (position >= static_cast<int>(options.size())) {
      position -= static_cast<int>(options.size());
      continue;
    }
    const std::string key = std::next(options.begin(), position).key();
    if (key == "kind") return EditResult::kNotApplicable;
    options.erase(key);
    spec.set_options(options.dump());
    return EditResult::kApplied;
  }
  return EditResult::kNoPosition;
}

EditResult SimplifySeed(Case* test_case, int position, int variant) {
  if (position > 0) return EditResult::kNoPosition;
  if (test_case->inputs().seed() <= static_cast<uint64_t>(variant)) {
    return EditResult::kNotApplicable;
  }
  test_case->mutable_inputs()->set_seed(static_cast<uint64_t>(variant));
  return EditResult::kApplied;
}

// How one parameter is filled: by its type's default, else with fewer values.
EditResult SimplifyInput(Case* test_case, int position, int variant) {
  Inputs* inputs = test_case->mutable_inputs();
  if (position >= inputs->params_size()) return EditResult::kNoPosition;
  if (variant == 0) {
    inputs->mutable_params()->DeleteSubrange(position, 1);
    return EditResult::kApplied;
  }
  ParamInput* input = inputs->mutable_params(position);
  if (variant == 1) {
    if (!input->real()) return EditResult::kNotApplicable;
    input->clear_real();
    return EditResult::kApplied;
  }
  constexpr std::array<std::array<int64_t, 2>, 4> kRanges = {{{1, 1}, {0, 1}, {1, 2}, {-1, 1}}};
  const auto& [min, max] = kRanges[static_cast<size_t>(variant - 2)];
  if (min < input->min() || max > input->max()) return EditResult::kNotApplicable;
  if (min == input->min() && max == input->max()) return EditResult::kNotApplicable;
  input->set_min(min);
  input->set_max(max);
  return EditResult::kApplied;
}

EditResult ShrinkDimValue(Case* test_case, int position, int variant) {
  if (position >= test_case->inputs().dims_size()) return EditResult::kNoPosition;
  DimValue* dim = test_case->mutable_inputs()->mutable_dims(position);
  const std::array<int64_t, 3> sizes = {1, 2, dim->value() / 2};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (size < 1 || size >= dim->value()) return EditResult::kNotApplicable;
  dim->set_value(size);
  return EditResult::kApplied;
}

}  // namespace irate::edits
