// Parallel tasks: every order, races, barriers, and a launch that miscounts.
#include "tests/execution/sanitized/generated_code.h"

namespace irate::sanitized {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// for i in parallel(64): `body`, with %A, %C, %i, %task_id and %env.
std::string ParallelLoop(const std::string& body, const std::string& after = "") {
  return Entry(2) + fmt::format(R"(
%closure = type {{ ptr, ptr }}
%env = type {{ ptr, i32 }}
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {{
entry:
  %data = alloca %closure, align 8
  store ptr %A, ptr %data, align 8
  %second = getelementptr inbounds %closure, ptr %data, i32 0, i32 1
  store ptr %C, ptr %second, align 8
  %launch = load ptr, ptr @__TVMBackendParallelLaunch, align 8
  %done = call i32 %launch(ptr @__tvm_parallel_lambda, ptr %data, i32 0)
  ret i32 %done
}}
define private i32 @__tvm_parallel_lambda(i32 %task_id, ptr %env, ptr %data) {{
entry:
  %A = load ptr, ptr %data, align 8
  %second = getelementptr inbounds %closure, ptr %data, i32 0, i32 1
  %C = load ptr, ptr %second, align 8
  %count = getelementptr inbounds %env, ptr %env, i32 0, i32 1
  %num_task = load i32, ptr %count, align 4
  %sum = add nsw i32 63, %num_task
  %step = sdiv i32 %sum, %num_task
  %begin = mul nsw i32 %task_id, %step
  %end0 = add nsw i32 %begin, %step
  %over = icmp sgt i32 %end0, 64
  %end = select i1 %over, i32 64, i32 %end0
  br label %for_begin_i
for_begin_i:
  %i = phi i32 [ %begin, %entry ], [ %next, %for_next_i ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %for_body_i, label %for_end_i
for_body_i:
{}
  br label %for_next_i
for_next_i:
  %next = add nsw i32 %i, 1
  br label %for_begin_i
for_end_i:
{}
  ret i32 0
}}
)",
                                body, after);
}

constexpr char kCopy[] = R"(
  %from = getelementptr inbounds float, ptr %A, i32 %i
  %v = load float, ptr %from, align 4
  %to = getelementptr inbounds float, ptr %C, i32 %i
  store float %v, ptr %to, align 4
)";

std::vector<contract::Argument> Arguments() { return {Floats("A", {64}), Floats("C", {64})}; }

RunOptions Order(contract::TaskOrder order) {
  RunOptions options;
  options.parallel.order = order;
  options.parallel.seed = 7;
  return options;
}

TEST(Launch, EveryOrderAndRealThreadsAreSilent) {
  for (contract::TaskOrder order :
       {contract::TaskOrder::kForward, contract::TaskOrder::kReverse,
        contract::TaskOrder::kShuffled, contract::TaskOrder::kThreads}) {
    const RunResult result = CompileAndRun(ParallelLoop(kCopy), Arguments(), Order(order));
    EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
    EXPECT_EQ(result.contents[0], result.contents[1]);
  }
}

TEST(Launch, FaultsOfTheRuntimeAreCounted) {
  for (const auto& [fault, text] :
       {std::pair{contract::Fault::kLaunchSkipTask, "task 3 of 4 ran 0 times"},
        std::pair{contract::Fault::kLaunchRepeatTask, "task 0 of 4 ran 2 times"},
        std::pair{contract::Fault::kLaunchOverCount, "task 4 ran, but the launch has 4 tasks"}}) {
    RunOptions options;
    options.fault = fault;
    const RunResult result = CompileAndRun(ParallelLoop(kCopy), Arguments(), options);
    ASSERT_FALSE(result.reports.empty());
    EXPECT_TRUE(result.fault_triggered);
    const Report& report = result.reports.back();
    EXPECT_EQ(report.kind, ReportKind::kContract);
    EXPECT_EQ(report.clause, "launch-task-count") << Describe(result);
    EXPECT_THAT(report.text, HasSubstr(text));
    EXPECT_EQ(report.function, "main_compute_");
    EXPECT_THAT(report.statement, HasSubstr("call TVMBackendParallelLaunch"));
  }
}

// All tasks add into C[0].
constexpr char kReduce[] = R"(
  %from = getelementptr inbounds float, ptr %A, i32 %i
  %v = load float, ptr %from, align 4
  %old = load float, ptr %C, align 4
  %new = fadd float %old, %v
  store float %new, ptr %C, align 4
)";

TEST(Launch, RaceIsFoundInASerialRun) {
  const RunResult result = CompileAndRun(ParallelLoop(kReduce), Arguments());
  ASSERT_THAT(Kinds(result), Contains(ReportKind::kRace)) << Describe(result);
  const Report& report = result.reports[0];
  EXPECT_EQ(report.buffer, "C");
  EXPECT_EQ(report.offset, 0);
  EXPECT_THAT(report.text, HasSubstr("a race: task 1 reads C[0], at offset 0 of 256 bytes, which "
                                     "task 0 wrote with no barrier between; "
                                     "__tvm_parallel_lambda: load float from C"));
  EXPECT_THAT(result.reports, Not(Contains(::testing::Field(&Report::buffer, "A"))));
}

