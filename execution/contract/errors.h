// The error that generated code sets before it returns a failure: TVMFFIErrorSetRaisedFromCStr and
// TVMFFIErrorSetRaisedFromCStrParts.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "execution/contract/report.h"

namespace irate::contract {

struct RaisedError {
  bool raised = false;
  std::string kind;  // "TypeError"
  std::string message;
};

// One per run, shared by its threads: the first error stays.
class ErrorState {
 public:
  explicit ErrorState(ReportSink sink) : sink_(std::move(sink)) {}

  void Set(const char* kind, const char* message, const void* caller);
  void SetParts(const char* kind, const char** parts, int32_t count, const void* caller);
  // A failure that the runtime itself raises.
  void Raise(std::string kind, std::string message);
  RaisedError Get() const;
  // A function that returned `result`: failure without error, or success with one.
  void Finish(int result);
  void Reset();

 private:
  ReportSink sink_;
  mutable std::mutex mutex_;
  RaisedError error_;
};

}  // namespace irate::contract
