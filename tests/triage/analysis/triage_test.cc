// The analyser of the real compiler: asked, judged, reduced, recorded, shown by Python alone.
#include "triage/analysis/triage.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "fuzzers/analyzer_loop.h"
#include "generators/analysis_question.h"
#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"
#include "tests/oracles/analysis/questions.h"
#include "triage/analysis/edits.h"

namespace irate::analysis {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

WorkerOptions TvmOptions() {
  WorkerOptions options = SelftestOptions();
  options.target = "tvm";
  return options;
}

class AnalysisTriageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto worker = WorkerClient::Start(TvmOptions());
    ASSERT_TRUE(worker.ok()) << worker.status();
    worker_ = *std::move(worker);
    session_ = std::make_unique<Session>(worker_.get());
  }
  std::vector<Wrong> Ask(const AnalysisQuestion& question) {
    const auto asked = session_->Ask(question);
    EXPECT_TRUE(asked.ok()) << asked.status();
    return Judge(question, *asked, nullptr);
  }

  std::unique_ptr<WorkerClient> worker_;
  std::unique_ptr<Session> session_;
};

// IterMapSimplify of (1 - x) % 3, which TVM 0.27 makes (x % -3) * -1, under much that is beside it.
AnalysisQuestion WrongQuestion() {
  QuestionBuilder q;
  const Expr y = q.Var("y", 0, 3);
  const Expr x = q.Var("x", 0, 5);
  AnalysisAsk* ask =
      q.Ask(ITER_MAP_SIMPLIFY, Binary(FLOOR_MOD, Binary(SUB, Const(1), x), Const(3)));
  *ask->add_exprs() = Binary(ADD, y, Const(2));
  ask->set_option(3);
  q.Ask(CONST_INT_BOUND, y);
  return q.question;
}

TEST_F(AnalysisTriageTest, RightAnswersAreLeftAlone) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 16);
  const Expr e = Binary(FLOOR_DIV, Binary(MUL, x, Const(4)), Const(4));
  for (const AnalysisFunction function :
       {REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, SIMPLIFY, CONST_INT_BOUND, MODULAR_SET, ITER_SUM}) {
    q.Ask(function, e)->set_option(2);
  }
  q.Ask(INT_SET, e)->add_variables(0);
  q.Ask(LINEAR_EQUATION, Binary(MUL, x, Const(4)))->add_variables(0);
  q.Ask(CAN_PROVE, Binary(LT, e, Const(16)));
  q.Ask(ITER_MAP_INVERSE, x);
  AnalysisAsk* region = q.Ask(REGION_STRICT_BOUND, Binary(MUL, x, Const(2)));
  *region->add_exprs() = Const(2);
  const auto asked = session_->Ask(q.question);
  ASSERT_TRUE(asked.ok());
  for (int i = 0; i < asked->answers.answers_size(); ++i) {
    EXPECT_EQ(asked->answers.answers(i).status(), AnalysisAnswer::ANSWERED)
        << i << asked->answers.answers(i).ShortDebugString();
  }
  EXPECT_THAT(Judge(q.question, *asked, nullptr), IsEmpty());
}

TEST_F(AnalysisTriageTest, AWrongAnswerIsReducedRecordedAndShown) {
  const AnalysisQuestion question = WrongQuestion();
  const std::vector<Wrong> wrongs = Ask(question);
  ASSERT_THAT(wrongs, SizeIs(1));
  EXPECT_EQ(wrongs[0].function, "sym.IterMapSimplify");
  EXPECT_EQ(wrongs[0].kind, "value");
  TriageSettings settings;
  settings.directory = (fs::temp_directory_path() / "analysis_triage_test").string();
  fs::remove_all(settings.directory);
  const char* python = std::getenv("IRATE_TEST_PYTHON");
  if (python != nullptr) settings.reproducer.python = python;
  const auto triaged = Triage(question, wrongs[0], settings, session_.get());
  ASSERT_TRUE(triaged.ok()) << triaged.status();
  EXPECT_EQ(triaged->outcome, Triaged::Outcome::kNew);
  ASSERT_THAT(triaged->question.asks(), SizeIs(1));
  EXPECT_THAT(triaged->question.asks(0).exprs(), SizeIs(1));
  EXPECT_THAT(triaged->question.variables(), SizeIs(1));
  EXPECT_EQ(triaged->reproducer_verified, python != nullptr);
  for (const char* file : {"question.txtpb", "reproducer.py", "finding.json", "log.txt"}) {
    EXPECT_TRUE(fs::exists(triaged->path + "/" + file)) << file;
  }
  // The second time it is counted, and where it is known it is not recorded.
  const auto again = Triage(question, wrongs[0], settings, session_.get());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->outcome, Triaged::Outcome::kSeen);
  EXPECT_EQ(again->finding.signature(), triaged->finding.signature());
  settings.known.insert(triaged->finding.signature());
  const auto known = Triage(question, wrongs[0], settings, session_.get());
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->outcome, Triaged::Outcome::kKnown);
  fs::remove_all(settings.directory);
}

