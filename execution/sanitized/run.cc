#include "execution/sanitized/run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "execution/contract/runtime.h"
#include "execution/sanitized/check_runtime.h"
#include "execution/sanitized/explain.h"
#include "execution/sanitized/fault_guard.h"
#include "execution/sanitized/session.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::sanitized {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// Shadow outlives runs: reserving it is slower than clearing it.
ShadowMemory& ProcessShadow() {
  static auto* shadow = new ShadowMemory();
  return *shadow;
}

// One run, from arguments to reports.
class Run {
 public:
  Run(const RunOptions& options, const RunnableCode& code)
      : options_(options),
        prepared_(code.prepared),
        image_(code.image),
        sites_(code.sites),
        library_context_(code.library_context),
        tracks_initialisation_(code.tracks_initialisation) {}

  absl::Status SetUp(std::span<const contract::Argument> arguments) {
    contract::RuntimeOptions options;
    options.parallel = options_.parallel;
    options.parallel.barriers = prepared_.has_barrier;
    options.fault = options_.fault;
    IRATE_ASSIGN_OR_RETURN(runtime_, contract::Runtime::Create(options));
    IRATE_ASSIGN_OR_RETURN(buffers_,
                           contract::HostBuffers::Create(arguments, &runtime_->regions()));
    runtime_->RegisterExternalFunctions();
    for (const auto& [name, callee] : options_.packed) runtime_->packed().Register(name, callee);
    runtime_->packed().set_module_lookup([this](const std::string& name) { return LookUp(name); });
    if (library_context_ != nullptr) *library_context_ = runtime_->packed().library_context();
    ProcessShadow().Reset();
    const bool threads = options_.parallel.order == contract::TaskOrder::kThreads;
    session_ = std::make_unique<Session>(SessionOptions{options_.max_memory_errors, threads},
                                         runtime_.get(), &ProcessShadow());
    session_->NoteRaggedRegions();
    if (tracks_initialisation_) runtime_->set_observer(session_.get());
    runtime_->set_task_guard([this](const std::function<int()>& task) { return Guard(task); });
    arguments_ = arguments;
    PoisonUninitialised();
    return runtime_->Begin();
  }

  void Call(contract::PackedFunction function) {
    CallFrame frame{buffers_->arguments(), buffers_->size(), buffers_.get()};
    if (options_.mutate) options_.mutate(frame);
    contract::PackedAny value;
    session_->OnInitialised(reinterpret_cast<uintptr_t>(&value), sizeof(value));
    const Clock::time_point start = Clock::now();
    int returned = 0;
    const GuardOutcome outcome = RunGuarded([&] {
      ClearCallState();
      returned = function(nullptr, frame.args, frame.num_args, &value);
    });
    result_.run_ms = Milliseconds(start);
    Note(outcome);
    result_.completed = !ended_;
    result_.returned = returned;
    runtime_->Finish(returned, ended_);
  }

