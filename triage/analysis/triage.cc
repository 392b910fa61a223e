#include "triage/analysis/triage.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "triage/analysis/reproducer.h"
#include "triage/files.h"
#include "triage/finding_json.h"
#include "triage/run_command.h"

namespace irate::analysis {
namespace {

constexpr char kJsonName[] = "/finding.json";
constexpr size_t kMaxJson = size_t{1} << 20;

// What others build on, the most basic first.
constexpr auto kBasic = std::to_array<AnalysisFunction>(
    {MODULAR_SET, CONST_INT_BOUND, REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, INT_SET});

bool IsError(const Wrong& wrong) { return wrong.kind.starts_with("error"); }

void AddSubexpressions(const Expr& expr, std::vector<Expr>* result) {
  if (expr.args().empty()) return;
  result->push_back(expr);
  for (const Expr& arg : expr.args()) {
    // What is in the body of a Let has its variable.
    if (expr.op() != LET) AddSubexpressions(arg, result);
  }
}

// The same question to the functions that this one is made of.
std::vector<AnalysisQuestion> ToItsParts(const AnalysisQuestion& question) {
  const AnalysisFunction function = question.asks(0).function();
  const bool is_region = function >= REGION_LOWER_BOUND;
  std::vector<AnalysisQuestion> result;
  if (function == ITER_MAP_SIMPLIFY || function == SUBSPACE_DIVIDE || is_region) {
    result.push_back(question);
    AnalysisAsk* ask = result.back().mutable_asks(0);
    ask->set_function(ITER_MAP_DETECT);
    ask->clear_variables();
    if (is_region) {
      // Of each dimension the minimum; regions are of surjective maps.
      ask->clear_exprs();
      for (int i = 0; i < question.asks(0).exprs_size(); i += 2) {
        *ask->add_exprs() = question.asks(0).exprs(i);
      }
      constexpr int kSurjective = 1;
      ask->set_option(kSurjective);
    }
  }
  if (function == REGION_LOWER_BOUND || function == REGION_UPPER_BOUND) {
    result.push_back(question);
    result.back().mutable_asks(0)->set_function(REGION_STRICT_BOUND);
  }
  return result;
}

AnalysisQuestion OneAsk(const AnalysisQuestion& question, AnalysisFunction function,
                        const Expr& expr) {
  AnalysisQuestion result = question;
  result.clear_asks();
  AnalysisAsk* ask = result.add_asks();
  ask->set_function(function);
  *ask->add_exprs() = expr;
  if (function == INT_SET) {
    for (int v = 0; v < question.ranges_size(); ++v) {
      if (question.ranges(v).bound()) ask->add_variables(static_cast<uint32_t>(v));
    }
  }
  return result;
}

absl::Status RunReproducer(const std::string& folder, const ReproducerOptions& options,
                           bool* verified, std::string* output) {
  if (options.python.empty()) {
    *output = "the reproducer was not run: no Python that can import the compiler";
    return absl::OkStatus();
  }
  const absl::StatusOr<CommandResult> run =
      RunCommand({options.python, "-B", folder + "/reproducer.py"}, folder, options.deadline);
  if (!run.ok()) {
    *output = fmt::format("the reproducer was not run: {}", std::string(run.status().message()));
    return absl::OkStatus();
  }
  *verified = run->exit_code == 1;
  *output = fmt::format("{}\nexit code {}\n", run->output, run->exit_code);
  return absl::OkStatus();
}

absl::Status Record(const Reduced& reduced, const TriageSettings& settings, Triaged* result) {
  const std::string folder = settings.directory + "/" + result->finding.signature();
  FindingRecord record;
  {
    IRATE_RETURN_IF_ERROR(MakeDirectories(folder));
    const absl::StatusOr<FileLock> lock = FileLock::Take(settings.directory + "/.lock");
    if (!lock.ok()) return lock.status();
    const absl::StatusOr<std::string> text = ReadFile(folder + kJsonName, kMaxJson);
    if (text.ok()) {
      absl::StatusOr<FindingRecord> stored = FindingRecordFromJson(*text);
      if (stored.ok()) record = *std::move(stored);
    }
    result->path = folder;
    record.last_seen = UtcNow();
    ++record.count;
    if (record.count > 1) {
      result->outcome = Triaged::Outcome::kSeen;
      return WriteFileAtomically(folder + kJsonName, ToJson(record));
    }
    IRATE_RETURN_IF_ERROR(
        WriteFileAtomically(folder + "/question.txtpb", QuestionToText(reduced.question)));
    IRATE_RETURN_IF_ERROR(
        WriteFileAtomically(folder + "/reproducer.py",
                            MakeReproducer(reduced.question, reduced.wrong, settings.version)));
    record.finding = result->finding;
    record.first_seen = record.last_seen;
    record.versions = {settings.version};
    record.size = reduced.question.ByteSizeLong();
    record.reproduced = true;
  }
  std::string output;
  IRATE_RETURN_IF_ERROR(
      RunReproducer(folder, settings.reproducer, &record.reproducer_verified, &output));
  result->reproducer_verified = record.reproducer_verified;
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(
      folder + "/log.txt",
      fmt::format("{}\n{}\n\n{}", result->finding.summary(), result->finding.detail(), output)));
  return WriteFileAtomically(folder + kJsonName, ToJson(record));
}

}  // namespace

