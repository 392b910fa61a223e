#include "bench/faults/fault_rates.h"

#include "bench/faults/fault_harness.h"
#include "bench/faults/fault_probe.h"
#include "execution/protocol.pb.h"
#include "generators/generator.h"
#include "ir/status_macros.h"

namespace irate {

absl::StatusOr<std::vector<FaultRate>> MeasureFaultRates(const std::vector<rewrite::Rule>& rules,
                                                         const FaultTrialOptions& options,
                                                         uint64_t cases) {
  FaultHarnesses harnesses(options.harness, options.asan_worker, options.rules);
  IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses.Quick());
  WorkerClient& worker = quick->worker();
  const TargetSpec spec = worker.hello().default_specs(0);
  IRATE_ASSIGN_OR_RETURN(const PassSequence default_passes, worker.DefaultPasses(spec));
  std::vector<FaultRate> rates(rules.size());
  for (uint64_t index = 0; index < cases; ++index) {
    const Case test_case = GenerateCase(CaseSeed(options.seed, index), options.generate);
    PassSequence passes = test_case.passes();
    if (passes.steps().empty()) *passes.mutable_steps() = default_passes.steps();
    IRATE_ASSIGN_OR_RETURN(
        const VariantObservation observation,
        worker.Run(test_case, spec, passes, {.lift = true, .run_native = false}));
    for (size_t i = 0; i < rules.size(); ++i) {
      const FaultProbe probe = ProbeFault(rules[i], observation);
      rates[i].reached += probe.reached ? 1 : 0;
      rates[i].triggered += probe.pass.empty() ? 0 : 1;
      if (!probe.problem.empty()) rates[i].problem = probe.problem;
    }
  }
  return rates;
}

}  // namespace irate
