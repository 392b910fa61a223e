// Questions asked in a worker that may die of them.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/analysis.pb.h"

namespace irate::analysis {

struct Asked {
  AnalysisAnswers answers;
  // The worker died or hung over this question: how, and in which function. `answers` is empty.
  Failure failure;
};

class Session {
 public:
  explicit Session(WorkerClient* worker) : worker_(*worker) {}

  // One entry for each question. When the worker is lost over one, the others are asked again in
  // the next one; a question over which it is lost twice is given that failure. A status is an
  // error of the harness.
  absl::StatusOr<std::vector<Asked>> Ask(const std::vector<AnalysisQuestion>& questions);
  absl::StatusOr<Asked> Ask(const AnalysisQuestion& question);
  // In a process that was asked nothing before.
  absl::StatusOr<Asked> AskFresh(const AnalysisQuestion& question);

 private:
  absl::Status AskRange(const std::vector<AnalysisQuestion>& questions, size_t begin, size_t end,
                        std::vector<Asked>* result);

  WorkerClient& worker_;
};

}  // namespace irate::analysis
