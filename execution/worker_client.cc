#include "execution/worker_client.h"

#include <signal.h>
#include <unistd.h>

#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "execution/crash_handler.h"
#include "execution/death.h"
#include "execution/protocol.pb.h"
#include "execution/timer.h"
#include "execution/watch.h"
#include "execution/zygote_client.h"

namespace irate {
namespace {

using std::chrono::milliseconds;

// A worker that has closed its socket is about to end; its wait status says why.
constexpr milliseconds kDeathGrace{500};
constexpr milliseconds kSampleDeadline{200};

class WorkerClientImpl : public WorkerClient {
 public:
  explicit WorkerClientImpl(WorkerOptions options) : options_(std::move(options)) {}

  absl::Status EnsureWorker();

  const Hello& hello() const override { return hello_; }
  absl::StatusOr<VariantObservation> Run(const Case& test_case, const TargetSpec& spec,
                                         const PassSequence& passes,
                                         const TargetOptions& options) override;
  absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec& spec,
                                          const PassSequence& passes, int steps) override;
  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                             const PassConfig& config) override;
  absl::StatusOr<Failure> PlantFault(const FaultRequest& fault) override;
  absl::StatusOr<Analysis> Analyze(AnalysisBatch batch) override;
  void Restart() override;
  WorkerHistory history() const override { return {history_, history_->size()}; }
  int starts() const override { return stats_.spawns; }
  const WorkerStats& stats() const override { return stats_; }
  std::string log() const override {
    return zygote_ == nullptr ? "" : std::string(zygote_->log().text());
  }

 private:
  // One request answered, or how it was not: `failure` is NONE if `reply` was filled. A status is
  // an error of the harness.
  struct Answer {
    Reply reply;
    Failure failure;
  };

  absl::Status StartZygote();
  absl::StatusOr<Answer> Ask(Request* request);
  // Errors as in Death::cause.
  absl::Status Exchange(const Request& request, Reply* reply);
  Failure Bury(const absl::Status& cause);
  std::vector<uint64_t> SampleHang();
  void Count(const VariantObservation& observation);
  void CountWorkerTime();
  void Remember(RunRequest* run);
  // For requests whose answer is a value: any failure as a status.
  absl::StatusOr<Reply> AskForValue(Request* request, const char* what);

  WorkerOptions options_;
  Hello hello_;
  WorkerStats stats_;
  std::unique_ptr<ZygoteClient> zygote_;
  std::unique_ptr<WorkerProcess> worker_;
  uint64_t sequence_ = 0;
  uint32_t served_ = 0;                 // by this worker
  std::chrono::nanoseconds counted_{};  // of its processor time
  std::shared_ptr<std::vector<Case>> history_ = std::make_shared<std::vector<Case>>();
};

absl::Status WorkerClientImpl::StartZygote() {
  const Timer timer;
  absl::StatusOr<std::unique_ptr<ZygoteClient>> zygote = ZygoteClient::Start(options_);
  if (!zygote.ok()) return zygote.status();
  zygote_ = *std::move(zygote);
  hello_ = zygote_->hello();
  ++stats_.zygote_starts;
  stats_.zygote_start_ms += timer.Ms();
  return absl::OkStatus();
}

absl::Status WorkerClientImpl::EnsureWorker() {
  if (worker_ != nullptr && options_.recycle_after != 0 && served_ >= options_.recycle_after) {
    ++stats_.recycled;
    Restart();
  }
  if (worker_ != nullptr) return absl::OkStatus();
  absl::Status status;
  // A second time with a new zygote, in case something outside has killed the old one.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (zygote_ == nullptr) {
      if (absl::Status start = StartZygote(); !start.ok()) return start;
    }
    const Timer timer;
    absl::StatusOr<WorkerProcess> worker = zygote_->Spawn(options_.memory_limit);
    stats_.spawn_ms += timer.Ms();
    if (worker.ok()) {
      worker_ = std::make_unique<WorkerProcess>(*std::move(worker));
      served_ = 0;
      counted_ = worker_->probe.Running();
      history_ = std::make_shared<std::vector<Case>>();
      ++stats_.spawns;
      return absl::OkStatus();
    }
    status = worker.status();
    zygote_.reset();
  }
  return absl::Status(status.code(), absl::StrCat("cannot start a worker of '", options_.executable,
                                                  "': ", status.message()));
}

void WorkerClientImpl::Restart() {
  if (worker_ == nullptr) return;
  const Timer timer;
  const pid_t pid = worker_->pid;
  worker_.reset();
  if (!zygote_->End(pid, milliseconds(0)).ok()) zygote_.reset();
  stats_.spawn_ms += timer.Ms();
}

