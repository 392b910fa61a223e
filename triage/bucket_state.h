// The life of a bucket: what a sighting, a passing run and a person do to its state.
//
//            sighting            passes on a newer compiler     mute         unmute
//   new      new                 fixed                          muted        -
//   known    known               fixed                          muted        -
//   muted    muted               fixed                          muted        new
//   fixed    regressed, if the   fixed                          muted        -
//            compiler is not
//            older than the one
//            that passed
//   regressed  regressed         fixed                          muted        -
//
// So a bucket mutes itself when its Case passes on a compiler newer than all that showed it, and
// wakes when it fails there again. Passing on an older one only says where the bug began.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

enum class BucketState { kNew, kKnown, kMuted, kFixed, kRegressed };

// "new", "known", "muted", "fixed", "regressed".
std::string_view BucketStateName(BucketState state);
absl::StatusOr<BucketState> ParseBucketState(std::string_view name);

// What one version of the compiler did with the bucket's Case when it was last asked.
struct Verdict {
  bool fails = false;
  std::string time;
  bool operator==(const Verdict&) const = default;
};

// One line of the history: "2026-01-31T12:00:00Z", "muted", "waits for #123".
struct BucketEvent {
  std::string time;
  std::string what;
  std::string detail;
  bool operator==(const BucketEvent&) const = default;
};

struct BucketLife {
  BucketState state = BucketState::kNew;
  std::string mute_reason;                  // of kMuted
  std::map<std::string, Verdict> verdicts;  // by version of the compiler
  std::vector<BucketEvent> history;         // changes of the state, oldest first
  bool operator==(const BucketLife&) const = default;
};

void ApplySighting(const std::string& version, const std::string& now, BucketLife* life);
void ApplyPass(const std::string& version, const std::string& now, BucketLife* life);
// InvalidArgument without a reason: a bucket that nobody knows why is muted is lost.
absl::Status ApplyMute(const std::string& reason, const std::string& now, BucketLife* life);
// FailedPrecondition if it is not muted.
absl::Status ApplyUnmute(const std::string& now, BucketLife* life);
void ApplyKnown(const std::string& now, BucketLife* life);

// The oldest and the newest version that showed it; empty if there is none.
std::string OldestFailing(const BucketLife& life);
std::string NewestFailing(const BucketLife& life);

}  // namespace irate
