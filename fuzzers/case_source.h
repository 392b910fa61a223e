// Where the Cases of one job of `irate fuzz` come from: generated from the seed, or made by
// mutating earlier ones that showed something new.
//
//  1. Whether Case number i is a generated or a mutated one depends on the seed and i alone. The
//     generated ones are those of `irate generate`, whatever the number of jobs.
//  2. A mutated one depends on the job's interesting Cases so far, its *pool*: with the same seed,
//     number of jobs and contents of the corpus folder it is the same in every run, as long as no
//     job was replaced. Until there is a pool, Cases are generated.
//  3. A Case is interesting if it was defined and its run had features (fuzzers/novelty.h) that no
//     earlier one of the job had. Without feedback every defined Case goes to the pool by chance.
//  4. With a corpus folder, interesting Cases are kept there as text, by the hash of their bytes,
//     and the features that were seen, so that a later run goes on from there. Files that others
//     put there are taken as well; what is no Case is left alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fuzzers/novelty.h"
#include "generators/mutate/engine.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct CaseSourceOptions {
  bool mutate = true;    // else every Case is generated
  bool feedback = true;  // else what a run showed changes nothing
  int mutated_percent = 50;
  std::string corpus{};  // folder; empty: the pool is only in memory
  size_t pool = 4'096;   // Cases in memory, at most
};

class CaseSource {
 public:
  // `generate` gives the generated Case of a number. Errors: the corpus folder.
  static absl::StatusOr<std::unique_ptr<CaseSource>> Open(const CaseSourceOptions& options,
                                                          MutateOptions mutate, uint64_t seed,
                                                          uint64_t job,
                                                          std::function<Case(uint64_t)> generate);

  Case Next(uint64_t index);
  // What came of the Case that Next gave last. True if it was interesting. Errors: the corpus
  // folder (disk full).
  absl::StatusOr<bool> Learn(const Case& test_case, const Observation& observation);

  const MutatorYield& yield() const { return engine_.yield(); }
  size_t pool_size() const { return pool_.size(); }
  size_t features() const { return seen_.size(); }
  bool last_was_mutated() const { return last_.has_value(); }

 private:
  CaseSource(const CaseSourceOptions& options, MutateOptions mutate, uint64_t seed, uint64_t job,
             std::function<Case(uint64_t)> generate);
  absl::Status Load();
  absl::Status Keep(const Case& test_case, const std::vector<uint32_t>& features);
  void AddToPool(Case test_case);
  const Case& PickParent(ChoiceSource& choices) const;

  const CaseSourceOptions options_;
  const uint64_t seed_;
  const std::string features_file_;
  const std::function<Case(uint64_t)> generate_;
  MutationEngine engine_;
  SeenFeatures seen_;
  std::vector<Case> pool_;
  size_t replaced_ = 0;  // the next to go where the pool is full
  std::optional<MutationEngine::Child> last_;
  uint64_t last_index_ = 0;
};

// How far runs on a corpus folder have come: the seed, and the first number that no run has
// started. NotFound for a folder without.
struct CorpusProgress {
  uint64_t seed = 0;
  uint64_t next = 0;
};
absl::StatusOr<CorpusProgress> ReadCorpusProgress(const std::string& corpus);
absl::Status WriteCorpusProgress(const std::string& corpus, const CorpusProgress& progress);

}  // namespace irate
