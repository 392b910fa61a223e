#include "fuzzers/libfuzzer_target.h"

#include <unistd.h>

#include <bit>
#include <filesystem>
#include <utility>

#include "execution/doctor.h"
#include "execution/find_worker.h"
#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "fuzzers/case_codec.h"
#include "generators/feature_list.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "targets/c/second_reference.h"
#include "targets/pass_maps.h"

namespace irate {
namespace {

namespace fs = std::filesystem;

// One input in so many is generated although there was one to mutate.
constexpr int kFreshOneIn = 5;
constexpr size_t kRecent = 64;
// Of a kind of finding: reduced the first few times, and then at every power of two.
constexpr uint64_t kAlwaysReduced = 3;

std::string KnownFolder(const LibFuzzerFlags& flags) {
  return flags.known.empty() ? IRATE_SOURCE_DIR "/corpus/known" : flags.known;
}

// A list that is not there names nothing.
std::set<std::string> FeaturesIn(const LibFuzzerFlags& flags, const char* file) {
  const absl::StatusOr<std::string> text =
      ReadFile(fmt::format("{}/{}", KnownFolder(flags), file), 1 << 20);
  return text.ok() ? ListedFeatures(*text) : std::set<std::string>();
}

absl::StatusOr<WorkerOptions> MakeWorkerOptions(const LibFuzzerFlags& flags,
                                                bool sanitized = false) {
  absl::StatusOr<WorkerOptions> worker = sanitized
                                             ? WorkerAt(flags.asan_worker, "irate-worker-asan")
                                             : WorkerAt(flags.worker, "irate-worker");
  if (!worker.ok()) {
    return absl::NotFoundError(
        fmt::format("{} (--worker=PATH)", std::string(worker.status().message())));
  }
  worker->target = flags.target;
  worker->deadline = std::chrono::milliseconds(static_cast<int64_t>(flags.deadline * 1000));
  return worker;
}

TriageOptions MakeTriageOptions(const LibFuzzerFlags& flags, const KnownFindings& known) {
  TriageOptions options;
  // Bounded by tests and not by time, so that a slow machine finds the same.
  options.reduce.time = std::chrono::minutes(10);
  const std::string python = flags.python.empty() ? IRATE_VENV "/bin/python" : flags.python;
  if (access(python.c_str(), X_OK) == 0) options.reproducer.python = python;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  options.reproducer.irate = (self.parent_path() / "irate").string();
  options.known = Signatures(known);
  options.referee = [](const Case& test_case) { return RunSecondReference(test_case); };
  return options;
}

TargetSpec SpecOf(const LibFuzzerFlags& flags) {
  TargetSpec spec;
  spec.set_target(flags.target);
  spec.set_options(flags.target_options);
  return spec;
}

std::string AsString(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

LibFuzzerTarget::LibFuzzerTarget(LibFuzzerFlags flags) : flags_(std::move(flags)) {
  generate_.family = flags_.family;
  generate_.disabled_features = flags_.disabled_features;
  generate_.devices = flags_.target == "tvm";
  if (flags_.avoid) generate_.avoided_features = FeaturesIn(flags_, "avoid.txt");
  generate_.disabled_features.merge(FeaturesIn(flags_, "doubtful.txt"));
  if (const absl::StatusOr<const PassMap*> map = PassMapOf(flags_.target); map.ok()) {
    generate_.pass_map = *map;
  }
}

LibFuzzerTarget::~LibFuzzerTarget() = default;

absl::Status LibFuzzerTarget::Start() {
  if (triager_ != nullptr) return absl::OkStatus();
  HarnessOptions options;
  IRATE_ASSIGN_OR_RETURN(options.worker, MakeWorkerOptions(flags_));
  IRATE_ASSIGN_OR_RETURN(harness_, Harness::Create(options));
  options.target.run_native = false;
  IRATE_ASSIGN_OR_RETURN(passes_only_, Harness::Create(options));
  IRATE_ASSIGN_OR_RETURN(const KnownFindings known, ReadKnownFindings(KnownFolder(flags_)));
  IRATE_ASSIGN_OR_RETURN(FindingStore store, FindingStore::Open(flags_.findings));
  store_ = std::make_unique<FindingStore>(std::move(store));
  MutateOptions mutate;
  mutate.disabled_features = generate_.disabled_features;
  mutate.avoided_features = generate_.avoided_features;
  mutate.learn = flags_.feedback;
  IRATE_ASSIGN_OR_RETURN(mutate.passes, harness_->worker().DefaultPasses(SpecOf(flags_)));
  if (const PassMap* map = generate_.pass_map; map != nullptr) {
    mutate.is_strict_walk = [map](const PassSequence& passes) {
      return IsStrictSequence(*map, passes);
    };
  }
  engine_ = std::make_unique<MutationEngine>(std::move(mutate));
  const TriageOptions triage = MakeTriageOptions(flags_, known);
  if (flags_.sanitize > 0) IRATE_RETURN_IF_ERROR(StartSanitized(triage));
  triager_ = std::make_unique<Triager>(harness_.get(), passes_only_.get(), store_.get(), triage);
  return absl::OkStatus();
}

absl::Status LibFuzzerTarget::StartSanitized(const TriageOptions& triage) {
  IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, MakeWorkerOptions(flags_, true));
  IRATE_ASSIGN_OR_RETURN(sanitized_, SanitizedTier::Create(harness_.get(), worker));
  sanitized_triager_ =
      std::make_unique<Triager>(sanitized_.get(), passes_only_.get(), store_.get(), triage);
  return absl::OkStatus();
}

bool LibFuzzerTarget::ShouldSanitize(std::span<const uint8_t> input) const {
  if (sanitized_ == nullptr) return false;
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : input) hash = (hash ^ byte) * 0x100000001b3;
  constexpr double kSteps = 1 << 20;
  return static_cast<double>((hash * 0x9e3779b97f4a7c15) >> 44) < flags_.sanitize * kSteps;
}

// Fuzzing a compiler whose crashes would go unnoticed is worse than none.
absl::Status LibFuzzerTarget::ProveDetection() const {
  IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, MakeWorkerOptions(flags_));
  const DoctorReport report = RunDoctor(worker);
  if (report.ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("faults of the target {} would not be noticed, so it is not fuzzed:\n{}",
                  report.target, report.ToText()));
}

