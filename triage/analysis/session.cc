#include "triage/analysis/session.h"

#include <algorithm>
#include <utility>

#include "ir/status_macros.h"

namespace irate::analysis {

absl::Status Session::AskRange(const std::vector<AnalysisQuestion>& questions, size_t begin,
                               size_t end, std::vector<Asked>* result) {
  while (begin < end) {
    AnalysisBatch batch;
    for (size_t i = begin; i < end; ++i) *batch.add_questions() = questions[i];
    IRATE_ASSIGN_OR_RETURN(WorkerClient::Analysis analysis, worker_.Analyze(std::move(batch)));
    if (analysis.failure.kind() == Failure::NONE) {
      for (size_t i = begin; i < end; ++i) {
        (*result)[i].answers =
            std::move(*analysis.answers.mutable_answers(static_cast<int>(i - begin)));
      }
      return absl::OkStatus();
    }
    // What came before the question that the worker was lost over was answered and lost with it.
    const auto lost =
        begin + static_cast<size_t>(std::clamp<int64_t>(analysis.failure.step(), 0,
                                                        static_cast<int64_t>(end - begin) - 1));
    IRATE_RETURN_IF_ERROR(AskRange(questions, begin, lost, result));
    (*result)[lost].failure = std::move(analysis.failure);
    begin = lost + 1;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Asked>> Session::Ask(const std::vector<AnalysisQuestion>& questions) {
  std::vector<Asked> result(questions.size());
  IRATE_RETURN_IF_ERROR(AskRange(questions, 0, questions.size(), &result));
  return result;
}

absl::StatusOr<Asked> Session::Ask(const AnalysisQuestion& question) {
  IRATE_ASSIGN_OR_RETURN(std::vector<Asked> result, Ask(std::vector{question}));
  return std::move(result[0]);
}

absl::StatusOr<Asked> Session::AskFresh(const AnalysisQuestion& question) {
  worker_.Restart();
  return Ask(question);
}

}  // namespace irate::analysis
