#include "triage/sighting.h"

#include <string>

#include "fmt/format.h"
#include "triage/evidence.h"

namespace irate {
namespace {

std::string LogText(const Finding& finding, const Observation& observation,
                    const Reproducer& reproducer) {
  const VariantObservation& variant = observation.variants(static_cast<int>(finding.variant()));
  std::string text =
      fmt::format("{}\n\n{}\n\ntarget {} {}, options {}\n", finding.summary(), finding.detail(),
                  finding.target(), variant.compiler_version(), variant.spec().options());
  for (const StepObservation& step : variant.schedule_steps()) {
    text += fmt::format("schedule step {} {}: {} {}\n", step.index(), step.pass(),
                        StepObservation::Outcome_Name(step.outcome()), step.skip_reason());
  }
  for (const StepObservation& step : variant.steps()) {
    text += fmt::format("step {} {}: {}, {}\n", step.index(), step.pass(),
                        StepObservation::Outcome_Name(step.outcome()),
                        step.lift_failure().empty()
                            ? Interpretation::Status_Name(step.interpretation().status())
                            : "not lifted: " + step.lift_failure());
  }
  if (!variant.failure().log().empty()) {
    text += fmt::format("\n---- printed by the worker\n{}\n", variant.failure().log());
  }
  return text + fmt::format("\n---- reproducer.py ({})\n{}",
                            reproducer.verified ? "shows the finding" : "does not show the finding",
                            reproducer.output);
}

}  // namespace

absl::StatusOr<Sighting> MakeSighting(const Case& test_case, const Observation& observation,
                                      const Finding& finding, WorkerClient& worker,
                                      const ReproducerOptions& options) {
  Sighting sighting;
  sighting.finding = finding;
  sighting.test_case = test_case;
  sighting.compiler_version =
      observation.variants(static_cast<int>(finding.variant())).compiler_version();
  absl::StatusOr<Reproducer> reproducer =
      MakeReproducer(test_case, observation, finding, worker, options);
  if (absl::IsUnimplemented(reproducer.status())) {
    reproducer = Reproducer{
        .text = "", .verified = false, .output = std::string(reproducer.status().message())};
  }
  if (!reproducer.ok()) return reproducer.status();
  sighting.reproducer = reproducer->text;
  sighting.reproducer_verified = reproducer->verified;
  sighting.log = LogText(finding, observation, *reproducer);
  sighting.files = Evidence(test_case, observation, finding, worker);
  return sighting;
}

}  // namespace irate
