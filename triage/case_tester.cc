#include "triage/case_tester.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "triage/finding_probe.h"

namespace irate {
namespace {

class OneAtATime : public CaseTester {
 public:
  explicit OneAtATime(std::function<absl::StatusOr<bool>(const Case&)> keeps)
      : keeps_(std::move(keeps)) {}
  size_t width() const override { return 1; }
  absl::StatusOr<std::vector<std::optional<bool>>> Ask(std::span<const Case> candidates) override {
    std::vector<std::optional<bool>> answers(candidates.size());
    for (size_t i = 0; i < candidates.size(); ++i) {
      const absl::StatusOr<bool> kept = keeps_(candidates[i]);
      if (!kept.ok()) return kept.status();
      answers[i] = *kept;
      if (*kept) break;
    }
    return answers;
  }

 private:
  std::function<absl::StatusOr<bool>(const Case&)> keeps_;
};

// A thread that runs one task at a time.
class Lane {
 public:
  Lane() : thread_([this] { Loop(); }) {}
  ~Lane() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void Start(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !task_; });
  }

 private:
  void Loop() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return task_ || ends_; });
      if (!task_) return;
      const std::function<void()> task = task_;
      lock.unlock();
      task();
      lock.lock();
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  bool ends_ = false;
  std::thread thread_;  // last: it uses the others
};

class ProbeTester : public CaseTester {
 public:
  ProbeTester(int jobs, int trials)
      : probes_(static_cast<size_t>(jobs)), lanes_(static_cast<size_t>(jobs)), trials_(trials) {}
  ~ProbeTester() override {
    // Workers end in the thread that started them.
    ForEachLane([this](size_t i) { probes_[i].reset(); }, lanes_.size());
  }

  absl::Status Start(const HarnessOptions& options, const Case& original, const Finding& finding,
                     const PassMap* pass_map) {
    std::vector<absl::Status> statuses(lanes_.size());
    ForEachLane(
        [&](size_t i) {
          absl::StatusOr<std::unique_ptr<FindingProbe>> probe =
              FindingProbe::Create(options, original, finding, pass_map);
          statuses[i] = probe.status();
          if (probe.ok()) probes_[i] = *std::move(probe);
        },
        lanes_.size());
    for (const absl::Status& status : statuses) {
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  size_t width() const override { return lanes_.size(); }

  absl::StatusOr<std::vector<std::optional<bool>>> Ask(std::span<const Case> candidates) override {
    std::vector<std::optional<bool>> answers(candidates.size());
    for (size_t begin = 0; begin < candidates.size(); begin += lanes_.size()) {
      const size_t count = std::min(lanes_.size(), candidates.size() - begin);
      std::vector<absl::StatusOr<bool>> kept(count, false);
      ForEachLane([&](size_t i) { kept[i] = probes_[i]->Shows(candidates[begin + i], trials_); },
                  count);
      bool any = false;
      for (size_t i = 0; i < count; ++i) {
        if (!kept[i].ok()) return kept[i].status();
        answers[begin + i] = *kept[i];
        any |= *kept[i];
      }
      if (any) break;
    }
    return answers;
  }

 private:
  void ForEachLane(const std::function<void(size_t)>& task, size_t count) {
    for (size_t i = 0; i < count; ++i) lanes_[i].Start([&task, i] { task(i); });
    for (size_t i = 0; i < count; ++i) lanes_[i].Wait();
  }

  std::vector<std::unique_ptr<FindingProbe>> probes_;
  std::vector<Lane> lanes_;
  const int trials_;
};

}  // namespace

std::unique_ptr<CaseTester> MakeCaseTester(std::function<absl::StatusOr<bool>(const Case&)> keeps) {
  return std::make_unique<OneAtATime>(std::move(keeps));
}

absl::StatusOr<std::unique_ptr<CaseTester>> MakeProbeTester(const HarnessOptions& options,
                                                            const Case& original,
                                                            const Finding& finding, int jobs,
                                                            int trials, const PassMap* pass_map) {
  auto tester = std::make_unique<ProbeTester>(jobs, trials);
  const absl::Status status = tester->Start(options, original, finding, pass_map);
  if (!status.ok()) return status;
  return tester;
}

}  // namespace irate
