// What a libFuzzer binary does with an input: decodes it, runs it, judges it, and makes new ones.
//
//  * An input is a Case (fuzzers/case_codec.h) and nothing else decides what runs, so replaying a
//    file takes the path of the run that wrote it.
//  * The compiler runs in workers, never in this process.
//  * A finding is triaged as by `irate fuzz`: reduced, confirmed in a fresh worker, compared with
//    the known ones, recorded. How often a kind that was seen before is reduced again depends on
//    counts alone, so that two runs with one seed do the same.
//  * Inputs are made by mutation of the one given, or generated from the seed where that is no Case
//    or by chance; always the same for the same inputs, seeds and history.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "execution/sanitized_tier.h"
#include "fuzzers/libfuzzer_flags.h"
#include "fuzzers/novelty.h"
#include "generators/generator.h"
#include "generators/mutate/engine.h"
#include "triage/finding_store.h"
#include "triage/known_findings.h"
#include "triage/triager.h"

namespace irate {

// What came of an input.
struct InputResult {
  bool accepted = false;           // it was a Case, and one that is a test
  std::string rejection;           // why not
  std::vector<uint32_t> features;  // of the run
  // A finding that is not known and was recorded; the process is to end unless it goes on.
  std::optional<TriageResult> finding;
};

class LibFuzzerTarget {
 public:
  // Nothing is started before the first input.
  explicit LibFuzzerTarget(LibFuzzerFlags flags);
  ~LibFuzzerTarget();

  // Errors are of the environment: no worker, no compiler, a full disk.
  absl::StatusOr<InputResult> Run(std::span<const uint8_t> input);

  // New inputs of at most `max_size` bytes; `input` as it is where that is too little.
  absl::StatusOr<std::string> Mutate(std::span<const uint8_t> input, size_t max_size,
                                     uint32_t seed);
  absl::StatusOr<std::string> Cross(std::span<const uint8_t> first, std::span<const uint8_t> second,
                                    size_t max_size, uint32_t seed);

  const LibFuzzerFlags& flags() const { return flags_; }
  // Inputs, mutators, findings: for the end of a run.
  std::string StatsText() const;

 private:
  absl::Status Start();
  absl::Status ProveDetection() const;
  absl::Status StartSanitized(const TriageOptions& triage);
  // The findings, of the sanitized run where there were no others and the input is one of those.
  absl::Status Judge(const Case& test_case, bool sanitize, Observation* observation,
                     InputResult* result);
  absl::Status Handle(const Case& test_case, const Finding& finding, Triager& triager,
                      const WorkerHistory& history, InputResult* result);
  bool ShouldSanitize(std::span<const uint8_t> input) const;
  bool ShouldReduce(const std::string& kind);
  std::string Generate(uint32_t seed, size_t max_size) const;
  void Remember(const Case& test_case);
  std::string Encoded(const MutationEngine::Child& child);

  const LibFuzzerFlags flags_;
  GenerateOptions generate_;
  std::unique_ptr<Harness> harness_;
  std::unique_ptr<Harness> passes_only_;
  std::unique_ptr<FindingStore> store_;
  std::unique_ptr<Triager> triager_;
  std::unique_ptr<SanitizedTier> sanitized_;  // null: no input runs in tier 2
  std::unique_ptr<Triager> sanitized_triager_;
  std::unique_ptr<MutationEngine> engine_;
  bool fuzzing_ = false;  // an input was asked for: not a replay
  SeenFeatures seen_;
  std::map<std::string, uint64_t> sightings_;          // by raw signature
  std::map<std::string, MutationEngine::Child> made_;  // by bytes: to learn from
  std::vector<Case> recent_;                           // parents, to take parts from
  size_t next_recent_ = 0;
  // For StatsText.
  uint64_t runs_ = 0;
  uint64_t rejected_ = 0;
  uint64_t known_ = 0;
  uint64_t not_reduced_ = 0;
  uint64_t not_recorded_ = 0;
  std::map<std::string, uint64_t> found_;  // by signature
};

}  // namespace irate
