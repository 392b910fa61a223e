// Programs that were not generated, corpus/seeds: real operators as a compiler's own library writes
// them. A share of the Cases are these, with a schedule and inputs drawn anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generators/generator.h"
#include "ir/irate.pb.h"

namespace irate {

// Every .irate file of the folder, by name; none if there is no such folder.
absl::StatusOr<std::vector<Case>> LoadSeedPrograms(const std::string& folder);

// One of options.seeds, for its share of the case seeds; nullopt for the others, and where the
// program has features that are off.
std::optional<Case> DrawSeedProgram(uint64_t seed, const GenerateOptions& options);

}  // namespace irate
