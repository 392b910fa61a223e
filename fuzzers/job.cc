#include "fuzzers/job.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "execution/protocol.pb.h"
#include "execution/sanitized_tier.h"
#include "fmt/format.h"
#include "fuzzers/case_plan.h"
#include "fuzzers/case_source.h"
#include "fuzzers/deferred_writes.h"
#include "fuzzers/reduction_budget.h"
#include "ir/compare.h"
#include "ir/status_macros.h"
#include "ir/types.h"
#include "oracles/oracle.h"
#include "triage/finding_store.h"
#include "triage/triager.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportEvery{200};
// Sightings of a kind that are always reduced, and the share of the time for the others.
constexpr int kAlwaysReduced = 3;
constexpr double kReductionShare = 0.35;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

uint64_t Elements(const Interpretation& interpretation) {
  uint64_t elements = 0;
  for (const InterpretedTensor& output : interpretation.outputs()) {
    elements += output.tensor().data().size() /
                static_cast<size_t>(std::max(1, ByteSize(output.tensor().type())));
  }
  return elements;
}

class Job {
 public:
  Job(const JobOptions& options, JobPage* page, Channel* channel)
      : options_(options),
        fuzz_(*options.fuzz),
        page_(*page),
        channel_(*channel),
        budget_(kAlwaysReduced, kReductionShare) {}

  absl::Status Run() {
    IRATE_RETURN_IF_ERROR(Start());
    IRATE_RETURN_IF_ERROR(Report());
    for (uint64_t index = options_.first_index; !IsOver(index);
         index += static_cast<uint64_t>(fuzz_.jobs)) {
      page_.case_index = index;
      IRATE_RETURN_IF_ERROR(RunCase(index));
      if (Clock::now() - reported_ >= kReportEvery) IRATE_RETURN_IF_ERROR(Report());
    }
    IRATE_RETURN_IF_ERROR(Report());
    IRATE_RETURN_IF_ERROR(ReportMutators());
    const absl::Status unwritten = deferred_.Unwritten();
    return unwritten.ok() ? unwritten
                          : SendFault(std::string(unwritten.message()), page_.case_index);
  }

 private:
  absl::Status Start() {
    IRATE_ASSIGN_OR_RETURN(harness_, Harness::Create(fuzz_.harness));
    HarnessOptions passes_only = fuzz_.harness;
    passes_only.target.run_native = false;
    IRATE_ASSIGN_OR_RETURN(passes_only_, Harness::Create(passes_only));
    IRATE_ASSIGN_OR_RETURN(FindingStore store, FindingStore::Open(fuzz_.findings));
    store_ = std::make_unique<FindingStore>(std::move(store));
    TriageOptions triage = fuzz_.triage;
    triage.reduce.stop = [this] { return page_.stop.load(); };
    triage.defer = [this](DeferredWrites::Write write, const absl::Status& problem) {
      return Defer(std::move(write), problem);
    };
    if (fuzz_.sanitize_share > 0) {
      IRATE_ASSIGN_OR_RETURN(sanitized_, SanitizedTier::Create(harness_.get(), fuzz_.asan_worker,
                                                               fuzz_.harness.target.fault_rules));
      sanitized_triager_ =
          std::make_unique<Triager>(sanitized_.get(), passes_only_.get(), store_.get(), triage);
    }
    triager_ = std::make_unique<Triager>(harness_.get(), passes_only_.get(), store_.get(),
                                         std::move(triage));
    MutateOptions mutate;
    mutate.disabled_features = fuzz_.generate.disabled_features;
    mutate.avoided_features = fuzz_.generate.avoided_features;
    IRATE_ASSIGN_OR_RETURN(mutate.passes, DefaultPasses());
    if (const PassMap* map = fuzz_.generate.pass_map; map != nullptr) {
      mutate.is_strict_walk = [map](const PassSequence& passes) {
        return IsStrictSequence(*map, passes);
      };
    }
    IRATE_ASSIGN_OR_RETURN(
        source_, CaseSource::Open(fuzz_.source, std::move(mutate), fuzz_.seed,
                                  options_.first_index % static_cast<uint64_t>(fuzz_.jobs),
                                  [this](uint64_t index) { return Generate(index); }));
    return absl::OkStatus();
  }

