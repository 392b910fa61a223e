// Generated schedules on the real compiler: every primitive is not only produced but applied.
//
// With IRATE_SCHEDULE_COUNTS set it goes through many Cases and prints how often each primitive was
// applied, refused (with the reasons) and failed, and the findings with the numbers of their Cases.
// With IRATE_SCHEDULE_FOLDER too the Cases with findings are written there, for `irate reduce`.
// IRATE_SCHEDULE_SEED: another seed.
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/harness.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "generators/features.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/schedule.h"
#include "ir/text.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

constexpr uint64_t kMixedCases = 2'500;
constexpr uint64_t kSingleCases = 4'000;
constexpr size_t kKept = 3;  // Cases of one finding

std::string Setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}
uint64_t Seed() {
  static const std::string seed = Setting("IRATE_SCHEDULE_SEED");
  return seed.empty() ? 5 : std::stoull(seed);
}
const std::string kFolder = Setting("IRATE_SCHEDULE_FOLDER");

struct Count {
  int applied = 0;
  int unchanged = 0;
  int refused = 0;
  int failed = 0;
  std::map<std::string, int> reasons;
};

// Only this primitive, with what has to come before it.
GenerateOptions Only(const std::string& primitive) {
  GenerateOptions options;
  for (const FeatureInfo& info : Features()) {
    const std::string name(info.name);
    const bool needed = name == "schedule." + primitive ||
                        (primitive == "rolling_buffer" && name == "schedule.compute_at") ||
                        (primitive == "unannotate" && name == "schedule.pragma");
    if (name.starts_with("schedule.") && !needed) options.disabled_features.insert(name);
  }
  return options;
}

class GeneratedSchedules : public testing::Test {
 protected:
  void SetUp() override {
    HarnessOptions options{.worker = SelftestOptions()};
    options.worker.target = "tvm";
    options.target.run_native = false;
    auto harness = Harness::Create(options);
    ASSERT_TRUE(harness.ok()) << harness.status();
    harness_ = *std::move(harness);
  }

  void RunCase(uint64_t index, const GenerateOptions& options) {
    Case test_case = GenerateCase(CaseSeed(Seed(), index), options);
    if (test_case.schedule().steps_size() == 0) return;
    ++scheduled_;
    // The passes are not what this is about.
    test_case.mutable_passes()->add_steps()->set_name("tirx.transform.BindTarget");
    const auto observation = harness_->Execute(test_case);
    ASSERT_TRUE(observation.ok()) << observation.status();
    if (observation->variants().empty()) return;
    const VariantObservation& seen = observation->variants(0);
    EXPECT_NE(seen.failure().kind(), Failure::HARNESS) << seen.failure().message();
    for (const Finding& finding : JudgeAll(test_case, *observation)) {
      if (!kFolder.empty() && findings_[finding.signature()].size() < kKept)
        Keep(test_case, index, finding);
      findings_[finding.signature()].push_back(index);
    }
    for (const StepObservation& step : seen.schedule_steps()) CountStep(step, seen.failure());
  }

  static void Keep(const Case& test_case, uint64_t index, const Finding& finding) {
    const std::string path = fmt::format("{}/{}.{}.irate", kFolder, finding.signature(), index);
    const absl::Status written = WriteCaseFile(path, test_case);
    EXPECT_TRUE(written.ok()) << written;
  }

  void CountStep(const StepObservation& step, const Failure& failure) {
    Count& count = counts_[step.pass().substr(std::string("schedule.").size())];
    switch (step.outcome()) {
      case StepObservation::CHANGED:
        ++count.applied;
        break;
      case StepObservation::UNCHANGED:
        ++count.unchanged;
        break;
      case StepObservation::SKIPPED:
        ++count.refused;
        ++count.reasons[step.skip_reason()];
        EXPECT_FALSE(step.input_mutated()) << step.pass() << ": " << step.skip_reason();
        break;
      default:
        ++count.failed;
        ++count.reasons["FAILED " + failure.message().substr(0, 300)];
        break;
    }
  }

  void Print() const {
    fmt::print("{} Cases with a schedule\n", scheduled_);
    for (const auto& [signature, indices] : findings_) {
      fmt::print("finding {:>4} {}: {}\n", indices.size(), signature, fmt::join(indices, " "));
    }
    for (const auto& [name, count] : counts_) {
      fmt::print("{:<28} applied {:>5} unchanged {:>4} refused {:>5} failed {:>4}\n", name,
                 count.applied, count.unchanged, count.refused, count.failed);
      for (const auto& [reason, times] : count.reasons) {
        fmt::print("    {:>5} {}\n", times, reason.substr(0, 400));
      }
    }
  }

  std::unique_ptr<Harness> harness_;
  std::map<std::string, std::vector<uint64_t>> findings_;
  std::map<std::string, Count> counts_;
  int scheduled_ = 0;
};

TEST_F(GeneratedSchedules, EveryPrimitiveIsApplied) {
  const std::string wanted = Setting("IRATE_SCHEDULE_COUNTS");
  const uint64_t mixed = wanted.empty() ? kMixedCases : std::stoull(wanted);
  for (uint64_t i = 0; i < mixed; ++i) RunCase(i, {});
  for (const PrimitiveInfo& primitive : Primitives()) {
    const std::string name(primitive.name);
    if (name == "tensorize") continue;  // not drawn yet
    for (uint64_t i = 0; i < kSingleCases && counts_[name].applied == 0; ++i) {
      RunCase(i, Only(name));
    }
    EXPECT_GT(counts_[name].applied, 0) << name << " was never applied";
  }
  if (!wanted.empty()) Print();
}

}  // namespace
}  // namespace irate
