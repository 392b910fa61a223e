#include "bench/triage/triage_bench.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "bench/faults/fault_harness.h"
#include "bench/faults/fault_judge.h"
#include "bench/faults/fault_probe.h"
#include "bench/fork_pool.h"
#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "oracles/oracle.h"
#include "triage/finding_probe.h"
#include "triage/reduce_finding.h"
#include "triage/thin_reducer.h"
#include "triage/triager.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

// A fault that matches and is not seen costs several runs: so often, for each finding wanted.
constexpr uint64_t kTriesPerFinding = 6;

const rewrite::Rule* RuleCalled(const std::vector<rewrite::Rule>& rules, const std::string& name) {
  const auto found = std::ranges::find(rules, name, &rewrite::Rule::name);
  return found == rules.end() ? nullptr : &*found;
}

class Search {
 public:
  Search(const TriageBenchOptions& options, TriageRecords* records)
      : options_(options),
        records_(*records),
        harnesses_(options.harness, options.asan_worker, options.rules_text),
        truth_(&harnesses_) {
    for (const TriageRecord& record : records_.records) ++found_[record.fault];
  }

  absl::Status Run() {
    if (IsDone()) return absl::OkStatus();
    IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses_.Quick());
    worker_ = &quick->worker();
    spec_ = worker_->hello().default_specs(0);
    IRATE_ASSIGN_OR_RETURN(default_passes_, worker_->DefaultPasses(spec_));
    for (; !IsDone() && !options_.stop(); ++records_.cases) {
      IRATE_RETURN_IF_ERROR(TryCase(records_.cases));
      if (records_.cases % 50 == 0 && options_.changed) {
        IRATE_RETURN_IF_ERROR(options_.changed(records_));
      }
    }
    return absl::OkStatus();
  }

 private:
  bool IsWanted(const rewrite::Rule& rule) const {
    if (rule.is_null) return false;
    if (NeedsSanitizedRun(rule) && !harnesses_.CanSanitize()) return false;
    const auto found = found_.find(rule.name);
    if (found != found_.end() && found->second >= options_.per_fault) return false;
    const auto tried = tried_.find(rule.name);
    return tried == tried_.end() || tried->second < kTriesPerFinding * options_.per_fault;
  }
  bool IsDone() const {
    return records_.cases >= options_.cases ||
           std::ranges::none_of(options_.rules,
                                [this](const rewrite::Rule& rule) { return IsWanted(rule); });
  }

  absl::Status TryCase(uint64_t index) {
    Case test_case = GenerateCase(CaseSeed(records_.seed, index), options_.generate);
    if (test_case.passes().mode() == WILD) return absl::OkStatus();
    test_case.clear_targets();
    *test_case.add_targets() = spec_;
    Case spelt_out = test_case;
    if (test_case.passes().steps().empty()) {
      *spelt_out.mutable_passes()->mutable_steps() = default_passes_.steps();
    }
    // So the full reducer can tell the passes that matter from the others.
    if (records_.full) test_case = spelt_out;
    IRATE_ASSIGN_OR_RETURN(
        const VariantObservation observation,
        worker_->Run(spelt_out, spec_, spelt_out.passes(), {.lift = true, .run_native = false}));
    for (const rewrite::Rule& rule : options_.rules) {
      if (!IsWanted(rule)) continue;
      const FaultProbe probe = ProbeFault(rule, observation);
      if (probe.pass.empty()) continue;
      ++tried_[rule.name];
      IRATE_RETURN_IF_ERROR(TryFault(rule, test_case, probe.pass, index));
    }
    return absl::OkStatus();
  }

  absl::Status TryFault(const rewrite::Rule& rule, const Case& test_case, const std::string& pass,
                        uint64_t index) {
    std::vector<std::string> faults = {FaultSwitch(rule)};
    if (records_.together) faults = WithSiblings(rule, options_.rules);
    IRATE_ASSIGN_OR_RETURN(const std::optional<Finding> finding,
                           truth_.OwnFinding(rule, faults, test_case, pass));
    if (!finding.has_value()) return absl::OkStatus();
    Case shown = test_case;
    shown.mutable_faults()->Assign(faults.begin(), faults.end());
    TriageRecord record;
    record.fault = rule.name;
    record.index = index;
    record.oracle = finding->oracle();
    record.culprit = finding->culprit();
    record.found = finding->signature();
    record.original = PrintCase(shown);
    records_.records.push_back(std::move(record));
    ++found_[rule.name];
    return options_.changed ? options_.changed(records_) : absl::OkStatus();
  }

  const TriageBenchOptions& options_;
  TriageRecords& records_;
  FaultHarnesses harnesses_;
  FaultTruth truth_;
  WorkerClient* worker_ = nullptr;
  TargetSpec spec_;
  PassSequence default_passes_;
  std::map<std::string, uint64_t> found_;
  std::map<std::string, uint64_t> tried_;
};

class Reductions {
 public:
  explicit Reductions(const TriageBenchOptions& options)
      : options_(options),
        harnesses_(options.harness, options.asan_worker, options.rules_text),
        truth_(&harnesses_) {
    harness_ = options.harness;
    harness_.target.fault_rules = options.rules_text;
  }

