// Definitions and uses of variables and buffers.
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {

absl::Status FunctionVerifier::Define(uint32_t variable) {
  if (variable >= variables_.size()) {
    return Fail(
        fmt::format("there is no variable {}; the table has {}", variable, variables_.size()));
  }
  State& state = variables_[variable];
  if (state == State::kLive) {
    return Fail(fmt::format("the variable {} is already in scope", VariableName(variable)));
  }
  if (state == State::kEnded && !options_.lifted) {
    return Fail(fmt::format("the variable {} has a second definition", VariableName(variable)));
  }
  state = State::kLive;
  live_variables_.push_back(variable);
  return absl::OkStatus();
}

absl::Status FunctionVerifier::DefineBuffer(uint32_t buffer) {
  if (buffer >= buffers_.size()) {
    return Fail(fmt::format("there is no buffer {}; the table has {}", buffer, buffers_.size()));
  }
  State& state = buffers_[buffer];
  if (state == State::kLive) {
    return Fail(fmt::format("the buffer {} is already in scope", BufferName(buffer)));
  }
  if (state == State::kEnded && !options_.lifted) {
    return Fail(fmt::format("the buffer {} has a second declaration", BufferName(buffer)));
  }
  {
    Scope scope(this, {.label = "buffer", .index = static_cast<int>(buffer)});
    IRATE_RETURN_IF_ERROR(CheckBufferExprs(function_.buffers(static_cast<int>(buffer))));
  }
  state = State::kLive;
  live_buffers_.push_back(buffer);
  return absl::OkStatus();
}

absl::Status FunctionVerifier::UseVariable(uint32_t variable) const {
  if (variable >= variables_.size()) {
    return Fail(
        fmt::format("there is no variable {}; the table has {}", variable, variables_.size()));
  }
  if (check_scope_ && variables_[variable] != State::kLive) {
    return Fail(fmt::format("the variable {} is not in scope", VariableName(variable)));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::UseBuffer(uint32_t buffer) const {
  if (buffer >= buffers_.size()) {
    return Fail(fmt::format("there is no buffer {}; the table has {}", buffer, buffers_.size()));
  }
  if (check_scope_ && buffers_[buffer] != State::kLive) {
    return Fail(fmt::format("the buffer {} is not in scope", BufferName(buffer)));
  }
  return absl::OkStatus();
}

bool FunctionVerifier::IsLive(uint32_t variable) const {
  return variable < variables_.size() && variables_[variable] == State::kLive;
}

}  // namespace irate::verify
