#include "ir/pass_map.h"

#include <algorithm>

#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

// Of constants and texts. Cheaper than protobuf's own comparison, which sequence generation feels.
bool SameValue(const Expr& a, const Expr& b) {
  return a.op() == b.op() && a.type() == b.type() && a.lanes() == b.lanes() &&
         a.int_value() == b.int_value() && a.float_value() == b.float_value() &&
         a.name() == b.name() && a.args().empty() && b.args().empty();
}

bool SameArguments(const PassStep& step, const std::vector<Expr>& args) {
  return std::ranges::equal(step.args(), args, SameValue);
}

absl::Status CheckOption(const PassMap& map, const Attribute& option) {
  const auto rule = std::ranges::find(map.options(), option.key(), &OptionRule::name);
  if (rule == map.options().end() || rule->wild) {
    return absl::InvalidArgumentError(
        fmt::format("the pass map has no option {} for strict sequences", option.key()));
  }
  const bool listed = std::ranges::any_of(
      rule->values, [&option](const Expr& value) { return SameValue(value, option.value()); });
  if (listed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the pass map does not list this value of the option {}", option.key()));
}

}  // namespace

bool IsOn(const PassConfig& config, std::string_view option) {
  return std::ranges::any_of(config, [option](const Attribute& attribute) {
    return attribute.key() == option && attribute.value().int_value() != 0;
  });
}

int PassMap::IndexOf(const std::string& pass) const {
  const auto entry = index_.find(pass);
  return entry == index_.end() ? -1 : entry->second;
}

const PassRule* PassMap::Find(const std::string& pass) const {
  const int index = IndexOf(pass);
  return index < 0 ? nullptr : &passes_[static_cast<size_t>(index)];
}

PassSequence PassMap::Pipeline(const PassConfig& config) const {
  PassSequence result;
  for (const PipelineStep& entry : pipeline_) {
    if (!entry.if_option.empty() && !IsOn(config, entry.if_option)) continue;
    if (!entry.unless_option.empty() && IsOn(config, entry.unless_option)) continue;
    *result.add_steps() = entry.step;
  }
  *result.mutable_config() = config;
  return result;
}

absl::Status PassMap::Check(const PassSequence& passes) const {
  for (const Attribute& option : passes.config()) {
    IRATE_RETURN_IF_ERROR(CheckOption(*this, option));
  }
  StageWalk walk(*this);
  for (int i = 0; i < passes.steps_size(); ++i) {
    if (absl::Status status = walk.MayStand(passes.steps(i)); !status.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("step {}, {}: {}", i, passes.steps(i).name(), std::string(status.message())));
    }
    walk.Take(passes.steps(i));
  }
  return walk.MayEnd();
}

bool StageWalk::Seen(const std::string& pass) const {
  const int index = map_.IndexOf(pass);
  return index >= 0 && seen_[static_cast<size_t>(index)];
}

bool StageWalk::Allows(const PassStep& step) const {
  const int index = map_.IndexOf(step.name());
  if (index < 0) return false;
  const PassRule& rule = map_.passes()[static_cast<size_t>(index)];
  if (rule.wild || stage_ < rule.from || stage_ > rule.until) return false;
  if (rule.once && seen_[static_cast<size_t>(index)]) return false;
  const auto seen = [this](const std::string& pass) { return Seen(pass); };
  return std::ranges::all_of(rule.after, seen) && std::ranges::none_of(rule.not_after, seen) &&
         std::ranges::any_of(rule.args, [&step](const std::vector<Expr>& args) {
           return SameArguments(step, args);
         });
}

absl::Status StageWalk::MayStand(const PassStep& step) const {
  if (Allows(step)) return absl::OkStatus();
  const PassRule* rule = map_.Find(step.name());
  if (rule == nullptr) return absl::InvalidArgumentError("the pass map has no such pass");
  if (rule->wild) return absl::InvalidArgumentError("only wild sequences may contain it");
  const auto stage = [this](int i) { return map_.stages()[static_cast<size_t>(i)].name; };
  if (stage_ < rule->from || stage_ > rule->until) {
    return absl::InvalidArgumentError(fmt::format("stands at stage {}, may stand from {} until {}",
                                                  stage(stage_), stage(rule->from),
                                                  stage(rule->until)));
  }
  if (rule->once && Seen(step.name())) return absl::InvalidArgumentError("may stand once only");
  for (const std::string& pass : rule->after) {
    if (!Seen(pass)) return absl::InvalidArgumentError(fmt::format("needs {} before it", pass));
  }
  for (const std::string& pass : rule->not_after) {
    if (Seen(pass)) return absl::InvalidArgumentError(fmt::format("may not follow {}", pass));
  }
  return absl::InvalidArgumentError("the pass map does not list these arguments");
}

void StageWalk::Take(const PassStep& step) {
  const int index = map_.IndexOf(step.name());
  if (index < 0) return;
  seen_[static_cast<size_t>(index)] = true;
  stage_ = std::max(stage_, map_.passes()[static_cast<size_t>(index)].leaves);
}

absl::Status StageWalk::MayEnd() const {
  const int last = static_cast<int>(map_.stages().size()) - 1;
  if (stage_ != last) {
    return absl::InvalidArgumentError(fmt::format("ends at stage {}, not at {}",
                                                  map_.stages()[static_cast<size_t>(stage_)].name,
                                                  map_.stages().back().name));
  }
  for (size_t i = 0; i < seen_.size(); ++i) {
    if (map_.passes()[i].required && !seen_[i]) {
      return absl::InvalidArgumentError(
          fmt::format("{} is missing, which the pass map requires", map_.passes()[i].name));
    }
  }
  return absl::OkStatus();
}

std::vector<std::string> StageWalk::Promises(const PassStep& step) const {
  const PassRule* rule = map_.Find(step.name());
  if (rule == nullptr || rule->wild) return {};
  std::vector<std::string> promises = rule->promises;
  for (int i = 0; i <= stage_; ++i) {
    const StageRule& stage = map_.stages()[static_cast<size_t>(i)];
    promises.insert(promises.end(), stage.holds.begin(), stage.holds.end());
  }
  if (rule->idempotent) promises.emplace_back(kIdempotent);
  return promises;
}

}  // namespace irate