TEST(Launch, FaultInATaskIsAReport) {
  for (contract::TaskOrder order : {contract::TaskOrder::kForward, contract::TaskOrder::kThreads}) {
    const RunResult result = CompileAndRun(ParallelLoop(R"(
  %far = add nsw i32 %i, 1
  %to = getelementptr inbounds float, ptr %C, i32 %far
  store float 0.0, ptr %to, align 4
)"),
                                           Arguments(), Order(order));
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
    EXPECT_EQ(result.reports[0].buffer, "C");
    EXPECT_EQ(result.reports[0].index, 64);
    EXPECT_FALSE(result.completed);
  }
}

// The last writer wins: a result that depends on the order of tasks.
TEST(Launch, OrderDependence) {
  auto module = SanitizedModule::Compile(ParallelLoop(R"(
  %v = sitofp i32 %task_id to float
  store float %v, ptr %C, align 4
)"),
                                         CompileOptions::Optimised());
  ASSERT_TRUE(module.ok()) << module.status();
  const auto result = RunInEveryOrder(**module, "__tvm_ffi_main", Arguments(), {}, 2);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Kinds(*result), Contains(ReportKind::kOrderDependence)) << Describe(*result);
}

TEST(Launch, EveryOrderOfACorrectLoop) {
  auto module = SanitizedModule::Compile(ParallelLoop(kCopy), CompileOptions::Strict());
  ASSERT_TRUE(module.ok()) << module.status();
  const auto result = RunInEveryOrder(**module, "__tvm_ffi_main", Arguments(), {}, 3);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->reports, IsEmpty()) << Describe(*result);
}

// Phase one writes C, phase two reads what other tasks wrote.
std::string TwoPhases(const std::string& barrier) {
  return ParallelLoop(kCopy, fmt::format(R"(
  {}
  %mirror = sub nsw i32 63, %begin
  %other = getelementptr inbounds float, ptr %C, i32 %mirror
  %theirs = load float, ptr %other, align 4
  %mine = getelementptr inbounds float, ptr %A, i32 %begin
  store float %theirs, ptr %mine, align 4
)",
                                         barrier));
}
constexpr char kBarrier[] =
    "%barrier = load ptr, ptr @__TVMBackendParallelBarrier, align 8\n"
    "  %waited = call i32 %barrier(i32 %task_id, ptr %env)";

TEST(Barrier, OrdersPhasesInEveryOrder) {
  for (contract::TaskOrder order :
       {contract::TaskOrder::kForward, contract::TaskOrder::kReverse,
        contract::TaskOrder::kShuffled, contract::TaskOrder::kThreads}) {
    const RunResult result = CompileAndRun(TwoPhases(kBarrier), Arguments(), Order(order));
    EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
    const auto values = Values<float>(result.contents[0]);
    EXPECT_EQ(values[0], 63.0f);
    EXPECT_EQ(values[48], 15.0f);
  }
}

TEST(Barrier, WithoutItThereIsARace) {
  const RunResult result = CompileAndRun(TwoPhases(""), Arguments());
  EXPECT_THAT(Kinds(result), Contains(ReportKind::kRace)) << Describe(result);
}

TEST(Barrier, DivergenceAndWrongArguments) {
  const std::string diverging = ParallelLoop(kCopy, R"(
  %first = icmp eq i32 %task_id, 0
  br i1 %first, label %wait, label %go
wait:
  %barrier = load ptr, ptr @__TVMBackendParallelBarrier, align 8
  %waited = call i32 %barrier(i32 %task_id, ptr %env)
  br label %go
go:
)");
  for (contract::TaskOrder order : {contract::TaskOrder::kForward, contract::TaskOrder::kThreads}) {
    const RunResult result = CompileAndRun(diverging, Arguments(), Order(order));
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
    EXPECT_EQ(result.reports[0].clause, "barrier-divergence");
  }
  const RunResult wrong =
      CompileAndRun(TwoPhases("%barrier = load ptr, ptr @__TVMBackendParallelBarrier, align 8\n"
                              "  %waited = call i32 %barrier(i32 0, ptr %env)"),
                    Arguments());
  ASSERT_THAT(Kinds(wrong), ElementsAre(ReportKind::kContract)) << Describe(wrong);
  EXPECT_EQ(wrong.reports[0].clause, "barrier-arguments");
}

TEST(Launch, NestedLaunchIsRefusedByTheContract) {
  const RunResult result = CompileAndRun(ParallelLoop(kCopy, R"(
  %launch = load ptr, ptr @__TVMBackendParallelLaunch, align 8
  %inner = call i32 %launch(ptr @inner, ptr %data, i32 2)
)") + "define private i32 @inner(i32 %task_id, ptr %env, ptr %data) {\n  ret i32 0\n}\n",
                                         Arguments());
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
  EXPECT_EQ(result.reports[0].clause, "launch-nested");
}

TEST(Launch, TaskReadsPastItsEnvironment) {
  const RunResult result = CompileAndRun(ParallelLoop(kCopy, R"(
  %past = getelementptr inbounds %env, ptr %env, i32 1, i32 0
  %bad = load ptr, ptr %past, align 8
)"),
                                         Arguments());
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "the parallel environment");
  EXPECT_EQ(result.reports[0].offset, 16);
}

TEST(Launch, FailureOfATaskWithoutAnErrorIsReported) {
  const RunResult result = CompileAndRun(ParallelLoop(kCopy, "  ret i32 -1\ndead:\n"), Arguments());
  EXPECT_EQ(result.returned, -1);
  EXPECT_EQ(result.error.kind, "RuntimeError");
}

}  // namespace
}  // namespace irate::sanitized