absl::StatusOr<InputResult> LibFuzzerTarget::Run(std::span<const uint8_t> input) {
  InputResult result;
  const absl::StatusOr<Case> test_case = DecodeCase(input);
  if (!test_case.ok()) {
    ++rejected_;
    result.rejection = std::string(test_case.status().message());
    return result;
  }
  IRATE_RETURN_IF_ERROR(Start());
  ++runs_;
  absl::StatusOr<Observation> observation = harness_->Execute(*test_case);
  if (absl::IsInvalidArgument(observation.status())) {
    ++rejected_;
    result.rejection = std::string(observation.status().message());
    return result;
  }
  if (!observation.ok()) return observation.status();
  const bool is_wild = test_case->passes().mode() == WILD;
  if (!is_wild && observation->reference().status() != Interpretation::DEFINED) {
    ++rejected_;
    result.rejection = fmt::format("no test: {} ({})",
                                   Interpretation::Status_Name(observation->reference().status()),
                                   observation->reference().reason());
    return result;
  }
  result.accepted = true;
  if (flags_.feedback) result.features = NoveltyFeatures(*test_case, *observation);
  const bool interesting = seen_.Add(result.features) > 0;
  const auto made = made_.find(AsString(input));
  if (made != made_.end()) {
    engine_->Learn(made->second, interesting);
    made_.erase(made);
  }
  if (!flags_.is_merge) {
    IRATE_RETURN_IF_ERROR(Judge(*test_case, ShouldSanitize(input), &*observation, &result));
  }
  return result;
}

absl::Status LibFuzzerTarget::Judge(const Case& test_case, bool sanitize, Observation* observation,
                                    InputResult* result) {
  for (const std::string& fault : HarnessFaults(*observation)) {
    fmt::print(stderr, "irate: a fault of irate itself: {}\n", fault);
  }
  std::vector<Finding> findings = JudgeAll(test_case, *observation);
  Triager* triager = triager_.get();
  if (findings.empty() && sanitize) {
    IRATE_RETURN_IF_ERROR(sanitized_->Add(test_case, observation));
    findings = JudgeAll(test_case, *observation);
    triager = sanitized_triager_.get();
  }
  // Now: triage of a first finding runs other Cases.
  std::vector<WorkerHistory> histories;
  histories.reserve(findings.size());
  for (const Finding& finding : findings) histories.push_back(harness_->History(finding.variant()));
  for (size_t i = 0; i < findings.size(); ++i) {
    IRATE_RETURN_IF_ERROR(Handle(test_case, findings[i], *triager, histories[i], result));
    if (result->finding.has_value() && !flags_.GoesOn()) break;
  }
  return absl::OkStatus();
}

