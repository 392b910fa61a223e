#include "targets/tvm/analysis.h"

#include <chrono>
#include <cstring>
#include <string>

#include "targets/tvm/analysis_question.h"
#include "targets/tvm/errors.h"

namespace irate::tvm_target {
namespace {

using Clock = std::chrono::steady_clock;

void SetProgress(int question, const char* function, Progress* progress) {
  if (progress == nullptr) return;
  std::strncpy(progress->pass, function, sizeof(progress->pass) - 1);
  progress->step.store(question);
  progress->stage.store(STAGE_PASS);
}

// What TVM says of an analyser's answer that is no answer.
void Fail(const ffi::Error& error, int question, const char* function, AnalysisAnswer* answer) {
  answer->set_status(AnalysisAnswer::FAILED);
  *answer->mutable_failure() = DescribeError(error, STAGE_PASS, question, function);
}

// False if the scope could not be entered or left, which is the answer of all asks from there on.
template <typename Step>
bool Try(const Step& step, const char* function, int question, int first_ask,
         const AnalysisQuestion& asked, AnalysisAnswers* answers) {
  try {
    step();
    return true;
  } catch (const ffi::Error& error) {
    for (int i = first_ask; i < asked.asks_size(); ++i) {
      Fail(error, question, function, answers->mutable_answers(i));
    }
    return false;
  }
}

void AskQuestion(const AnalysisQuestion& question, int index, Progress* progress,
                 AnalysisAnswers* answers) {
  for (int i = 0; i < question.asks_size(); ++i) answers->add_answers();
  NativeQuestion native(question);
  SetProgress(index, "sym.AnalyzerBind", progress);
  if (!Try([&] { native.Prepare(); }, "sym.AnalyzerBind", index, 0, question, answers)) return;
  constexpr char kEnter[] = "sym.AnalyzerEnterConstraintContext";
  SetProgress(index, kEnter, progress);
  if (!Try([&] { native.Enter(); }, kEnter, index, 0, question, answers)) return;
  bool inside = true;
  for (int i = 0; i < question.asks_size(); ++i) {
    const AnalysisAsk& ask = question.asks(i);
    if (inside && ask.outside()) {
      inside = false;
      if (!Try([&] { native.Leave(); }, kEnter, index, i, question, answers)) return;
    }
    const char* function = AnalysisFunctionName(ask.function());
    SetProgress(index, function, progress);
    AnalysisAnswer* answer = answers->mutable_answers(i);
    const Clock::time_point start = Clock::now();
    try {
      native.Ask(ask, answer);
    } catch (const ffi::Error& error) {
      Fail(error, index, function, answer);
    }
    answer->set_compiler_us(
        std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  if (inside) {
    try {
      native.Leave();
    } catch (const ffi::Error&) {
      // It has no ask to be the answer of; the next question has an analyser of its own.
    }
  }
  native.AddNewVariables(answers);
}

}  // namespace

AnalysisBatchAnswers AskAnalyzer(const AnalysisBatch& batch, Progress* progress) {
  AnalysisBatchAnswers result;
  for (int i = 0; i < batch.questions_size(); ++i) {
    AskQuestion(batch.questions(i), i, progress, result.add_answers());
  }
  return result;
}

}  // namespace irate::tvm_target
