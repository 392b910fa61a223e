#include "targets/selftest/faults.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "execution/planted_fault.h"
#include "execution/protocol.h"
#include "ir/builder.h"
#include "ir/types.h"
#include "nlohmann/json.hpp"

namespace irate::selftest {
namespace {

constexpr auto kDeathNames = std::to_array<std::pair<std::string_view, FaultRequest::Kind>>({
    {"segv", FaultRequest::SEGV},
    {"null-call", FaultRequest::NULL_CALL},
    {"abort", FaultRequest::ABORT},
    {"uncaught-exception", FaultRequest::UNCAUGHT_EXCEPTION},
    {"stack-overflow", FaultRequest::STACK_OVERFLOW},
    {"heap-overflow", FaultRequest::HEAP_OVERFLOW},
    {"exit", FaultRequest::EXIT},
    {"killed", FaultRequest::KILLED},
    {"hang", FaultRequest::HANG},
    {"out-of-memory", FaultRequest::OUT_OF_MEMORY},
});

constexpr auto kFaultNames = std::to_array<std::pair<std::string_view, Fault>>({
    {"sleep", Fault::kSleep},
    {"close-socket", Fault::kCloseSocket},
    {"truncated-reply", Fault::kTruncatedReply},
    {"oversized-reply", Fault::kOversizedReply},
    {"garbled-reply", Fault::kGarbledReply},
    {"internal-error", Fault::kInternalError},
    {"diagnostic", Fault::kDiagnostic},
    {"wrong-pass", Fault::kWrongPass},
    {"wrong-result", Fault::kWrongResult},
    {"broken-promise", Fault::kBrokenPromise},
    {"nondeterminism", Fault::kNondeterminism},
});

constexpr auto kStageNames = std::to_array<std::pair<std::string_view, Stage>>(
    {{"lower", STAGE_LOWER}, {"pass", STAGE_PASS}, {"build", STAGE_BUILD}, {"run", STAGE_RUN}});

template <typename Table, typename Value>
bool LookUp(const Table& table, std::string_view name, Value* value) {
  for (const auto& [entry_name, entry_value] : table) {
    if (entry_name == name) {
      *value = entry_value;
      return true;
    }
  }
  return false;
}

// Bytes where a Reply is expected. What follows on the socket is out of step for good.
void WriteToSocket(std::string_view bytes, bool close_after) {
  if (send(kWorkerSocketFd, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) std::abort();
  if (close_after) shutdown(kWorkerSocketFd, SHUT_RDWR);
  while (true) pause();
}

bool AddOneToFirstStore(google::protobuf::RepeatedPtrField<Stmt>* statements) {
  for (Stmt& stmt : *statements) {
    if (stmt.kind() == STORE) {
      const Expr& value = stmt.args(0);
      const bool is_float = IsFloat(value.type());
      if (value.lanes() == 0 && (is_float || IsInteger(value.type()))) {
        *stmt.mutable_args(0) = build::Binary(
            ADD, value, is_float ? build::Float(value.type(), 1) : build::Int(value.type(), 1));
        return true;
      }
    }
    if (AddOneToFirstStore(stmt.mutable_body()) || AddOneToFirstStore(stmt.mutable_orelse())) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<FaultPlan> FaultPlan::Parse(const std::string& options) {
  FaultPlan plan;
  if (options.empty()) return plan;
  const auto json = nlohmann::json::parse(options, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the options of the selftest target are no JSON object: ", options));
  }
  for (const auto& [key, value] : json.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    bool understood = false;
    if (key == "fault") {
      if (LookUp(kDeathNames, text, &plan.death)) plan.fault = Fault::kDeath;
      understood = plan.fault == Fault::kDeath || LookUp(kFaultNames, text, &plan.fault);
    } else if (key == "stage") {
      understood = LookUp(kStageNames, text, &plan.stage);
    } else if (key == "step" || key == "after") {
      understood = value.is_number_unsigned();
    }
    if (!understood) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the selftest target does not understand the option \"", key, "\": ", value.dump()));
    }
    if (key == "step") plan.step = value.get<int>();
    if (key == "after") plan.after = value.get<uint64_t>();
  }
  return plan;
}

bool FaultPlan::IsDueAt(Stage at_stage, int at_step, uint64_t request) const {
  return fault != Fault::kNone && stage == at_stage && request >= after &&
         (stage != STAGE_PASS || step == at_step);
}

void Commit(const FaultPlan& plan) {
  switch (plan.fault) {
    case Fault::kDeath:
      CommitFault(plan.death);
      break;
    case Fault::kSleep:
      usleep(50'000);
      break;
    case Fault::kCloseSocket:
      WriteToSocket("", /*close_after=*/true);
      break;
    case Fault::kTruncatedReply:
      WriteToSocket(std::string_view("\x10\0\0\0half", 8), /*close_after=*/true);
      break;
    case Fault::kOversizedReply:
      WriteToSocket("\xff\xff\xff\xff", /*close_after=*/false);
      break;
    case Fault::kGarbledReply:
      WriteToSocket(std::string_view("\x04\0\0\0\xff\xff\xff\xff", 8), /*close_after=*/false);
      break;
    default:
      break;
  }
}

bool PlantWrongStore(Module* module) {
  return AddOneToFirstStore(module->mutable_functions(0)->mutable_body());
}

bool PlantVectorizedLoop(Module* module) {
  for (Stmt& stmt : *module->mutable_functions(0)->mutable_body()) {
    if (stmt.kind() != FOR) continue;
    stmt.set_loop_kind(VECTORIZED);
    return true;
  }
  return false;
}

void PlantWrongElement(Tensor* tensor) {
  if (!tensor->data().empty()) (*tensor->mutable_data())[0] ^= 1;
}

}  // namespace irate::selftest
