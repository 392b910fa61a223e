// A runtime for code that TVM generates, in place of TVM's own, that checks every clause of the
// contract between the two.
//
// Generated code imports nothing but the symbols listed by RuntimeSymbols() (and libm). One Runtime
// is active in the process at a time: the symbols are C functions without a context.
//
//   auto runtime = Runtime::Create(options);   // once
//   runtime->Begin();                          // per run
//   ... call generated code ...
//   runtime->Finish(returned);                 // reports what is only known at the end
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/errors.h"
#include "execution/contract/observer.h"
#include "execution/contract/packed_calls.h"
#include "execution/contract/parallel.h"
#include "execution/contract/race.h"
#include "execution/contract/region.h"
#include "execution/contract/report.h"
#include "execution/contract/workspace.h"

namespace irate::contract {

struct RuntimeOptions {
  WorkspaceOptions workspace;
  ParallelOptions parallel;
  Fault fault = Fault::kNone;
};

class Runtime {
 public:
  static absl::StatusOr<std::unique_ptr<Runtime>> Create(const RuntimeOptions& options = {});
  ~Runtime();

  // Makes this the active runtime, in its initial state. FailedPrecondition if another is active.
  absl::Status Begin();
  // Checks what can only be checked after the function returned `result`, and is no longer active.
  // With `aborted` the function did not return: leaks and missing errors are then no violations.
  void Finish(int result, bool aborted = false);
  // The options of the next launches.
  void set_parallel(const ParallelOptions& options);
  void set_observer(MemoryObserver* observer);
  void set_task_guard(ParallelLauncher::TaskGuard guard);

  // Makes the functions of ir/external.h known by their names, with what they read.
  void RegisterExternalFunctions();

  RegionMap& regions() { return regions_; }
  PackedCalls& packed() { return *packed_; }
  ErrorState& errors() { return errors_; }
  WorkspaceHeap& workspaces() { return *workspaces_; }
  ParallelLauncher& launcher() { return *launcher_; }
  RaceDetector& races() { return races_; }
  MemoryObserver* observer() { return observer_; }

  // In order of occurrence; a clause broken again by the same call is counted once.
  std::vector<ContractReport> TakeReports();
  void Report(ContractReport report);
  // Whether options.fault has changed anything in this run.
  bool fault_triggered() const;

  static Runtime* Active();

 private:
  explicit Runtime(const RuntimeOptions& options);
  ReportSink Sink();

  RuntimeOptions options_;
  RegionMap regions_;
  std::mutex mutex_;
  std::vector<ContractReport> reports_;
  ErrorState errors_;
  RaceDetector races_;
  MemoryObserver* observer_ = nullptr;
  ParallelLauncher::TaskGuard task_guard_;
  std::unique_ptr<WorkspaceHeap> workspaces_;
  std::unique_ptr<ParallelLauncher> launcher_;
  std::unique_ptr<PackedCalls> packed_;
};

struct RuntimeSymbol {
  std::string_view name;  // "TVMBackendParallelLaunch"
  void* address;
};
// What generated code may import. It reaches them by name, or through a pointer variable of the
// module called "__" + name that the loader fills in.
const std::vector<RuntimeSymbol>& RuntimeSymbols();

}  // namespace irate::contract