TEST_F(AnalysisTriageTest, QuestionsReadBack) {
  const AnalysisQuestion question = WrongQuestion();
  const auto read = QuestionFromText(QuestionToText(question));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->SerializeAsString(), question.SerializeAsString());
  EXPECT_FALSE(QuestionFromText("asks { function: NO_SUCH }").ok());
}

TEST(AnalysisSessionTest, AWorkerThatGivesNoAnswerCostsItsQuestionOnly) {
  WorkerOptions options = TvmOptions();
  options.deadline = std::chrono::milliseconds(0);
  auto worker = WorkerClient::Start(options);
  ASSERT_TRUE(worker.ok()) << worker.status();
  Session session(worker->get());
  const auto asked = session.Ask(std::vector{WrongQuestion(), WrongQuestion()});
  ASSERT_TRUE(asked.ok()) << asked.status();
  ASSERT_THAT(*asked, SizeIs(2));
  for (const Asked& one : *asked) {
    EXPECT_EQ(one.failure.kind(), Failure::HANG);
    const std::vector<Wrong> wrongs = Judge(WrongQuestion(), one, nullptr);
    ASSERT_THAT(wrongs, SizeIs(1));
    EXPECT_EQ(wrongs[0].kind, "hang");
  }
}

TEST(AnalysisEditsTest, EveryEditOfManyQuestionsIsValid) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ChoiceSource choice(CaseSeed(seed, 0));
    const AnalysisQuestion question = GenerateAnalysisQuestion(choice);
    for (const AnalysisQuestion& smaller : SmallerQuestions(question)) {
      EXPECT_EQ(smaller.variables_size(), smaller.ranges_size());
      for (const AnalysisAsk& ask : smaller.asks()) EXPECT_FALSE(ask.exprs().empty());
    }
  }
}

TEST(AnalysisQuestionTest, ASeedIsAQuestionAndEveryFunctionIsAsked) {
  std::set<AnalysisFunction> functions;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    ChoiceSource one(seed);
    ChoiceSource two(seed);
    const AnalysisQuestion question = GenerateAnalysisQuestion(one);
    EXPECT_EQ(question.SerializeAsString(), GenerateAnalysisQuestion(two).SerializeAsString());
    for (const AnalysisAsk& ask : question.asks()) functions.insert(ask.function());
  }
  for (int function = 1; function < AnalysisFunction_ARRAYSIZE; ++function) {
    EXPECT_THAT(functions, Contains(static_cast<AnalysisFunction>(function)));
  }
}

TEST(AnalyzerLoopTest, TheSameSeedGivesTheSameFindings) {
  std::set<std::string> signatures[2];
  uint64_t wrong[2] = {};
  for (int run = 0; run < 2; ++run) {
    AnalyzerFuzzOptions options;
    options.seed = 7;
    options.count = 192;
    options.jobs = run + 1;
    options.worker = TvmOptions();
    const auto summary =
        RunAnalyzerLoop(options, [](const AnalyzerSummary&) {}, [] { return false; });
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_EQ(summary->questions, 192u);
    EXPECT_EQ(summary->not_reproduced, 0u);
    wrong[run] = summary->wrong;
    for (const auto& [signature, entry] : summary->findings) signatures[run].insert(signature);
  }
  EXPECT_EQ(wrong[0], wrong[1]);
  EXPECT_EQ(signatures[0], signatures[1]);
}

}  // namespace
}  // namespace irate::analysis
