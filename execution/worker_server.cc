#include "execution/worker_server.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "execution/planted_fault.h"
#include "execution/printable.h"
#include "execution/protocol.pb.h"
#include "ir/builder.h"
#include "ir/measure.h"
#include "ir/verify.h"

namespace irate {
namespace {

// B[i] = A[i] + 1 over 16 elements.
Case SmallCase() {
  using namespace build;  // NOLINT(google-build-using-namespace): the builders' own purpose
  Case test_case;
  test_case.set_version(1);
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  const uint32_t i = AddVariable(function, "i", I32);
  const uint32_t a = AddBuffer(function, "A", I32, {I32Const(16)});
  const uint32_t b = AddBuffer(function, "B", I32, {I32Const(16)});
  AddBufferParam(function, a);
  AddBufferParam(function, b);
  const Expr index = Var(*function, i);
  *function->add_body() =
      For(i, I32Const(0), I32Const(16), SERIAL,
          {Store(b, Binary(ADD, Load(*function, a, {index}), I32Const(1)), {index})});
  return test_case;
}

// What a compiler says may be cut in the middle of a character, which a Reply cannot carry.
void MakePrintable(Failure* failure) {
  failure->set_message(Printable(failure->message()));
  for (std::string& frame : *failure->mutable_frames()) frame = Printable(frame);
}

// The harness reads no message that is nested deeper than a module may be (ir/wire.h).
void DropTooDeep(VariantObservation* observation) {
  for (auto* steps : {observation->mutable_schedule_steps(), observation->mutable_steps()}) {
    for (StepObservation& step : *steps) {
      if (!step.has_lifted()) continue;
      if (const int depth = MeasureModule(step.lifted()).depth; depth > kMaxDepth) {
        step.clear_lifted();
        step.set_lift_failure(
            absl::StrCat("the module is nested ", depth, " deep; the limit is ", kMaxDepth));
      }
    }
  }
}

void ResetProgress(Progress* progress, uint64_t sequence) {
  progress->stage.store(STAGE_NONE);
  progress->step.store(-1);
  progress->pass[0] = '\0';
  progress->sequence.store(sequence);
}

void Serve(Target& target, const Request& request, Progress* progress, Reply* reply) {
  switch (request.request_case()) {
    case Request::kRun: {
      const RunRequest& run = request.run();
      *reply->mutable_observation() = target.Run(run.test_case(), run.spec(), run.passes(),
                                                 {.lift = run.lift(),
                                                  .run_native = run.run_native(),
                                                  .sanitize = run.sanitize(),
                                                  .check_well_formed = run.check_well_formed(),
                                                  .repeat = run.repeat(),
                                                  .fault_rules = run.fault_rules()},
                                                 progress);
      DropTooDeep(reply->mutable_observation());
      if (reply->observation().has_failure()) {
        MakePrintable(reply->mutable_observation()->mutable_failure());
      }
      break;
    }
    case Request::kPrint: {
      const PrintRequest& print = request.print();
      absl::StatusOr<std::string> text =
          target.PrintNative(print.test_case(), print.spec(), print.passes(), print.steps());
      if (text.ok()) {
        reply->set_text(Printable(*text));
      } else {
        reply->set_error(Printable(text.status().ToString()));
      }
      break;
    }
    case Request::kDefaultPasses: {
      absl::StatusOr<PassSequence> passes =
          target.DefaultPasses(request.default_passes().spec(), request.default_passes().config());
      if (passes.ok()) {
        *reply->mutable_passes() = *std::move(passes);
      } else {
        reply->set_error(Printable(passes.status().ToString()));
      }
      break;
    }
    case Request::kFault:
      CommitFault(request.fault().kind());
      break;
    case Request::kAnalysis: {
      absl::StatusOr<AnalysisBatchAnswers> answers = target.Analyze(request.analysis(), progress);
      if (answers.ok()) {
        *reply->mutable_analysis() = *std::move(answers);
      } else {
        reply->set_error(Printable(answers.status().ToString()));
      }
      break;
    }
    case Request::REQUEST_NOT_SET:
      reply->set_error("the request asks for nothing that this worker knows");
      break;
  }
}

}  // namespace

absl::Status ServeRequests(Target& target, Channel& channel, SharedPage* page) {
  while (true) {
    Request request;
    absl::Status status = channel.Receive(&request);
    if (absl::IsUnavailable(status)) return absl::OkStatus();
    if (!status.ok()) return status;
    ResetProgress(&page->progress, request.sequence());
    Reply reply;
    reply.set_sequence(request.sequence());
    Serve(target, request, &page->progress, &reply);
    page->progress.stage.store(STAGE_NONE);
    status = channel.Send(reply);
    if (absl::IsOutOfRange(status)) {
      Reply refusal;
      refusal.set_sequence(request.sequence());
      refusal.set_error(std::string(status.message()));
      status = channel.Send(refusal);
    }
    if (absl::IsUnavailable(status)) return absl::OkStatus();
    if (!status.ok()) return status;
  }
}

void WarmUp(Target& target) {
  const Case test_case = SmallCase();
  Progress progress;
  for (const TargetSpec& spec : target.DefaultSpecs()) {
    const absl::StatusOr<PassSequence> passes = target.DefaultPasses(spec);
    if (!passes.ok()) continue;
    target.Run(test_case, spec, *passes, {.lift = true, .run_native = false}, &progress);
  }
}

}  // namespace irate
