#include "triage/bucket_state.h"

#include <array>

#include "fmt/format.h"
#include "triage/version_order.h"

namespace irate {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"new", "known", "muted", "fixed", "regressed"};

void Become(BucketState state, const std::string& now, const std::string& detail,
            BucketLife* life) {
  life->state = state;
  life->history.push_back({now, std::string(BucketStateName(state)), detail});
  if (state != BucketState::kMuted) life->mute_reason.clear();
}

// The extreme of the versions with that verdict; empty if there is none.
std::string Extreme(const BucketLife& life, bool fails, bool newest) {
  std::string best;
  for (const auto& [version, verdict] : life.verdicts) {
    if (verdict.fails != fails) continue;
    const bool newer = best.empty() || (CompareVersions(version, best) > 0) == newest;
    if (newer) best = version;
  }
  return best;
}

}  // namespace

std::string_view BucketStateName(BucketState state) { return kNames[static_cast<size_t>(state)]; }

absl::StatusOr<BucketState> ParseBucketState(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<BucketState>(i);
  }
  return absl::InvalidArgumentError(fmt::format("there is no state '{}'", name));
}

std::string OldestFailing(const BucketLife& life) { return Extreme(life, true, false); }
std::string NewestFailing(const BucketLife& life) { return Extreme(life, true, true); }

void ApplySighting(const std::string& version, const std::string& now, BucketLife* life) {
  life->verdicts[version] = {.fails = true, .time = now};
  if (life->state != BucketState::kFixed) return;
  const std::string newest_pass = Extreme(*life, false, true);
  if (newest_pass.empty() || CompareVersions(version, newest_pass) >= 0) {
    Become(BucketState::kRegressed, now, version, life);
  }
}

void ApplyPass(const std::string& version, const std::string& now, BucketLife* life) {
  // The version may have failed before: a build of it, or a bug that does not show every time.
  life->verdicts[version] = {.fails = false, .time = now};
  if (life->state == BucketState::kFixed) return;
  const std::string newest_fail = NewestFailing(*life);
  if (!newest_fail.empty() && CompareVersions(version, newest_fail) <= 0) return;
  Become(BucketState::kFixed, now, version, life);
}

absl::Status ApplyMute(const std::string& reason, const std::string& now, BucketLife* life) {
  if (reason.empty()) return absl::InvalidArgumentError("a mute needs a reason");
  Become(BucketState::kMuted, now, reason, life);
  life->mute_reason = reason;
  return absl::OkStatus();
}

absl::Status ApplyUnmute(const std::string& now, BucketLife* life) {
  if (life->state != BucketState::kMuted) {
    return absl::FailedPreconditionError(
        fmt::format("it is not muted but {}", BucketStateName(life->state)));
  }
  Become(BucketState::kNew, now, "unmuted", life);
  return absl::OkStatus();
}

void ApplyKnown(const std::string& now, BucketLife* life) {
  if (life->state != BucketState::kKnown) Become(BucketState::kKnown, now, "", life);
}

}  // namespace irate
