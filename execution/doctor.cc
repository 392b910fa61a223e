#include "execution/doctor.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "execution/protocol.pb.h"
#include "execution/timer.h"
#include "fmt/format.h"
#include "ir/builder.h"
#include "ir/compare.h"
#include "ir/interpreter.h"

namespace irate {
namespace {

constexpr int kElements = 16;
constexpr int kRoundTrips = 200;
constexpr int kRespawns = 10;
// Of the worker that is driven to its limits: a right program needs neither.
constexpr std::chrono::milliseconds kShortDeadline{1'000};
constexpr uint64_t kMemoryLimit = uint64_t{256} << 20;

// B[i] = A[i] `op` 3 for i in [0, extent), over buffers of kElements.
Case ArithmeticCase(Op op, int extent) {
  Case test_case;
  test_case.set_version(1);
  test_case.mutable_inputs()->set_seed(1);
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  const uint32_t i = build::AddVariable(function, "i", I32);
  const uint32_t a = build::AddBuffer(function, "A", I32, {build::I32Const(kElements)});
  const uint32_t b = build::AddBuffer(function, "B", I32, {build::I32Const(kElements)});
  build::AddBufferParam(function, a);
  build::AddBufferParam(function, b);
  const Expr index = build::Var(*function, i);
  const Expr value = build::Binary(op, build::Load(*function, a, {index}), build::I32Const(3));
  *function->add_body() = build::For(i, build::I32Const(0), build::I32Const(extent), SERIAL,
                                     {build::Store(b, value, {index})});
  return test_case;
}

std::string Describe(const Failure& failure) {
  std::string text = Failure::Kind_Name(failure.kind());
  if (failure.kind() != Failure::NONE) text += fmt::format(", {}", failure.message());
  if (failure.frames_size() != 0) text += fmt::format(", in {}", failure.frames(0));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class Doctor {
 public:
  Doctor(const WorkerOptions& options, DoctorReport* report) : options_(options), report_(report) {}

  void Run() {
    report_->target = options_.target;
    if (!CheckStart()) return;
    CheckThreads();
    CheckProgram();
    CheckFault("crash", *worker_, FaultRequest::SEGV, Failure::SIGNAL, SIGSEGV);
    CheckFault("crash", *worker_, FaultRequest::ABORT, Failure::SIGNAL, SIGABRT);
    CheckFault("stack-overflow", *worker_, FaultRequest::STACK_OVERFLOW, Failure::SIGNAL, SIGSEGV);
    CheckLimits();
    CheckOutOfBounds();
    CheckMiscompile();
    Measure();
  }

 private:
  // Several results under one name count as one check, which passes if all do.
  void Add(const std::string& name, bool passed, const std::string& detail) {
    if (!report_->checks.empty() && report_->checks.back().name == name) {
      DoctorCheck& check = report_->checks.back();
      check.passed &= passed;
      check.detail += "; " + detail;
      return;
    }
    report_->checks.push_back({name, passed, detail});
  }

  bool CheckStart() {
    absl::StatusOr<std::unique_ptr<WorkerClient>> worker = WorkerClient::Start(options_);
    if (!worker.ok()) {
      Add("start", false, std::string(worker.status().message()));
      return false;
    }
    worker_ = *std::move(worker);
    report_->start_ms = worker_->stats().zygote_start_ms;
    report_->target_version = worker_->hello().target_version();
    Add("start", true, fmt::format("{} {}", options_.target, report_->target_version));
    return true;
  }

  void CheckThreads() {
    const uint32_t threads = worker_->hello().threads();
    Add("threads", threads == 1, fmt::format("{} before the fork", threads));
  }

  // With the default passes of the target's first spec.
  absl::StatusOr<VariantObservation> RunNative(const Case& test_case) {
    const auto& specs = worker_->hello().default_specs();
    if (specs.empty()) return absl::FailedPreconditionError("the target has no default spec");
    const absl::StatusOr<PassSequence> passes = worker_->DefaultPasses(specs[0]);
    if (!passes.ok()) return passes.status();
    return worker_->Run(test_case, specs[0], *passes, {});
  }

  void CheckProgram() {
    const Case test_case = ArithmeticCase(MUL, kElements);
    const absl::StatusOr<VariantObservation> seen = RunNative(test_case);
    if (!seen.ok()) return Add("sound", false, std::string(seen.status().message()));
    if (seen->failure().kind() != Failure::NONE) {
      return Add("sound", false, Describe(seen->failure()));
    }
    int lifted = 0;
    for (const StepObservation& step : seen->steps()) {
      if (!step.has_lifted()) continue;
      ++lifted;
      if (const std::string difference = LiftedDifference(test_case, step); !difference.empty()) {
        return Add("sound", false, fmt::format("after '{}': {}", step.pass(), difference));
      }
    }
    const std::string difference = NativeDifference(test_case, *seen);
    if (!difference.empty()) return Add("sound", false, "when run: " + difference);
    Add("sound", lifted > 0, fmt::format("{} modules lifted and one run, all right", lifted));
  }

  // Empty if the step means what the Case means.
  static std::string LiftedDifference(const Case& test_case, const StepObservation& step) {
    const absl::StatusOr<Interpretation> expected =
        Interpret(test_case.module(), test_case.inputs());
    const absl::StatusOr<Interpretation> actual =
        Interpret(step.lifted(), test_case.inputs(),
                  {.mode = InterpretOptions::Mode::kPassResult,
                   .signature = &test_case.module().functions(0)});
    if (!expected.ok()) return std::string(expected.status().message());
    if (!actual.ok()) return std::string(actual.status().message());
    if (actual->status() != Interpretation::DEFINED) return actual->reason();
    const std::optional<Difference> difference = Compare(*expected, *actual);
    return difference.has_value() ? difference->ToString() : "";
  }

  static std::string NativeDifference(const Case& test_case, const VariantObservation& seen) {
    const absl::StatusOr<Interpretation> expected =
        Interpret(test_case.module(), test_case.inputs());
    if (!expected.ok()) return std::string(expected.status().message());
    const std::optional<Difference> difference =
        Compare(*expected, std::vector<Tensor>(seen.outputs().begin(), seen.outputs().end()));
    return difference.has_value() ? difference->ToString() : "";
  }

  void CheckFault(const std::string& name, WorkerClient& worker, FaultRequest::Kind fault,
                  Failure::Kind kind, int signal) {
    FaultRequest request;
    request.set_kind(fault);
    const absl::StatusOr<Failure> failure = worker.PlantFault(request);
    if (!failure.ok()) return Add(name, false, std::string(failure.status().message()));
    const bool recognised =
        fault != FaultRequest::STACK_OVERFLOW || failure->message().ends_with("stack overflow");
    request.set_kind(FaultRequest::NONE);
    const absl::StatusOr<Failure> next = worker.PlantFault(request);
    const bool recovered = next.ok() && next->kind() == Failure::NONE;
    Add(name,
        failure->kind() == kind && failure->signal() == signal && failure->frames_size() != 0 &&
            recognised && recovered,
        Describe(*failure) + (recovered ? "" : ", and no worker after it"));
  }

  void CheckLimits() {
    WorkerOptions options = options_;
    options.deadline = std::min(options.deadline, kShortDeadline);
    options.memory_limit = kMemoryLimit;
    const absl::StatusOr<std::unique_ptr<WorkerClient>> worker = WorkerClient::Start(options);
    if (!worker.ok()) return Add("hang", false, std::string(worker.status().message()));
    CheckFault("hang", **worker, FaultRequest::HANG, Failure::HANG, 0);
    CheckFault("memory", **worker, FaultRequest::OUT_OF_MEMORY, Failure::OUT_OF_MEMORY, 0);
  }

  void CheckOutOfBounds() {
    const absl::StatusOr<VariantObservation> seen = RunNative(ArithmeticCase(MUL, kElements + 1));
    if (!seen.ok()) return Add("out-of-bounds", false, std::string(seen.status().message()));
    const Failure& failure = seen->failure();
    const bool died = failure.kind() == Failure::SIGNAL || failure.kind() == Failure::SANITIZER;
    Add("out-of-bounds", died && failure.stage() == STAGE_RUN, Describe(failure));
  }

  void CheckMiscompile() {
    const Case test_case = ArithmeticCase(MUL, kElements);
    const absl::StatusOr<VariantObservation> seen = RunNative(ArithmeticCase(ADD, kElements));
    if (!seen.ok()) return Add("miscompile", false, std::string(seen.status().message()));
    if (seen->steps_size() == 0 || !seen->steps(0).has_lifted()) {
      return Add("miscompile", false, "no module was lifted");
    }
    const std::string lifted = LiftedDifference(test_case, seen->steps(0));
    const std::string native = NativeDifference(test_case, *seen);
    Add("miscompile", !lifted.empty() && !native.empty(),
        fmt::format("as lifted: {}; when run: {}", lifted, native));
  }

  bool AnswersEmptyRequest() {
    const absl::StatusOr<Failure> failure = worker_->PlantFault(FaultRequest());
    return failure.ok() && failure->kind() == Failure::NONE;
  }

  void Measure() {
    const Timer round_trips;
    for (int i = 0; i < kRoundTrips; ++i) {
      if (!AnswersEmptyRequest()) return;
    }
    report_->round_trip_us = round_trips.Ms() * 1000 / kRoundTrips;
    const Timer respawns;
    for (int i = 0; i < kRespawns; ++i) {
      worker_->Restart();
      if (!AnswersEmptyRequest()) return;
    }
    report_->respawn_ms = respawns.Ms() / kRespawns;
  }

  const WorkerOptions& options_;
  DoctorReport* const report_;
  std::unique_ptr<WorkerClient> worker_;
};

}  // namespace

bool DoctorReport::ok() const {
  return !checks.empty() && std::ranges::all_of(checks, &DoctorCheck::passed);
}

const DoctorCheck* DoctorReport::Find(const std::string& name) const {
  const auto check = std::ranges::find(checks, name, &DoctorCheck::name);
  return check == checks.end() ? nullptr : &*check;
}

std::string DoctorReport::ToText() const {
  std::string text = fmt::format("{} {}\n", target, target_version);
  for (const DoctorCheck& check : checks) {
    text += fmt::format("  {:<4}  {:<14}  {}\n", check.passed ? "ok" : "FAIL", check.name,
                        check.detail);
  }
  if (start_ms != 0) {
    text += fmt::format("  start {:.0f} ms, respawn {:.1f} ms, empty request {:.0f} us\n", start_ms,
                        respawn_ms, round_trip_us);
  }
  return text;
}

DoctorReport RunDoctor(const WorkerOptions& options) {
  DoctorReport report;
  Doctor(options, &report).Run();
  return report;
}

}  // namespace irate
