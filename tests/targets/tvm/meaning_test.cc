// The module as lowered, as lifted after every pass and as run natively means what the interpreter
// says the Case means.
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "programs.h"
#include "targets/tvm/tvm_target.h"

namespace irate {
namespace {

TEST(MeaningTest, EveryStageAndTheBuiltFunctionAgreeWithTheInterpreter) {
  const std::unique_ptr<Target> target = MakeTvmTarget();
  ASSERT_TRUE(target->Load().ok()) << target->Load();
  const TargetSpec spec = target->DefaultSpecs()[0];
  const PassSequence passes = target->DefaultPasses(spec).value();
  int compared = 0;
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    // Calls functions that the interpreter does not model.
    if (name == "Calls") continue;
    const Interpretation expected = Interpret(test_case.module(), test_case.inputs()).value();
    ASSERT_EQ(expected.status(), Interpretation::DEFINED)
        << name << ": " << expected.reason() << " at " << expected.place();
    const VariantObservation observation =
        target->Run(test_case, spec, passes, TargetOptions{}, nullptr);
    ASSERT_FALSE(observation.has_failure()) << name << observation.failure().ShortDebugString();
    InterpretOptions options;
    options.mode = InterpretOptions::Mode::kPassResult;
    options.signature = &test_case.module().functions(0);
    for (const StepObservation& step : observation.steps()) {
      if (!step.has_lifted()) continue;
      const absl::StatusOr<Interpretation> actual =
          Interpret(step.lifted(), test_case.inputs(), options);
      ASSERT_TRUE(actual.ok()) << name << " after " << step.pass() << ": " << actual.status();
      EXPECT_EQ(actual->status(), Interpretation::DEFINED)
          << name << " after " << step.pass() << ": " << actual->reason() << " at "
          << actual->place();
      const std::optional<Difference> difference = Compare(expected, *actual);
      EXPECT_FALSE(difference.has_value())
          << name << " after " << step.pass() << ": " << difference->ToString();
      ++compared;
    }
    const std::vector<Tensor> outputs(observation.outputs().begin(), observation.outputs().end());
    const std::optional<Difference> difference = Compare(expected, outputs);
    EXPECT_FALSE(difference.has_value()) << name << ", built: " << difference->ToString();
  }
  EXPECT_GE(compared, 80);
}

}  // namespace
}  // namespace irate