  // Of the first target, for mutators to draw from.
  absl::StatusOr<PassSequence> DefaultPasses() {
    if (!fuzz_.targets.empty()) return harness_->worker().DefaultPasses(fuzz_.targets[0]);
    const auto& specs = harness_->worker().hello().default_specs();
    if (specs.empty()) return PassSequence();
    return harness_->worker().DefaultPasses(specs[0]);
  }

  Case Generate(uint64_t index) const {
    Case test_case = GenerateCase(CaseSeed(fuzz_.seed, index), fuzz_.generate);
    for (const TargetSpec& spec : fuzz_.targets) *test_case.add_targets() = spec;
    return test_case;
  }

  // Few Cases need it: a worker of its own is started at the first.
  absl::Status StartThorough() {
    if (thorough_ != nullptr) return absl::OkStatus();
    HarnessOptions options = fuzz_.harness;
    options.target.repeat = true;
    options.target.check_well_formed = true;
    IRATE_ASSIGN_OR_RETURN(thorough_, Harness::Create(options));
    TriageOptions triage = fuzz_.triage;
    triage.reduce.stop = [this] { return page_.stop.load(); };
    triage.defer = [this](DeferredWrites::Write write, const absl::Status& problem) {
      return Defer(std::move(write), problem);
    };
    thorough_triager_ = std::make_unique<Triager>(thorough_.get(), thorough_.get(), store_.get(),
                                                  std::move(triage));
    return absl::OkStatus();
  }

  bool IsOver(uint64_t index) const {
    if (page_.stop || (fuzz_.count != 0 && index >= fuzz_.first + fuzz_.count)) return true;
    const int64_t deadline = page_.deadline_ns;
    return deadline != 0 && Clock::now().time_since_epoch().count() >= deadline;
  }

  absl::Status RunCase(uint64_t index) {
    Case test_case = source_->Next(index);
    if (source_->last_was_mutated()) progress_.set_mutated(progress_.mutated() + 1);
    // What a parent of the corpus named is not inherited.
    test_case.clear_faults();
    for (const std::string& fault : fuzz_.faults) test_case.add_faults(fault);
    const CasePlan plan = PlanCase(fuzz_, &test_case);
    if (plan.thorough) IRATE_RETURN_IF_ERROR(StartThorough());
    Harness& harness = plan.thorough ? *thorough_ : *harness_;
    absl::StatusOr<Observation> executed = harness.Execute(test_case);
    progress_.set_cases(progress_.cases() + 1);
    if (absl::IsInvalidArgument(executed.status())) {
      return SendFault(std::string(executed.status().message()), index);
    }
    if (!executed.ok()) return executed.status();
    Observation& observation = *executed;
    IRATE_ASSIGN_OR_RETURN(const bool interesting, source_->Learn(test_case, observation));
    if (interesting) progress_.set_interesting(progress_.interesting() + 1);
    const Interpretation& reference = observation.reference();
    // Wild Cases are not interpreted.
    if (reference.status() != Interpretation::DEFINED && test_case.passes().mode() != WILD) {
      progress_.set_dropped_undefined(progress_.dropped_undefined() + 1);
    }
    const uint64_t elements = Elements(reference);
    progress_.set_elements(progress_.elements() + elements);
    progress_.set_inconclusive(progress_.inconclusive() +
                               InconclusiveShare(reference) * static_cast<double>(elements));
    progress_.set_rejected(progress_.rejected() + JudgeAdvisory(test_case, observation).size());
    for (const std::string& fault : HarnessFaults(observation)) {
      IRATE_RETURN_IF_ERROR(SendFault(fault, index));
    }
    std::vector<Finding> findings = JudgeAll(test_case, observation);
    Triager* triager = plan.thorough ? thorough_triager_.get() : triager_.get();
    if (findings.empty() && ShouldSanitize(index, interesting)) {
      IRATE_RETURN_IF_ERROR(Sanitize(test_case, &observation));
      findings = JudgeAll(test_case, observation);
      triager = sanitized_triager_.get();
    }
    // All before the first: its triage runs other Cases.
    std::vector<WorkerHistory> histories;
    histories.reserve(findings.size());
    for (const Finding& finding : findings) histories.push_back(harness.History(finding.variant()));
    for (size_t i = 0; i < findings.size() && !page_.stop; ++i) {
      IRATE_RETURN_IF_ERROR(HandleFinding(test_case, findings[i], index, *triager, histories[i]));
    }
    return absl::OkStatus();
  }