  RunResult TakeResult() {
    Explainer explainer(image_, sites_, runtime_->regions());
    bool damage = false;
    for (const Event& event : session_->TakeEvents()) {
      result_.reports.push_back(explainer.Explain(event));
      const Report& report = result_.reports.back();
      damage |= IsMemoryError(report.kind) && report.is_write;
    }
    for (const GuardOutcome& fault : faults_) {
      result_.reports.push_back(explainer.ExplainFault(fault));
    }
    DropConsequences();
    // A write that was caught in the act explains the bytes that it changed.
    if (!damage) {
      buffers_->CheckUntouched(
          [this](contract::ContractReport report) { runtime_->Report(std::move(report)); });
    }
    for (const contract::ContractReport& broken : runtime_->TakeReports()) {
      if (damage && broken.clause == contract::Clause::kRedZone) continue;
      result_.reports.push_back(explainer.Explain(broken));
    }
    if (tracks_initialisation_ && result_.completed && result_.returned == 0) {
      ReportUninitialisedOutputs(explainer);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].tensor) {
        result_.contents.push_back(buffers_->Contents(static_cast<int>(i)));
      }
    }
    result_.error = runtime_->errors().Get();
    result_.fault_triggered = runtime_->fault_triggered();
    return std::move(result_);
  }

 private:
  // A parallel task, on whatever thread.
  int Guard(const std::function<int()>& task) {
    int returned = -1;
    const GuardOutcome outcome = RunGuarded([&] {
      ClearCallState();
      returned = task();
    });
    Note(outcome);
    return outcome.completed ? returned : -1;
  }

  void Note(const GuardOutcome& outcome) {
    if (outcome.completed) return;
    std::lock_guard lock(mutex_);
    ended_ = true;
    if (outcome.signal != 0) faults_.push_back(outcome);
  }

  // A pointer to nowhere is misaligned by accident.
  void DropConsequences() {
    std::vector<Report>& reports = result_.reports;
    std::erase_if(reports, [&](const Report& report) {
      if (report.kind != ReportKind::kMisaligned || !report.buffer.empty()) return false;
      return std::any_of(reports.begin(), reports.end(), [&](const Report& other) {
        return other.kind == ReportKind::kWildAccess && other.statement == report.statement;
      });
    });
  }

  std::optional<contract::ModuleFunction> LookUp(const std::string& name) {
    for (const std::string& candidate : {"__tvm_ffi_" + name, name}) {
      for (const std::string& packed : prepared_.packed_functions) {
        if (packed != candidate) continue;
        return contract::ModuleFunction{
            reinterpret_cast<contract::PackedFunction>(image_.Lookup(packed)), true, ""};
      }
      for (const auto& [other, type] : prepared_.other_functions) {
        if (other == candidate) {
          return contract::ModuleFunction{nullptr, false, fmt::format("a function {}", type)};
        }
      }
    }
    return std::nullopt;
  }

  void PoisonUninitialised() {
    if (!tracks_initialisation_) return;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].tensor || !arguments_[i].tensor->contents.empty()) continue;
      const size_t element = contract::ElementBytes(arguments_[i].tensor->type);
      const auto tensor = buffers_->tensor(static_cast<int>(i));
      const uintptr_t begin = reinterpret_cast<uintptr_t>(tensor->data) + tensor->byte_offset;
      buffers_->VisitElements(static_cast<int>(i), [&](uintptr_t address) {
        Origin origin;
        origin.kind = Origin::Kind::kArgument;
        origin.address = begin;
        ProcessShadow().Poison(address, element, session_->AddOrigin(origin));
      });
    }
  }

  void ReportUninitialisedOutputs(Explainer& explainer) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].tensor) continue;
      const size_t element = contract::ElementBytes(arguments_[i].tensor->type);
      struct Found {
        uintptr_t address = 0;
        int64_t element = 0;
        int64_t count = 0;
      };
      std::map<uint32_t, Found> by_origin;
      int64_t number = 0;
      buffers_->VisitElements(static_cast<int>(i), [&](uintptr_t address) {
        uint32_t origin = 0;
        if (ProcessShadow().FirstPoisoned(address, element, &origin) != 0) {
          Found& found = by_origin[origin];
          if (found.count++ == 0) found = {address, number, 1};
        }
        ++number;
      });
      for (const auto& [origin, found] : by_origin) {
        const Origin source = session_->GetOrigin(origin);
        // An output that the caller did not fill and the function did not write is no result.
        result_.reports.push_back(
            explainer.ExplainOutput(source, found.address, found.element, found.count));
      }
    }
  }

  const RunOptions& options_;
  const PreparedModule& prepared_;
  const JitImage& image_;
  SiteDescriber& sites_;
  void** library_context_;
  bool tracks_initialisation_;
  std::span<const contract::Argument> arguments_;
  std::unique_ptr<contract::Runtime> runtime_;
  std::unique_ptr<contract::HostBuffers> buffers_;
  std::unique_ptr<Session> session_;
  RunResult result_;
  std::mutex mutex_;
  bool ended_ = false;
  std::vector<GuardOutcome> faults_;
};

}  // namespace

absl::StatusOr<RunResult> RunOnce(const RunnableCode& code, contract::PackedFunction function,
                                  std::span<const contract::Argument> arguments,
                                  const RunOptions& options) {
  Run run(options, code);
  IRATE_RETURN_IF_ERROR(run.SetUp(arguments));
  run.Call(function);
  return run.TakeResult();
}

}  // namespace irate::sanitized
