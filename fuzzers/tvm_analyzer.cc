// libFuzzer entry point: the input's bytes are the choices of GenerateAnalysisQuestion.
//
// The compiler runs in a worker, so a crash or a hang of it is a finding and does not end the
// fuzzer. The first finding that is not in corpus/known is recorded in the folder that
// IRATE_FINDINGS names ("findings" otherwise) and ends the process, as a crash would: libFuzzer
// writes the artifact, and -fork and -ignore_crashes go on behind it. A replayed file takes the
// same path. Feedback beside the fuzzer's own coverage: hashed pairs of what was asked and
// answered.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "generators/analysis_question.h"
#include "generators/choice.h"
#include "tools/environment.h"
#include "triage/analysis/judge.h"
#include "triage/analysis/session.h"
#include "triage/analysis/triage.h"
#include "triage/finding_store.h"
#include "triage/known_findings.h"

namespace irate {
namespace {

constexpr size_t kCounters = 1 << 14;
__attribute__((section("__libfuzzer_extra_counters"), used)) uint8_t counters[kCounters];

uint64_t Mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3; }

// Operators down to a depth: rules match on the top of an expression.
uint64_t HashTop(const Expr& expr, int depth) {
  uint64_t hash = Mix(0xcbf29ce484222325, static_cast<uint64_t>(expr.op()));
  if (expr.op() == CONST) hash = Mix(hash, static_cast<uint64_t>(expr.int_value() <=> 0 < 0));
  if (depth == 0) return hash;
  for (const Expr& arg : expr.args()) hash = Mix(hash, HashTop(arg, depth - 1));
  return hash;
}

void Count(uint64_t hash) {
  uint8_t& counter = counters[(hash ^ (hash >> 32)) % kCounters];
  if (counter != UINT8_MAX) ++counter;
}

void CountFeatures(const AnalysisQuestion& question, const AnalysisAnswers& answers) {
  for (int i = 0; i < answers.answers_size(); ++i) {
    const AnalysisAsk& ask = question.asks(i);
    const AnalysisAnswer& answer = answers.answers(i);
    uint64_t hash =
        Mix(static_cast<uint64_t>(ask.function()) + 1, static_cast<uint64_t>(answer.status()));
    if (!ask.exprs().empty()) hash = Mix(hash, HashTop(ask.exprs(0), 2));
    for (const Expr& expr : answer.exprs()) hash = Mix(hash, HashTop(expr, 2));
    for (const int64_t number : answer.numbers()) {
      hash = Mix(hash, static_cast<uint64_t>(number < 0 ? 0 : number < 2 ? number + 1 : 3));
    }
    Count(hash);
  }
}

[[noreturn]] void Die(const absl::Status& status) {
  std::fprintf(stderr, "tvm_analyzer: %s\n", std::string(status.message()).c_str());
  constexpr int kEnvironment = 3;
  std::_Exit(kEnvironment);
}

class Fuzzer {
 public:
  Fuzzer() {
    const EnvironmentOptions environment;
    absl::StatusOr<WorkerOptions> worker = FindWorker(environment);
    if (!worker.ok()) Die(worker.status());
    absl::StatusOr<std::unique_ptr<WorkerClient>> client = WorkerClient::Start(*worker);
    if (!client.ok()) Die(client.status());
    client_ = *std::move(client);
    session_ = std::make_unique<analysis::Session>(client_.get());
    const char* folder = std::getenv("IRATE_FINDINGS");
    settings_.directory = folder == nullptr ? "findings" : folder;
    settings_.version = client_->hello().target_version();
    settings_.reproducer.python = FindPython(environment);
    const absl::StatusOr<KnownFindings> known = ReadKnownFindings(DefaultKnownFolder());
    if (!known.ok()) Die(known.status());
    settings_.known = Signatures(*known);
  }

  void Run(std::span<const uint8_t> bytes) {
    ChoiceSource choice(bytes);
    const AnalysisQuestion question = GenerateAnalysisQuestion(choice);
    const absl::StatusOr<analysis::Asked> asked = session_->Ask(question);
    if (!asked.ok()) Die(asked.status());
    CountFeatures(question, asked->answers);
    for (const analysis::Wrong& wrong : analysis::Judge(question, *asked, nullptr)) {
      Handle(question, wrong);
    }
  }

 private:
  void Handle(const AnalysisQuestion& question, const analysis::Wrong& wrong) {
    // Known bugs are met again and again: each of their raw forms is reduced once.
    const std::string raw = analysis::MakeFinding(question, wrong).signature();
    if (!seen_.insert(raw).second) return;
    const absl::StatusOr<analysis::Triaged> triaged =
        analysis::Triage(question, wrong, settings_, session_.get());
    if (!triaged.ok()) Die(triaged.status());
    switch (triaged->outcome) {
      case analysis::Triaged::Outcome::kKnown:
      case analysis::Triaged::Outcome::kNotReproduced:
        return;
      default:
        std::fprintf(stderr, "==%d== irate: %s\n    %s\n    %s\n    %s\n", getpid(),
                     triaged->finding.signature().c_str(), triaged->finding.summary().c_str(),
                     triaged->finding.detail().c_str(), triaged->path.c_str());
        std::abort();
    }
  }

  std::unique_ptr<WorkerClient> client_;
  std::unique_ptr<analysis::Session> session_;
  analysis::TriageSettings settings_;
  std::set<std::string> seen_;
};

}  // namespace
}  // namespace irate

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto& fuzzer = *new irate::Fuzzer;
  fuzzer.Run({data, size});
  return 0;
}
