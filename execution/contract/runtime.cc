#include "execution/contract/runtime.h"

#include <atomic>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/external_functions.h"
#include "execution/contract/poison.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

std::atomic<Runtime*> active_runtime{nullptr};

// A loop that breaks a clause in each iteration is one violation; this bounds different ones.
constexpr size_t kMaxReports = 64;

}  // namespace

Runtime* Runtime::Active() { return active_runtime.load(std::memory_order_acquire); }

Runtime::Runtime(const RuntimeOptions& options) : options_(options), errors_(Sink()) {
  options_.workspace.fault = options.fault;
  options_.parallel.fault = options.fault;
}

ReportSink Runtime::Sink() {
  return [this](ContractReport report) { Report(std::move(report)); };
}

absl::StatusOr<std::unique_ptr<Runtime>> Runtime::Create(const RuntimeOptions& options) {
  std::unique_ptr<Runtime> runtime(new Runtime(options));
  IRATE_ASSIGN_OR_RETURN(
      runtime->workspaces_,
      WorkspaceHeap::Create(runtime->options_.workspace, &runtime->regions_, runtime->Sink()));
  IRATE_ASSIGN_OR_RETURN(runtime->packed_, PackedCalls::Create({options.fault}, &runtime->regions_,
                                                               &runtime->errors_, runtime->Sink()));
  runtime->set_parallel(runtime->options_.parallel);
  return runtime;
}

Runtime::~Runtime() {
  Runtime* self = this;
  active_runtime.compare_exchange_strong(self, nullptr);
}

void Runtime::set_parallel(const ParallelOptions& options) {
  const Fault fault = options_.fault;
  options_.parallel = options;
  options_.parallel.fault = fault;
  launcher_ = std::make_unique<ParallelLauncher>(options_.parallel, &regions_, Sink());
  launcher_->set_task_guard(task_guard_);
}

void Runtime::set_observer(MemoryObserver* observer) {
  observer_ = observer;
  packed_->set_observer(observer);
}

void Runtime::set_task_guard(ParallelLauncher::TaskGuard guard) {
  task_guard_ = std::move(guard);
  launcher_->set_task_guard(task_guard_);
}

void Runtime::RegisterExternalFunctions() {
  for (const ExternalFunction& function : ExternalFunctions()) {
    PackedCallee callee;
    callee.arity = function.arity();
    callee.type_indices.assign(static_cast<size_t>(function.arity()), kTensorPointer);
    callee.body = [this, &function](const PackedAny* args, int32_t num_args, PackedAny* result) {
      for (int32_t k = 0; k < num_args; ++k) {
        const uint64_t bytes = TensorBytes(args[k]);
        const void* poisoned = FirstPoisoned(TensorBegin(args[k]), bytes);
        if (poisoned == nullptr) continue;
        Report({Clause::kPackedArgumentMemory,
                fmt::format("argument {} of '{}' is a tensor of {} bytes that its memory does not "
                            "have: byte {} is out of bounds",
                            k, function.name, bytes,
                            static_cast<const char*>(poisoned) -
                                static_cast<const char*>(TensorBegin(args[k]))),
                k, nullptr});
        errors_.Raise("ValueError", fmt::format("'{}' cannot read its arguments", function.name));
        return -1;
      }
      const std::string wrong = RunExternal(function, args, num_args, result);
      if (!wrong.empty()) {
        errors_.Raise("ValueError", wrong);
        return -1;
      }
      for (int32_t k = function.inputs; observer_ != nullptr && k < num_args; ++k) {
        observer_->OnInitialised(reinterpret_cast<uintptr_t>(TensorBegin(args[k])),
                                 TensorBytes(args[k]));
      }
      return 0;
    };
    packed_->Register(std::string(function.name), std::move(callee));
  }
}

absl::Status Runtime::Begin() {
  Runtime* none = nullptr;
  if (!active_runtime.compare_exchange_strong(none, this)) {
    return absl::FailedPreconditionError(
        "a contract-checking runtime is already active in this process; finish its run first");
  }
  workspaces_->Reset();
  packed_->Reset();
  errors_.Reset();
  races_.Reset();
  reports_.clear();
  set_parallel(options_.parallel);
  return absl::OkStatus();
}

void Runtime::Finish(int result, bool aborted) {
  workspaces_->Finish(/*succeeded=*/result == 0 && !aborted);
  if (!aborted) errors_.Finish(result);
  packed_->Finish();
  active_runtime.store(nullptr, std::memory_order_release);
}

std::vector<ContractReport> Runtime::TakeReports() {
  std::lock_guard lock(mutex_);
  return std::exchange(reports_, {});
}

void Runtime::Report(ContractReport report) {
  std::lock_guard lock(mutex_);
  if (reports_.size() >= kMaxReports) return;
  for (const ContractReport& known : reports_) {
    if (known.clause == report.clause && known.caller == report.caller &&
        report.caller != nullptr) {
      return;
    }
  }
  reports_.push_back(std::move(report));
}

bool Runtime::fault_triggered() const {
  return workspaces_->fault_triggered() || launcher_->fault_triggered() ||
         packed_->fault_triggered();
}

}  // namespace irate::contract
