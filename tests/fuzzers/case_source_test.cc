#include "fuzzers/case_source.h"

#include <fstream>

#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "tests/triage/temporary_folder.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;

constexpr uint64_t kSeed = 9;

Case Generated(uint64_t index) { return GenerateCase(CaseSeed(kSeed, index)); }

std::unique_ptr<CaseSource> Open(const CaseSourceOptions& options, uint64_t job = 0) {
  auto source = CaseSource::Open(options, MutateOptions{}, kSeed, job, Generated);
  EXPECT_TRUE(source.ok()) << source.status();
  return *std::move(source);
}

// A compiler that shows how many statements a program has.
Observation Observe(const Case& test_case) {
  Observation observation;
  observation.mutable_reference()->set_status(Interpretation::DEFINED);
  StepObservation* step = observation.add_variants()->add_steps();
  step->set_pass("count");
  step->set_outcome(StepObservation::UNCHANGED);
  step->add_features(static_cast<uint32_t>(test_case.ByteSizeLong() / 16));
  return observation;
}

std::vector<std::string> RunCases(CaseSource& source, uint64_t first, uint64_t count,
                                  uint64_t stride = 1) {
  std::vector<std::string> cases;
  for (uint64_t i = 0; i < count; ++i) {
    const Case test_case = source.Next(first + i * stride);
    cases.push_back(test_case.SerializeAsString());
    EXPECT_TRUE(source.Learn(test_case, Observe(test_case)).ok());
  }
  return cases;
}

TEST(CaseSourceTest, HalfOfTheCasesAreMutatedAndTheOthersAreThoseOfTheSeed) {
  const auto source = Open({});
  int mutated = 0;
  for (uint64_t i = 0; i < 300; ++i) {
    const Case test_case = source->Next(i);
    if (source->last_was_mutated()) {
      ++mutated;
      EXPECT_THAT(test_case.generator(), HasSubstr("mutated"));
    } else {
      EXPECT_EQ(test_case.SerializeAsString(), Generated(i).SerializeAsString());
    }
    ASSERT_TRUE(source->Learn(test_case, Observe(test_case)).ok());
  }
  EXPECT_GT(mutated, 110);
  EXPECT_LT(mutated, 190);
  EXPECT_GT(source->pool_size(), 10u);
}

TEST(CaseSourceTest, TheSameRunAgain) {
  EXPECT_EQ(RunCases(*Open({}), 0, 150), RunCases(*Open({}), 0, 150));
}

TEST(CaseSourceTest, WithoutMutationEveryCaseIsGenerated) {
  const auto source = Open({.mutate = false});
  const std::vector<std::string> cases = RunCases(*source, 0, 50);
  for (uint64_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(cases[i], Generated(i).SerializeAsString());
  }
}

TEST(CaseSourceTest, WithoutFeedbackThePoolIsFilledByChance) {
  const auto source = Open({.feedback = false});
  RunCases(*source, 0, 200);
  EXPECT_GT(source->pool_size(), 10u);
  EXPECT_LT(source->pool_size(), 60u);
  EXPECT_EQ(source->features(), 0u);
  for (const MutatorCounts& counts : source->yield().counts()) EXPECT_EQ(counts.interesting, 0u);
}

TEST(CaseSourceTest, ACorpusFolderIsExtendedAndReadBack) {
  TemporaryFolder folder;
  CaseSourceOptions options;
  options.corpus = folder / "corpus";
  size_t pool = 0;
  size_t features = 0;
  {
    const auto source = Open(options);
    RunCases(*source, 0, 80);
    pool = source->pool_size();
    features = source->features();
  }
  // Things that others leave there.
  std::ofstream(folder / "corpus/README") << "not a Case";
  ASSERT_TRUE(WriteCaseFile(folder / "corpus/own.bin", Generated(500)).ok());
  const auto source = Open(options);
  EXPECT_EQ(source->pool_size(), pool + 1);
  EXPECT_EQ(source->features(), features);
}

TEST(CaseSourceTest, AKilledRunsHalfWrittenFeaturesDoNoHarm) {
  TemporaryFolder folder;
  CaseSourceOptions options;
  options.corpus = folder / "corpus";
  RunCases(*Open(options), 0, 40);
  const size_t features = Open(options)->features();
  std::ofstream(folder / "corpus/.state/features-0.bin", std::ios::app) << "ab";
  EXPECT_EQ(Open(options)->features(), features);
  RunCases(*Open(options), 40, 40);
  const size_t later = Open(options)->features();
  EXPECT_GT(later, features);
  EXPECT_LT(later, features + 60);
}

TEST(CaseSourceTest, AnUnusableCorpusIsAnError) {
  const auto source =
      CaseSource::Open({.corpus = "/proc/corpus", .pool = 1}, MutateOptions{}, kSeed, 0, Generated);
  ASSERT_FALSE(source.ok());
  EXPECT_THAT(std::string(source.status().message()), HasSubstr("/proc/corpus"));
}

TEST(CorpusProgressTest, IsReadBackAndDamageIsNamed) {
  TemporaryFolder folder;
  EXPECT_TRUE(absl::IsNotFound(ReadCorpusProgress(folder / "c").status()));
  ASSERT_TRUE(WriteCorpusProgress(folder / "c", {.seed = 7, .next = 123}).ok());
  const auto progress = ReadCorpusProgress(folder / "c");
  ASSERT_TRUE(progress.ok()) << progress.status();
  EXPECT_EQ(progress->seed, 7u);
  EXPECT_EQ(progress->next, 123u);
  std::ofstream(folder / "c/.state/progress.json") << "{";
  EXPECT_THAT(std::string(ReadCorpusProgress(folder / "c").status().message()),
              HasSubstr("progress.json is damaged"));
}

}  // namespace
}  // namespace irate