absl::StatusOr<Reduced> Blame(const Reduced& reduced, const ReduceLimits& limits,
                              Session* session) {
  const AnalysisQuestion& question = reduced.question;
  if (question.asks_size() != 1 || reduced.wrong.ask < 0) return reduced;
  const AnalysisFunction asked = question.asks(0).function();
  std::vector<Expr> expressions;
  for (const Expr& expr : question.asks(0).exprs()) AddSubexpressions(expr, &expressions);
  if (question.asks(0).has_predicate()) {
    AddSubexpressions(question.asks(0).predicate(), &expressions);
  }
  if (question.has_constraint()) AddSubexpressions(question.constraint(), &expressions);
  // Two expressions that are compared are often subtracted first.
  if (question.asks(0).exprs_size() == 2 && asked <= TRY_COMPARE) {
    Expr difference;
    difference.set_op(SUB);
    difference.set_type(question.asks(0).exprs(0).type());
    difference.set_lanes(question.asks(0).exprs(0).lanes());
    *difference.mutable_args() = question.asks(0).exprs();
    expressions.push_back(std::move(difference));
  }
  for (const AnalysisFunction function : kBasic) {
    if (function == asked) break;
    std::vector<AnalysisQuestion> questions;
    for (const Expr& expr : expressions) {
      const bool is_condition = expr.type() == BOOL;
      const bool simplifies = function == REWRITE_SIMPLIFY || function == CANONICAL_SIMPLIFY;
      if (is_condition && !simplifies) continue;
      questions.push_back(OneAsk(question, function, expr));
    }
    IRATE_ASSIGN_OR_RETURN(const std::vector<Asked> answers, session->Ask(questions));
    for (size_t i = 0; i < questions.size(); ++i) {
      for (const Wrong& wrong : Judge(questions[i], answers[i], nullptr)) {
        if (IsError(wrong) != IsError(reduced.wrong)) continue;
        if (IsError(wrong) && wrong.kind != reduced.wrong.kind) continue;
        return Reduce(questions[i], wrong, limits, session);
      }
    }
  }
  for (const AnalysisQuestion& part : ToItsParts(question)) {
    IRATE_ASSIGN_OR_RETURN(const Asked answer, session->Ask(part));
    for (const Wrong& wrong : Judge(part, answer, nullptr)) {
      if (IsError(wrong) == IsError(reduced.wrong)) return Reduce(part, wrong, limits, session);
    }
  }
  return reduced;
}

absl::StatusOr<Triaged> Triage(const AnalysisQuestion& question, const Wrong& wrong,
                               const TriageSettings& settings, Session* session) {
  IRATE_ASSIGN_OR_RETURN(Reduced reduced, Reduce(question, wrong, settings.limits, session));
  IRATE_ASSIGN_OR_RETURN(reduced, Blame(reduced, settings.limits, session));
  Triaged result;
  result.question = reduced.question;
  result.finding = MakeFinding(reduced.question, reduced.wrong);
  if (settings.known.contains(result.finding.signature())) {
    result.outcome = Triaged::Outcome::kKnown;
    return result;
  }
  IRATE_ASSIGN_OR_RETURN(const Asked fresh, session->AskFresh(reduced.question));
  bool shows = false;
  for (const Wrong& again : Judge(reduced.question, fresh, nullptr)) {
    shows |= again.IsSameAs(reduced.wrong);
  }
  if (!shows) {
    result.outcome = Triaged::Outcome::kNotReproduced;
    return result;
  }
  if (!settings.directory.empty()) {
    IRATE_RETURN_IF_ERROR(Record(reduced, settings, &result));
  }
  return result;
}

std::string QuestionToText(const AnalysisQuestion& question) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  printer.PrintToString(question, &text);
  return "# proto-message: irate.AnalysisQuestion\n" + text;
}

absl::StatusOr<AnalysisQuestion> QuestionFromText(const std::string& text) {
  class Errors : public google::protobuf::io::ErrorCollector {
   public:
    void AddError(int line, int column, const std::string& message) override {
      if (text.empty()) text = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
    }
    std::string text;
  };
  Errors errors;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  AnalysisQuestion question;
  if (!parser.ParseFromString(text, &question)) return absl::InvalidArgumentError(errors.text);
  if (question.ranges_size() != question.variables_size()) {
    return absl::InvalidArgumentError("there is not one range for each variable");
  }
  return question;
}

}  // namespace irate::analysis
