// The interpreter and the second reference agree on a thousand generated Cases. The bench does the
// same for a hundred thousand (`irate bench null`).
#include <cstdlib>
#include <map>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "targets/c/second_reference.h"

namespace irate {
namespace {

constexpr uint64_t kSeed = 20;
constexpr int kBatch = 100;

int CaseCount() {
  const char* count = std::getenv("IRATE_AGREEMENT_CASES");
  return count == nullptr ? 1000 : std::atoi(count);
}

TEST(GeneratedTest, TheSecondReferenceAgrees) {
  std::map<std::string, int> refused;
  int compared = 0;
  for (int first = 0; first < CaseCount(); first += kBatch) {
    std::vector<Case> cases;
    std::vector<Interpretation> references;
    for (int i = first; i < first + kBatch; ++i) {
      Case one = GenerateCase(CaseSeed(kSeed, static_cast<uint64_t>(i)));
      absl::StatusOr<Interpretation> reference = Interpret(one.module(), one.inputs());
      ASSERT_TRUE(reference.ok()) << reference.status();
      if (reference->status() != Interpretation::DEFINED) continue;
      cases.push_back(std::move(one));
      references.push_back(*std::move(reference));
    }
    std::vector<const Case*> pointers;
    for (const Case& one : cases) pointers.push_back(&one);
    const auto results = RunSecondReferences(pointers);
    for (size_t i = 0; i < cases.size(); ++i) {
      if (results[i].status().code() == absl::StatusCode::kUnimplemented) {
        ++refused[std::string(results[i].status().message())];
        continue;
      }
      SCOPED_TRACE(PrintCase(cases[i]));
      ASSERT_TRUE(results[i].ok()) << results[i].status();
      const auto difference = Compare(references[i], *results[i]);
      EXPECT_FALSE(difference.has_value()) << difference->ToString();
      ++compared;
    }
  }
  for (const auto& [what, count] : refused) ADD_FAILURE() << count << " times: " << what;
  EXPECT_GT(compared, CaseCount() * 9 / 10);
}

}  // namespace
}  // namespace irate
