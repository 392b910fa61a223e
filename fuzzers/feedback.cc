#include "fuzzers/feedback.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace irate {
namespace {

// Of a compiler's error message: the first words, before the values of this program come.
constexpr size_t kMessageLength = 48;

uint64_t Hash(std::string_view text, uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return (hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15;
}

class Counters {
 public:
  void Add(uint64_t hash) {
    indices_.push_back(static_cast<uint32_t>(hash >> 40) % kFeedbackCounters);
  }
  void Add(std::string_view kind, std::string_view a, std::string_view b, uint64_t number) {
    Add(Hash(b, Hash(a, Hash(kind, 0xCBF29CE484222325 + number))));
  }

  std::vector<uint32_t> Take() {
    std::ranges::sort(indices_);
    indices_.erase(std::ranges::unique(indices_).begin(), indices_.end());
    return std::move(indices_);
  }

 private:
  std::vector<uint32_t> indices_;
};

std::string WithoutNumbers(std::string_view message) {
  std::string text(message.substr(0, message.find('\n')).substr(0, kMessageLength));
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

void AddVariant(const VariantObservation& variant, Counters* counters) {
  const std::string& target = variant.spec().target();
  std::string last_change;
  for (const StepObservation& step : variant.steps()) {
    if (step.index() < 0) continue;
    counters->Add("outcome", target, step.pass(), step.outcome());
    if (step.outcome() == StepObservation::SKIPPED) {
      counters->Add("skip", step.pass(), WithoutNumbers(step.skip_reason()), 0);
    }
    if (!step.lift_failure().empty()) counters->Add("lift", step.pass(), step.lift_failure(), 0);
    for (const uint32_t feature : step.features()) counters->Add("feature", target, "", feature);
    if (step.outcome() != StepObservation::CHANGED) continue;
    counters->Add("after", last_change, step.pass(), 0);
    last_change = step.pass();
  }
  const Failure& failure = variant.failure();
  if (failure.kind() == Failure::NONE) return;
  counters->Add("failure", failure.pass(), WithoutNumbers(failure.message()),
                static_cast<uint64_t>(failure.kind()) * 16 + failure.stage());
  if (!failure.frames().empty()) counters->Add("frame", failure.frames(0), "", failure.signal());
}

}  // namespace

std::vector<uint32_t> FeedbackCounters(const Observation& observation) {
  Counters counters;
  counters.Add("reference", "", observation.reference().reason(), observation.reference().status());
  for (const VariantObservation& variant : observation.variants()) AddVariant(variant, &counters);
  return counters.Take();
}

}  // namespace irate
