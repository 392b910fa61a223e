#include "triage/levels.h"

#include <algorithm>

#include "triage/edit_kinds.h"
#include "triage/tree.h"

namespace irate {
namespace {

template <typename List>
void KeepIn(List* list, const KeptSet& kept) {
  List result;
  for (const int index : kept) result.Add()->Swap(list->Mutable(index));
  list->Swap(&result);
}

int CountPasses(const Case& test_case, int) {
  // No steps mean the default pipeline: one has to stay.
  return std::max(0, test_case.passes().steps_size());
}
void KeepPasses(Case* test_case, int, const KeptSet& kept) {
  if (!kept.empty()) KeepIn(test_case->mutable_passes()->mutable_steps(), kept);
}
int CountConfig(const Case& test_case, int) { return test_case.passes().config_size(); }
void KeepConfig(Case* test_case, int, const KeptSet& kept) {
  KeepIn(test_case->mutable_passes()->mutable_config(), kept);
}
int CountSchedule(const Case& test_case, int) { return test_case.schedule().steps_size(); }
void KeepSchedule(Case* test_case, int, const KeptSet& kept) {
  KeepIn(test_case->mutable_schedule()->mutable_steps(), kept);
  if (kept.empty()) test_case->clear_schedule();
}
// The entry is no element.
int CountFunctions(const Case& test_case, int) {
  return std::max(0, test_case.module().functions_size() - 1);
}
void KeepFunctions(Case* test_case, int, const KeptSet& kept) {
  KeptSet with_entry = {0};
  for (const int index : kept) with_entry.push_back(index + 1);
  KeepIn(test_case->mutable_module()->mutable_functions(), with_entry);
}

// The statements at that depth of nesting, in order.
std::vector<StmtPlace> StatementsAt(StmtList* list, int level) {
  std::vector<StmtPlace> result;
  for (int i = 0; i < list->size(); ++i) {
    if (level == 0) {
      result.push_back({list, i});
      continue;
    }
    ForEachChildList(*list->Mutable(i), [&](StmtList& nested) {
      for (const StmtPlace& place : StatementsAt(&nested, level - 1)) result.push_back(place);
    });
  }
  return result;
}
std::vector<StmtPlace> AllStatementsAt(Case* test_case, int level) {
  std::vector<StmtPlace> result;
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    for (const StmtPlace& place : StatementsAt(function.mutable_body(), level)) {
      result.push_back(place);
    }
  }
  return result;
}
int CountStatements(const Case& test_case, int level) {
  Case copy = test_case;
  return static_cast<int>(AllStatementsAt(&copy, level).size());
}
void KeepStatements(Case* test_case, int level, const KeptSet& kept) {
  const std::vector<StmtPlace> places = AllStatementsAt(test_case, level);
  size_t next = kept.size();
  // From the end, so that the places before hold.
  for (int i = static_cast<int>(places.size()) - 1; i >= 0; --i) {
    if (next > 0 && kept[next - 1] == i) {
      --next;
    } else {
      const StmtPlace& place = places[static_cast<size_t>(i)];
      place.list->DeleteSubrange(place.index, 1);
    }
  }
}

void CollectAt(Expr* expr, int level, std::vector<Expr*>* result) {
  if (level == 0) {
    result->push_back(expr);
    return;
  }
  for (Expr& arg : *expr->mutable_args()) CollectAt(&arg, level - 1, result);
}
// Operands at that depth below a statement; level 0 are the statements' own expressions.
std::vector<Expr*> ExpressionsAt(Case* test_case, int level) {
  std::vector<Expr*> result;
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    VisitStmts(&function, [&](Stmt& stmt) {
      ForEachRootExpr(stmt, [&](Expr& expr) { CollectAt(&expr, level, &result); });
    });
  }
  return result;
}
int CountExpressions(const Case& test_case, int level) {
  Case copy = test_case;
  return static_cast<int>(ExpressionsAt(&copy, level).size());
}
void KeepExpressions(Case* test_case, int level, const KeptSet& kept) {
  const std::vector<Expr*> places = ExpressionsAt(test_case, level);
  for (size_t i = 0, next = 0; i < places.size(); ++i) {
    if (next < kept.size() && kept[next] == static_cast<int>(i)) {
      ++next;
    } else {
      edits::ToConstant(places[i], 0);
    }
  }
}

}  // namespace

const std::vector<ReductionSet>& ReductionSets() {
  static const auto* const sets = new std::vector<ReductionSet>{
      {"passes", CountPasses, KeepPasses},
      {"schedule", CountSchedule, KeepSchedule},
      {"options", CountConfig, KeepConfig},
      {"functions", CountFunctions, KeepFunctions},
      {"statements", CountStatements, KeepStatements, true},
      {"expressions", CountExpressions, KeepExpressions, true},
  };
  return *sets;
}

}  // namespace irate