  // What showed something new in lower tiers is the likelier to do so in this one.
  bool ShouldSanitize(uint64_t index, bool interesting) const {
    constexpr double kSteps = 1 << 20;
    constexpr double kInteresting = 4;
    const double share = fuzz_.sanitize_share * (interesting ? kInteresting : 1);
    const uint64_t hash = CaseSeed(fuzz_.seed, index) * 0x9e3779b97f4a7c15;
    return sanitized_ != nullptr && static_cast<double>(hash >> 44) < share * kSteps;
  }

  absl::Status Sanitize(const Case& test_case, Observation* observation) {
    const SanitizedStats before = sanitized_->sanitized_stats();
    IRATE_RETURN_IF_ERROR(sanitized_->Add(test_case, observation));
    const SanitizedStats& after = sanitized_->sanitized_stats();
    progress_.set_sanitized(progress_.sanitized() + after.variants - before.variants);
    progress_.set_not_sanitized(progress_.not_sanitized() + after.not_sanitized -
                                before.not_sanitized);
    progress_.set_sanitized_seconds(progress_.sanitized_seconds() +
                                    (after.wall_ms - before.wall_ms) / 1e3);
    return absl::OkStatus();
  }

  absl::Status HandleFinding(const Case& test_case, const Finding& finding, uint64_t index,
                             Triager& triager, const WorkerHistory& history) {
    JobEvent event;
    JobSighting& sighting = *event.mutable_sighting();
    sighting.set_case_index(index);
    *sighting.mutable_finding() = finding;
    // Tier 2 names its findings for good, and some of the known ones are in nearly every Case.
    if (&triager != triager_.get() && fuzz_.triage.known.contains(finding.signature())) {
      sighting.set_outcome(JobSighting::KNOWN);
      return channel_.Send(event);
    }
    if (!budget_.ShouldReduce(finding.signature(), SecondsSince(started_), triage_seconds_)) {
      IRATE_RETURN_IF_ERROR(CountByKind(&sighting));
      return channel_.Send(event);
    }
    const Clock::time_point start = Clock::now();
    IRATE_ASSIGN_OR_RETURN(const TriageResult result, triager.Triage(test_case, finding, history));
    const double seconds = SecondsSince(start);
    triage_seconds_ += seconds;
    progress_.set_triage_seconds(progress_.triage_seconds() + seconds);
    if (page_.stop) return absl::OkStatus();
    *sighting.mutable_finding() = result.finding;
    sighting.set_path(result.path);
    sighting.set_reproducer_verified(result.reproducer_verified);
    switch (result.outcome) {
      case TriageResult::Outcome::kNew:
      case TriageResult::Outcome::kSeen:
        sighting.set_outcome(JobSighting::RECORDED);
        break;
      case TriageResult::Outcome::kKnown:
        sighting.set_outcome(JobSighting::KNOWN);
        break;
      case TriageResult::Outcome::kNotReproduced:
        sighting.set_outcome(JobSighting::NOT_REPRODUCED);
        break;
      case TriageResult::Outcome::kRefereeDisagrees:
        sighting.set_outcome(JobSighting::REFEREE_DISAGREES);
        break;
      case TriageResult::Outcome::kStopped:
        return absl::OkStatus();
    }
    if (sighting.outcome() == JobSighting::RECORDED || sighting.outcome() == JobSighting::KNOWN) {
      budget_.Learn(finding.signature(), result.finding.signature());
    }
    return channel_.Send(event);
  }