  TriageRecord Reduce(TriageRecord record) {
    const absl::Status status = Try(&record);
    if (!status.ok()) record.error = std::string(status.message());
    record.done = true;
    return record;
  }

 private:
  absl::Status Try(TriageRecord* record) {
    const rewrite::Rule* rule = RuleCalled(options_.rules, record->fault);
    if (rule == nullptr) return absl::NotFoundError("there is no such fault any more");
    IRATE_ASSIGN_OR_RETURN(const Case original, ParseCase(record->original));
    record->before = MeasureForReport(original);
    const Clock::time_point start = Clock::now();
    Case reduced;
    if (options_.full) {
      IRATE_RETURN_IF_ERROR(Fully(original, record, &reduced));
    } else {
      IRATE_RETURN_IF_ERROR(Thinly(original, record, &reduced));
    }
    record->seconds = std::chrono::duration<double>(Clock::now() - start).count();
    record->after = MeasureForReport(reduced);
    record->reduced = PrintCase(reduced);
    IRATE_ASSIGN_OR_RETURN(record->origin,
                           truth_.OriginOf(*rule, reduced, record->oracle, record->found));
    return absl::OkStatus();
  }

  absl::Status Fully(const Case& original, TriageRecord* record, Case* reduced) {
    ReduceFindingOptions options;
    options.harness = harness_;
    options.pass_map = options_.generate.pass_map;
    options.reduce.stop = options_.stop;
    options.reduce.time = std::chrono::milliseconds(static_cast<int64_t>(options_.budget * 1000));
    IRATE_ASSIGN_OR_RETURN(ReducedFinding result, ReduceFinding(original, record->found, options));
    record->signature = result.finding.signature();
    record->tests = result.progress.tests;
    record->finished = result.finished;
    *reduced = std::move(result.reduced);
    return absl::OkStatus();
  }

  // As the fuzzer does with a new finding.
  absl::Status Thinly(const Case& original, TriageRecord* record, Case* reduced) {
    IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                           FindingProbe::MakeHarness(harness_, record->oracle));
    IRATE_ASSIGN_OR_RETURN(Finding finding, FindSignature(*harness, original, record->found));
    IRATE_ASSIGN_OR_RETURN(
        const std::unique_ptr<FindingProbe> probe,
        FindingProbe::Create(harness_, original, finding, options_.generate.pass_map));
    const auto keeps = [&](const Case& candidate) { return probe->Shows(candidate); };
    ReduceOptions reduce;
    reduce.time = std::chrono::milliseconds(
        std::min<int64_t>(reduce.time.count(), static_cast<int64_t>(options_.budget * 1000)));
    IRATE_ASSIGN_OR_RETURN(ReduceResult result, ThinReduce(original, keeps, reduce));
    IRATE_ASSIGN_OR_RETURN(finding, FindSignature(*harness, result.reduced, record->found));
    finding.set_shape(FinalShape(finding, result.reduced));
    record->signature = MakeSignature(finding);
    record->tests = result.tests;
    record->finished = result.finished;
    *reduced = std::move(result.reduced);
    return absl::OkStatus();
  }

  const TriageBenchOptions& options_;
  HarnessOptions harness_;
  FaultHarnesses harnesses_;
  FaultTruth truth_;
};

absl::Status ReduceAll(const TriageBenchOptions& options, TriageRecords* records) {
  std::vector<size_t> pending;
  for (size_t i = 0; i < records->records.size(); ++i) {
    if (!records->records[i].done) pending.push_back(i);
  }
  if (pending.empty()) return absl::OkStatus();
  std::unique_ptr<Reductions> reductions;  // one in each process
  const auto start = [&] { reductions = std::make_unique<Reductions>(options); };
  const auto work = [&](uint64_t chunk) {
    const size_t at = pending[chunk];
    if (options.stop()) return std::string();
    TriageRecords one;
    one.records.push_back(reductions->Reduce(records->records[at]));
    return options.stop() ? std::string() : ToJson(one);  // not its result, if it was cut short
  };
  absl::Status failed;
  const auto done = [&](uint64_t chunk, absl::StatusOr<std::string> result) {
    TriageRecord& record = records->records[pending[chunk]];
    if (result.ok() && result->empty()) return;  // stopped before its turn
    absl::StatusOr<TriageRecords> one = result.ok()
                                            ? TriageRecordsFromJson(*result)
                                            : absl::StatusOr<TriageRecords>(result.status());
    if (one.ok() && one->records.size() == 1) {
      record = one->records[0];
    } else {
      record.done = true;
      record.error = std::string(one.status().message());
    }
    if (options.changed) failed.Update(options.changed(*records));
  };
  IRATE_RETURN_IF_ERROR(RunChunks(pending.size(), options.jobs, start, work, done));
  return failed;
}

}  // namespace

absl::Status RunTriageBench(const TriageBenchOptions& options, TriageRecords* records) {
  IRATE_RETURN_IF_ERROR(Search(options, records).Run());
  if (options.stop()) return absl::OkStatus();
  return ReduceAll(options, records);
}

}  // namespace irate
