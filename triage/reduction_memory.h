// What a reduction has learnt, so that it can go on after it was ended.
//
//   FOLDER/answers       one line per candidate: hash, "1" or "0"; the first line names the
//   reduction FOLDER/best.irate    the smallest Case that was accepted
//
// A folder of another reduction (another Case) is emptied. A damaged line is skipped.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

class ReductionMemory {
 public:
  // An empty folder name: memory only.
  static absl::StatusOr<ReductionMemory> Open(const std::string& folder, const Case& original);

  std::optional<bool> Answer(const std::string& key) const;
  void Remember(const std::string& key, bool kept);
  absl::Status KeepBest(const Case& best) const;
  // Of an earlier run of this reduction.
  const std::optional<Case>& best() const { return best_; }

  static std::string KeyOf(const Case& test_case);

 private:
  ReductionMemory() : file_(nullptr, &std::fclose) {}
  std::string folder_;
  std::unordered_map<std::string, bool> answers_;
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
  std::optional<Case> best_;
};

}  // namespace irate