  // A sighting that is not reduced is counted where its kind has had one reduced form only.
  absl::Status CountByKind(JobSighting* sighting) {
    const std::string signature = budget_.OnlySignature(sighting->finding().signature());
    sighting->set_outcome(JobSighting::NOT_REDUCED);
    if (signature.empty()) return absl::OkStatus();
    sighting->mutable_finding()->set_signature(signature);
    if (fuzz_.triage.known.contains(signature)) {
      sighting->set_outcome(JobSighting::KNOWN);
      return absl::OkStatus();
    }
    sighting->set_outcome(JobSighting::RECORDED);
    sighting->set_path(store_->PathOf(signature));
    const auto count = [this, signature] { return store_->Count(signature, 1); };
    const absl::Status status = count();
    return status.ok() ? status : Defer(count, status);
  }

  // The run goes on; the write is done again before each report.
  absl::Status Defer(DeferredWrites::Write write, const absl::Status& problem) {
    IRATE_RETURN_IF_ERROR(deferred_.Add(std::move(write), problem));
    return SendFault(
        fmt::format("a finding waits to be written: {}", std::string(problem.message())),
        page_.case_index);
  }

  absl::Status SendFault(const std::string& message, uint64_t index) {
    JobEvent event;
    event.mutable_fault()->set_message(message);
    event.mutable_fault()->set_case_index(index);
    return channel_.Send(event);
  }

  absl::Status Report() {
    deferred_.TryAgain();
    JobEvent event;
    event.mutable_progress()->Swap(&progress_);
    progress_.Clear();
    reported_ = Clock::now();
    return channel_.Send(event);
  }

  absl::Status ReportMutators() {
    JobEvent event;
    const std::vector<MutatorCounts>& counts = source_->yield().counts();
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].tried == 0) continue;
      JobMutator* one = event.mutable_mutators()->add_mutators();
      one->set_name(std::string(Mutators()[i]->Name()));
      one->set_tried(counts[i].tried);
      one->set_applied(counts[i].applied);
      one->set_valid(counts[i].valid);
      one->set_defined(counts[i].defined);
      one->set_executed(counts[i].executed);
      one->set_interesting(counts[i].interesting);
    }
    return channel_.Send(event);
  }

  const JobOptions& options_;
  const FuzzOptions& fuzz_;
  JobPage& page_;
  Channel& channel_;
  ReductionBudget budget_;
  std::unique_ptr<Harness> harness_;
  std::unique_ptr<Harness> passes_only_;
  std::unique_ptr<Harness> thorough_;  // every step twice, with the compiler's own checks
  std::unique_ptr<Triager> thorough_triager_;
  std::unique_ptr<FindingStore> store_;
  std::unique_ptr<Triager> triager_;
  std::unique_ptr<SanitizedTier> sanitized_;  // null: no Case runs in tier 2
  std::unique_ptr<Triager> sanitized_triager_;
  std::unique_ptr<CaseSource> source_;
  const Clock::time_point started_ = Clock::now();
  Clock::time_point reported_ = Clock::now();
  double triage_seconds_ = 0;
  DeferredWrites deferred_;
  JobProgress progress_;
};

}  // namespace

absl::Status RunJob(const JobOptions& options, JobPage* page, Channel* channel) {
  const absl::Status status = Job(options, page, channel).Run();
  JobEvent event;
  if (status.ok()) {
    event.set_finished(true);
  } else {
    event.mutable_fault()->set_message(std::string(status.message()));
    event.mutable_fault()->set_case_index(page->case_index);
    event.mutable_fault()->set_fatal(true);
  }
  const absl::Status sent = channel->Send(event);
  return status.ok() ? sent : status;
}

}  // namespace irate
