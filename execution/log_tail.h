// The last bytes of what a process wrote to stdout and stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "execution/unique_fd.h"

namespace irate {

inline constexpr size_t kLogTailBytes = size_t{64} << 10;

class LogTail {
 public:
  // The tail, and the write end of its pipe: closed on exec, to be given to the process.
  static absl::StatusOr<std::pair<LogTail, UniqueFd>> Create();

  int fd() const { return fd_.get(); }
  // Takes what is there now. A writer blocks on a full pipe, so this must be called while waiting.
  void Drain();
  // At most kLogTailBytes since the last Clear.
  std::string_view text() const;
  void Clear() { text_.clear(); }

 private:
  explicit LogTail(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
  std::string text_;
};

}  // namespace irate
