// What counts as showing a finding, with a target that commits faults on request.
#include "triage/finding_probe.h"

#include "gtest/gtest.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"
#include "tests/triage/programs.h"

namespace irate {
namespace {

const PassMap& Map() {
  static const auto& map = *new PassMap(PassMap::Parse(R"({
    "target": "selftest",
    "stages": [{"name": "only"}],
    "passes": [
      {"name": "selftest.Identity", "from": "only", "until": "only"},
      {"name": "selftest.SerialiseLoops", "from": "only", "until": "only",
       "after": ["selftest.Identity"]}
    ],
    "pipeline": ["selftest.Identity", "selftest.SerialiseLoops"]
  })",
                                                       "selftest.json")
                                            .value());
  return map;
}

Case With(const std::vector<std::string>& passes, const std::string& fault) {
  Case test_case = testing::RichCase();
  *test_case.add_targets() = SelftestSpec(fault);
  for (const std::string& pass : passes) test_case.mutable_passes()->add_steps()->set_name(pass);
  return test_case;
}

// Whether `candidate` shows what `found` does, where `original` is what is reduced.
bool Shows(const Case& original, const Case& found, const Case& candidate, const PassMap* map) {
  HarnessOptions options;
  options.worker = SelftestOptions();
  const std::unique_ptr<Harness> harness = *Harness::Create(options);
  const Finding finding = *FindSignature(*harness, found, "");
  return *(*FindingProbe::Create(options, original, finding, map))->Shows(candidate);
}

constexpr char kFirst[] = R"({"fault": "wrong-pass", "stage": "pass", "step": 0})";
constexpr char kSecond[] = R"({"fault": "wrong-pass", "stage": "pass", "step": 1})";

TEST(FindingProbeTest, ASequenceThatIsNotStrictNeedsTheOriginalOneAsAWitness) {
  // Wrong in the place of a pass: the same pass with another one before it is right.
  const Case original = With({"selftest.Identity", "selftest.SerialiseLoops"}, kFirst);
  const Case candidate = With({"selftest.SerialiseLoops"}, kFirst);
  EXPECT_TRUE(Shows(original, candidate, candidate, nullptr));
  EXPECT_FALSE(Shows(original, candidate, candidate, &Map()));
}

TEST(FindingProbeTest, ASequenceThatIsNotStrictIsTakenWhereTheOriginalOneShowsItToo) {
  const Case original = With({"selftest.Identity", "selftest.SerialiseLoops"}, kSecond);
  const Case candidate = With({"selftest.CommuteOperands", "selftest.SerialiseLoops"}, kSecond);
  EXPECT_TRUE(Shows(original, original, candidate, &Map()));
  EXPECT_TRUE(Shows(original, original, original, &Map()));
}

}  // namespace
}  // namespace irate