absl::Status LibFuzzerTarget::Handle(const Case& test_case, const Finding& finding,
                                     Triager& triager, const WorkerHistory& history,
                                     InputResult* result) {
  if (!ShouldReduce(finding.signature())) {
    ++not_reduced_;
    return absl::OkStatus();
  }
  IRATE_ASSIGN_OR_RETURN(TriageResult triaged, triager.Triage(test_case, finding, history));
  using Outcome = TriageResult::Outcome;
  switch (triaged.outcome) {
    case Outcome::kKnown:
      ++known_;
      break;
    case Outcome::kNotReproduced:
    case Outcome::kRefereeDisagrees:
    case Outcome::kStopped:
      ++not_recorded_;
      break;
    case Outcome::kNew:
    case Outcome::kSeen: {
      const bool first = ++found_[triaged.finding.signature()] == 1;
      // Where findings do not end the run, each is reported once.
      const bool seen_before = triaged.outcome == Outcome::kSeen || !first;
      if (flags_.ignore_crashes && seen_before) break;
      if (!result->finding.has_value()) result->finding = std::move(triaged);
      break;
    }
  }
  return absl::OkStatus();
}

bool LibFuzzerTarget::ShouldReduce(const std::string& kind) {
  const uint64_t count = ++sightings_[kind];
  return count <= kAlwaysReduced || std::has_single_bit(count);
}

std::string LibFuzzerTarget::Generate(uint32_t seed, size_t max_size) const {
  // One that is too large is rare: the next are tried.
  for (uint64_t i = 0; i < 8; ++i) {
    Case test_case = GenerateCase(CaseSeed(seed, i), generate_);
    if (!flags_.target_options.empty() || flags_.target != "tvm") {
      *test_case.add_targets() = SpecOf(flags_);
    }
    std::string bytes = EncodeCase(test_case);
    if (bytes.size() <= max_size) return bytes;
  }
  return "";
}

void LibFuzzerTarget::Remember(const Case& test_case) {
  if (recent_.size() < kRecent) {
    recent_.push_back(test_case);
    return;
  }
  recent_[next_recent_] = test_case;
  next_recent_ = (next_recent_ + 1) % kRecent;
}

std::string LibFuzzerTarget::Encoded(const MutationEngine::Child& child) {
  std::string bytes = EncodeCase(child.test_case);
  // Those that libFuzzer never ran need not be kept for long.
  if (made_.size() > kRecent) made_.clear();
  made_[bytes] = child;
  return bytes;
}

absl::StatusOr<std::string> LibFuzzerTarget::Mutate(std::span<const uint8_t> input, size_t max_size,
                                                    uint32_t seed) {
  if (!std::exchange(fuzzing_, true) && flags_.doctor && !flags_.is_fork_child) {
    IRATE_RETURN_IF_ERROR(ProveDetection());
  }
  IRATE_RETURN_IF_ERROR(Start());
  ChoiceSource choices(CaseSeed(seed, 1));
  const bool fresh = choices.Chance(1, kFreshOneIn);
  const absl::StatusOr<Case> parent = DecodeCase(input);
  if (fresh || !flags_.mutation || !parent.ok()) {
    std::string generated = Generate(seed, max_size);
    return generated.empty() ? AsString(input) : generated;
  }
  Remember(*parent);
  const Case& donor =
      recent_[static_cast<size_t>(choices.Range(0, static_cast<int64_t>(recent_.size()) - 1))];
  const std::optional<MutationEngine::Child> child = engine_->Mutate(*parent, &donor, choices);
  if (!child.has_value()) {
    std::string generated = Generate(seed, max_size);
    return generated.empty() ? AsString(input) : generated;
  }
  std::string bytes = Encoded(*child);
  return bytes.size() <= max_size ? bytes : AsString(input);
}

absl::StatusOr<std::string> LibFuzzerTarget::Cross(std::span<const uint8_t> first,
                                                   std::span<const uint8_t> second, size_t max_size,
                                                   uint32_t seed) {
  IRATE_RETURN_IF_ERROR(Start());
  const absl::StatusOr<Case> parent = DecodeCase(first);
  const absl::StatusOr<Case> donor = DecodeCase(second);
  if (!parent.ok() || !donor.ok() || !flags_.mutation) return Mutate(first, max_size, seed);
  ChoiceSource choices(CaseSeed(seed, 2));
  const std::optional<MutationEngine::Child> child = engine_->Cross(*parent, *donor, choices);
  if (!child.has_value()) return Mutate(first, max_size, seed);
  std::string bytes = Encoded(*child);
  return bytes.size() <= max_size ? bytes : AsString(first);
}

std::string LibFuzzerTarget::StatsText() const {
  std::string text = fmt::format(
      "stat::irate_cases: {}\nstat::irate_rejected: {}\nstat::irate_known_sightings: {}\n"
      "stat::irate_not_reduced: {}\nstat::irate_not_recorded: {}\nstat::irate_features: {}\n",
      runs_, rejected_, known_, not_reduced_, not_recorded_, seen_.size());
  for (const auto& [signature, count] : found_) {
    text += fmt::format("irate: found {} ({} times)\n", signature, count);
  }
  if (engine_ != nullptr) text += engine_->yield().ToText();
  return text;
}

}  // namespace irate
