// Every form of statement, printed, compiled and run, agrees with the interpreter; what has no C is
// refused by name.
#include <set>

#include "agreement.h"
#include "case_maker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/visit.h"
#include "statement_cases.h"
#include "targets/c/printer.h"

namespace irate {
namespace {

using c_target_test::CaseMaker;
using c_target_test::ExpectAgreement;

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (const auto& cases : {c_target_test::LoopCases(), c_target_test::MemoryCases(),
                            c_target_test::BlockCases(), c_target_test::FunctionCases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

TEST(StatementsTest, LoopsAgree) { ExpectAgreement(c_target_test::LoopCases()); }
TEST(StatementsTest, MemoryAgrees) { ExpectAgreement(c_target_test::MemoryCases()); }
TEST(StatementsTest, BlocksAgree) { ExpectAgreement(c_target_test::BlockCases()); }
TEST(StatementsTest, FunctionsAgree) { ExpectAgreement(c_target_test::FunctionCases()); }

TEST(StatementsTest, EveryKindIsCoveredOrRefused) {
  std::set<StmtKind> covered = {STMT_INVALID};
  for (const Case& one : AllCases()) {
    for (const Function& function : one.module().functions()) {
      VisitStmts(function, [&](const Stmt& stmt) { covered.insert(stmt.kind()); });
    }
  }
  std::set<std::string> uncovered;
  for (int i = 0; i < StmtKind_descriptor()->value_count(); ++i) {
    const auto kind = static_cast<StmtKind>(StmtKind_descriptor()->value(i)->number());
    if (covered.count(kind) == 0) uncovered.insert(StmtKind_Name(kind));
  }
  EXPECT_THAT(uncovered, testing::ElementsAre("BARRIER"));
}

TEST(StatementsTest, DeviceConstructsAreRefusedByName) {
  CaseMaker barrier("barrier");
  barrier.Add(c_target_test::Plain(BARRIER));
  CaseMaker bound("bound");
  const uint32_t i = bound.Variable("i", I32);
  Stmt loop = bound.Loop(i, 4, {}, THREAD_BINDING);
  loop.set_thread_tag("threadIdx.x");
  bound.Add(loop);
  CaseMaker extent("extent");
  Stmt attribute = c_target_test::Plain(ATTR);
  attribute.set_name("thread_extent");
  extent.Add(attribute);
  const std::pair<Case, std::string> refused[] = {{barrier.Done(), "BARRIER"},
                                                  {bound.Done(), "THREAD_BINDING"},
                                                  {extent.Done(), "thread_extent"}};
  for (const auto& [one, name] : refused) {
    const absl::Status status = PrintC(one.module()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace irate