absl::Status WorkerClientImpl::Exchange(const Request& request, Reply* reply) {
  Watch watch(&zygote_->log(), options_.deadline);
  watch.Observe(&worker_->probe,
                options_.memory_limit == 0 ? 0 : worker_->memory_at_start + options_.memory_limit);
  if (absl::Status status = worker_->channel.Send(request, std::ref(watch)); !status.ok()) {
    return status;
  }
  // No answer meets a deadline of zero, however fast it comes.
  absl::Status status = options_.deadline > options_.deadline.zero()
                            ? worker_->channel.Receive(reply, std::ref(watch))
                            : absl::DeadlineExceededError("");
  if (status.ok() && reply->sequence() != request.sequence()) {
    return absl::DataLossError(absl::StrCat("it answered request ", reply->sequence(),
                                            " instead of ", request.sequence()));
  }
  if (absl::IsDeadlineExceeded(status)) {
    return absl::DeadlineExceededError(
        absl::StrCat("no answer within ", options_.deadline.count(), " ms"));
  }
  return status;
}

std::vector<uint64_t> WorkerClientImpl::SampleHang() {
  const CrashRecord& sample = worker_->page->sample;
  kill(worker_->pid, kSampleSignal);
  const Timer timer;
  while (sample.complete.load() == 0 && timer.Ms() < static_cast<double>(kSampleDeadline.count())) {
    usleep(1000);
  }
  return sample.Addresses();
}

Failure WorkerClientImpl::Bury(const absl::Status& cause) {
  ++stats_.deaths;
  const Timer timer;
  Death death;
  death.cause = cause;
  const bool ends_by_itself = absl::IsUnavailable(cause) || absl::IsDataLoss(cause);
  std::vector<uint64_t> sample;
  if (!ends_by_itself && zygote_ != nullptr) sample = SampleHang();
  const absl::StatusOr<ZygoteReply> end =
      zygote_->End(worker_->pid, ends_by_itself ? kDeathGrace : milliseconds(0));
  std::vector<uint64_t> addresses = worker_->page->crash.Addresses();
  if (addresses.empty()) addresses = std::move(sample);
  if (end.ok()) {
    death.wait_status = end->wait_status();
    death.killed_by_us = end->killed();
    absl::StatusOr<std::vector<std::string>> frames = zygote_->Symbolize(addresses);
    if (frames.ok()) death.frames = *std::move(frames);
  }
  zygote_->log().Drain();
  death.log = zygote_->log().text();
  Failure failure = DescribeDeath(death, *worker_->page.get());
  worker_.reset();
  if (!end.ok()) zygote_.reset();
  stats_.spawn_ms += timer.Ms();
  return failure;
}

absl::StatusOr<WorkerClientImpl::Answer> WorkerClientImpl::Ask(Request* request) {
  Answer answer;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (absl::Status status = EnsureWorker(); !status.ok()) return status;
    request->set_sequence(++sequence_);
    zygote_->log().Drain();
    zygote_->log().Clear();
    const Timer timer;
    const absl::Status status = Exchange(*request, &answer.reply);
    if (status.ok()) {
      zygote_->log().Drain();
      ++stats_.requests;
      ++served_;
      stats_.round_trip_ms += timer.Ms();
      CountWorkerTime();
      answer.failure.Clear();
      return answer;
    }
    if (absl::IsOutOfRange(status)) {
      // Nothing was sent, and the worker is fine.
      answer.failure.set_kind(Failure::HARNESS);
      answer.failure.set_message(std::string(status.message()));
      return answer;
    }
    const bool was_idle = worker_->page->progress.sequence.load() != request->sequence();
    answer.failure = Bury(status);
    if (!was_idle || !absl::IsUnavailable(status)) break;
  }
  ++stats_.requests;
  return answer;
}

void WorkerClientImpl::Remember(RunRequest* run) {
  Case served = std::move(*run->mutable_test_case());
  served.clear_targets();
  *served.add_targets() = std::move(*run->mutable_spec());
  *served.mutable_passes() = std::move(*run->mutable_passes());
  history_->push_back(std::move(served));
}

void WorkerClientImpl::CountWorkerTime() {
  const std::chrono::nanoseconds running = worker_->probe.Running();
  stats_.worker_ms += std::chrono::duration<double, std::milli>(running - counted_).count();
  counted_ = running;
}

