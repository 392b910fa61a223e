#include "execution/contract/errors.h"

#include <utility>

#include "fmt/format.h"

namespace irate::contract {

void ErrorState::Set(const char* kind, const char* message, const void* caller) {
  if (kind == nullptr || message == nullptr) {
    sink_({Clause::kErrorArguments, "an error was set with a null kind or message", 0, caller});
  }
  Raise(kind == nullptr ? "" : kind, message == nullptr ? "" : message);
}

void ErrorState::SetParts(const char* kind, const char** parts, int32_t count, const void* caller) {
  if (kind == nullptr || count < 0 || (parts == nullptr && count > 0)) {
    sink_({Clause::kErrorArguments,
           fmt::format("an error was set with {} message parts{}", count,
                       kind == nullptr ? " and a null kind" : ""),
           count, caller});
  }
  std::string message;
  for (int32_t i = 0; parts != nullptr && i < count; ++i) {
    if (parts[i] != nullptr) message += parts[i];
  }
  Raise(kind == nullptr ? "" : kind, std::move(message));
}

void ErrorState::Raise(std::string kind, std::string message) {
  std::lock_guard lock(mutex_);
  if (error_.raised) return;
  error_ = {true, std::move(kind), std::move(message)};
}

RaisedError ErrorState::Get() const {
  std::lock_guard lock(mutex_);
  return error_;
}

void ErrorState::Finish(int result) {
  const RaisedError error = Get();
  if (result != 0 && !error.raised) {
    sink_({Clause::kErrorMissing, fmt::format("{} was returned, but no error was set", result),
           result, nullptr});
  }
  if (result == 0 && error.raised) {
    sink_({Clause::kErrorIgnored,
           fmt::format("success was returned after an error was set: {}: {}", error.kind,
                       error.message),
           0, nullptr});
  }
}

void ErrorState::Reset() {
  std::lock_guard lock(mutex_);
  error_ = {};
}

}  // namespace irate::contract
