#include "fuzzers/analyzer_loop.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "generators/analysis_question.h"
#include "generators/choice.h"
#include "generators/generator.h"
#include "ir/status_macros.h"
#include "triage/analysis/judge.h"
#include "triage/analysis/session.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

// Enough that the round trip is small, few enough that a batch is over soon.
constexpr uint64_t kBatch = 64;
// Sightings of a function and kind that are always reduced, and the share of a job's time for more.
constexpr int kAlwaysReduced = 4;
constexpr double kTriageShare = 0.3;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class AnalyzerLoop {
 public:
  AnalyzerLoop(const AnalyzerFuzzOptions& options,
               const std::function<void(const AnalyzerSummary&)>& progress,
               const std::function<bool()>& stop)
      : options_(options), progress_(progress), stop_(stop) {}

  absl::StatusOr<AnalyzerSummary> Run() {
    // All workers before the first question: an error is one of the caller, and the clock starts
    // when there is something to run on.
    for (int i = 0; i < options_.jobs; ++i) {
      IRATE_ASSIGN_OR_RETURN(std::unique_ptr<WorkerClient> worker,
                             WorkerClient::Start(options_.worker));
      workers_.push_back(std::move(worker));
    }
    started_ = Clock::now();
    std::vector<std::thread> jobs;
    for (int i = 0; i < options_.jobs; ++i) {
      jobs.emplace_back([this, i] {
        const absl::Status status = Job(static_cast<uint64_t>(i));
        const std::lock_guard lock(mutex_);
        if (!status.ok() && status_.ok()) status_ = status;
        if (!status.ok()) over_ = true;
        ++finished_;
      });
    }
    Wait();
    for (std::thread& job : jobs) job.join();
    IRATE_RETURN_IF_ERROR(status_);
    Show();
    return summary_;
  }

 private:
  void Wait() {
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      Show();
      if (stop_()) {
        over_ = true;
        interrupted_ = true;
      }
      if (options_.seconds > 0 && SecondsSince(started_) >= options_.seconds) over_ = true;
      const std::lock_guard lock(mutex_);
      if (finished_ == options_.jobs) return;
    }
  }

  void Show() {
    const std::lock_guard lock(mutex_);
    summary_.seconds = SecondsSince(started_);
    summary_.interrupted = interrupted_;
    summary_.worker_deaths = 0;
    for (const auto& worker : workers_) summary_.worker_deaths += worker->stats().deaths;
    progress_(summary_);
  }

  absl::Status Job(uint64_t job) {
    analysis::Session session(workers_[job].get());
    analysis::TriageSettings triage = options_.triage;
    triage.limits.stop = [this] { return interrupted_.load(); };
    std::map<std::string, int> seen;
    double triage_seconds = 0;
    for (uint64_t batch = job; !over_; batch += static_cast<uint64_t>(options_.jobs)) {
      const uint64_t begin = batch * kBatch;
      const uint64_t end =
          options_.count == 0 ? begin + kBatch : std::min(options_.count, begin + kBatch);
      if (begin >= end) return absl::OkStatus();
      std::vector<AnalysisQuestion> questions;
      for (uint64_t i = begin; i < end; ++i) {
        ChoiceSource choice(CaseSeed(options_.seed, i));
        questions.push_back(GenerateAnalysisQuestion(choice));
      }
      IRATE_ASSIGN_OR_RETURN(const std::vector<analysis::Asked> asked, session.Ask(questions));
      AnalyzerSummary part;
      std::vector<std::pair<size_t, analysis::Wrong>> wrongs;
      for (size_t i = 0; i < questions.size(); ++i) {
        ++part.questions;
        for (const AnalysisAsk& ask : questions[i].asks()) {
          ++part.expressions;
          ++part.functions[analysis::FunctionName(ask.function())];
        }
        for (const AnalysisAnswer& answer : asked[i].answers.answers()) {
          part.compiler_seconds += answer.compiler_us() / 1e6;
        }
        for (analysis::Wrong& wrong : analysis::Judge(questions[i], asked[i], &part.checks)) {
          wrongs.emplace_back(i, std::move(wrong));
        }
      }
      part.wrong = wrongs.size();
      Add(part);
      for (auto& [index, wrong] : wrongs) {
        if (interrupted_) return absl::OkStatus();
        const std::string kind = wrong.function + " " + wrong.kind;
        const bool reduces =
            seen[kind]++ < kAlwaysReduced || triage_seconds < kTriageShare * SecondsSince(started_);
        if (!reduces) {
          const std::lock_guard lock(mutex_);
          ++summary_.not_reduced;
          continue;
        }
        const Clock::time_point start = Clock::now();
        IRATE_ASSIGN_OR_RETURN(const analysis::Triaged triaged,
                               analysis::Triage(questions[index], wrong, triage, &session));
        triage_seconds += SecondsSince(start);
        Add(triaged, SecondsSince(start));
      }
    }
    return absl::OkStatus();
  }

  void Add(const AnalyzerSummary& part) {
    const std::lock_guard lock(mutex_);
    summary_.questions += part.questions;
    summary_.expressions += part.expressions;
    summary_.wrong += part.wrong;
    summary_.compiler_seconds += part.compiler_seconds;
    summary_.checks.asks += part.checks.asks;
    summary_.checks.points += part.checks.points;
    summary_.checks.nothing += part.checks.nothing;
    summary_.checks.refused += part.checks.refused;
    summary_.checks.not_defined += part.checks.not_defined;
    summary_.checks.unreadable += part.checks.unreadable;
    for (const auto& [function, count] : part.functions) summary_.functions[function] += count;
  }

  void Add(const analysis::Triaged& triaged, double seconds) {
    const std::lock_guard lock(mutex_);
    summary_.triage_seconds += seconds;
    if (triaged.outcome == analysis::Triaged::Outcome::kNotReproduced) {
      ++summary_.not_reproduced;
      return;
    }
    AnalyzerFinding& entry = summary_.findings[triaged.finding.signature()];
    ++entry.count;
    entry.finding = triaged.finding;
    entry.known = triaged.outcome == analysis::Triaged::Outcome::kKnown;
    if (!triaged.path.empty()) entry.path = triaged.path;
    entry.reproducer_verified |= triaged.reproducer_verified;
  }

  const AnalyzerFuzzOptions& options_;
  const std::function<void(const AnalyzerSummary&)>& progress_;
  const std::function<bool()>& stop_;
  std::vector<std::unique_ptr<WorkerClient>> workers_;
  Clock::time_point started_;
  std::atomic<bool> over_{false};
  std::atomic<bool> interrupted_{false};
  std::mutex mutex_;
  AnalyzerSummary summary_;  // under mutex_, as the two below
  absl::Status status_;
  int finished_ = 0;
};

}  // namespace

uint64_t AnalyzerSummary::NewFindings() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(findings, [](const auto& entry) { return !entry.second.known; }));
}

absl::StatusOr<AnalyzerSummary> RunAnalyzerLoop(
    const AnalyzerFuzzOptions& options, const std::function<void(const AnalyzerSummary&)>& progress,
    const std::function<bool()>& stop) {
  if (options.jobs < 1) return absl::InvalidArgumentError("jobs must be at least 1");
  return AnalyzerLoop(options, progress, stop).Run();
}

}  // namespace irate