void WorkerClientImpl::Count(const VariantObservation& observation) {
  for (const auto* steps : {&observation.schedule_steps(), &observation.steps()}) {
    for (const StepObservation& step : *steps) {
      stats_.compiler_ms += step.compiler_ms();
      stats_.lift_ms += step.lift_ms();
    }
  }
  stats_.compiler_ms += observation.build_ms();
  stats_.lower_ms += observation.lower_ms();
  stats_.run_ms += observation.run_ms();
}

absl::StatusOr<VariantObservation> WorkerClientImpl::Run(const Case& test_case,
                                                         const TargetSpec& spec,
                                                         const PassSequence& passes,
                                                         const TargetOptions& options) {
  Request request;
  RunRequest* run = request.mutable_run();
  *run->mutable_test_case() = test_case;
  *run->mutable_spec() = spec;
  *run->mutable_passes() = passes;
  run->set_lift(options.lift);
  run->set_run_native(options.run_native);
  run->set_sanitize(options.sanitize);
  run->set_check_well_formed(options.check_well_formed);
  run->set_repeat(options.repeat);
  if (test_case.faults_size() != 0) run->set_fault_rules(options.fault_rules);
  absl::StatusOr<Answer> answer = Ask(&request);
  if (!answer.ok()) return answer.status();
  Remember(run);
  VariantObservation observation;
  if (answer->failure.kind() != Failure::NONE) {
    *observation.mutable_failure() = std::move(answer->failure);
  } else if (!answer->reply.error().empty()) {
    observation.mutable_failure()->set_kind(Failure::HARNESS);
    observation.mutable_failure()->set_step(-1);
    observation.mutable_failure()->set_message(answer->reply.error());
  } else {
    observation = std::move(*answer->reply.mutable_observation());
    Count(observation);
  }
  *observation.mutable_spec() = spec;
  observation.set_compiler_version(hello_.target_version());
  return observation;
}

absl::StatusOr<Reply> WorkerClientImpl::AskForValue(Request* request, const char* what) {
  absl::StatusOr<Answer> answer = Ask(request);
  if (!answer.ok()) return answer.status();
  if (answer->failure.kind() != Failure::NONE) {
    return absl::InternalError(absl::StrCat("the worker was lost while ", what, ": ",
                                            Failure::Kind_Name(answer->failure.kind()), ", ",
                                            answer->failure.message()));
  }
  if (!answer->reply.error().empty()) {
    return absl::FailedPreconditionError(absl::StrCat(what, " failed: ", answer->reply.error()));
  }
  return std::move(answer->reply);
}

absl::StatusOr<std::string> WorkerClientImpl::PrintNative(const Case& test_case,
                                                          const TargetSpec& spec,
                                                          const PassSequence& passes, int steps) {
  Request request;
  PrintRequest* print = request.mutable_print();
  *print->mutable_test_case() = test_case;
  *print->mutable_spec() = spec;
  *print->mutable_passes() = passes;
  print->set_steps(steps);
  absl::StatusOr<Reply> reply = AskForValue(&request, "printing the native module");
  if (!reply.ok()) return reply.status();
  return std::move(*reply->mutable_text());
}

absl::StatusOr<PassSequence> WorkerClientImpl::DefaultPasses(const TargetSpec& spec,
                                                             const PassConfig& config) {
  Request request;
  *request.mutable_default_passes()->mutable_spec() = spec;
  *request.mutable_default_passes()->mutable_config() = config;
  absl::StatusOr<Reply> reply = AskForValue(&request, "listing the default passes");
  if (!reply.ok()) return reply.status();
  return std::move(*reply->mutable_passes());
}

absl::StatusOr<WorkerClient::Analysis> WorkerClientImpl::Analyze(AnalysisBatch batch) {
  Request request;
  *request.mutable_analysis() = std::move(batch);
  absl::StatusOr<Answer> answer = Ask(&request);
  if (!answer.ok()) return answer.status();
  if (!answer->reply.error().empty()) return absl::FailedPreconditionError(answer->reply.error());
  return Analysis{.answers = std::move(*answer->reply.mutable_analysis()),
                  .failure = std::move(answer->failure)};
}

absl::StatusOr<Failure> WorkerClientImpl::PlantFault(const FaultRequest& fault) {
  Request request;
  *request.mutable_fault() = fault;
  absl::StatusOr<Answer> answer = Ask(&request);
  if (!answer.ok()) return answer.status();
  return std::move(answer->failure);
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerClient>> WorkerClient::Start(const WorkerOptions& options) {
  auto client = std::make_unique<WorkerClientImpl>(options);
  if (absl::Status status = client->EnsureWorker(); !status.ok()) return status;
  return client;
}

}  // namespace irate
