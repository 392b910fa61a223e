// Pass sequences from choices and a pass map (ir/pass_map.h).
//
//  * default: none, the target's own pipeline.
//  * options: the same pipeline under drawn options.
//  * strict:  a walk that the map allows (PassMap::Check): the pipeline, or only what the map
//             requires, with passes inserted, repeated, moved, dropped and given other arguments;
//             every third one under options. It always ends at the last stage, so that the module
//             can be built.
//  * wild:    any passes in any order, under any options.
//
// Deterministic in the choices. Exhausted choices give the default.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "generators/choice.h"
#include "ir/irate.pb.h"
#include "ir/pass_map.h"

namespace irate {

enum class SequenceKind { kDefault, kOptions, kStrict, kWild };
inline constexpr size_t kSequenceKinds = 4;

std::string_view Name(SequenceKind kind);  // "default"
std::optional<SequenceKind> FindSequenceKind(std::string_view name);
// What a sequence is, by its look.
SequenceKind KindOf(const PassSequence& passes);

// Relative shares of the kinds, in their order.
using SequenceMix = std::array<int, kSequenceKinds>;
inline constexpr SequenceMix kDefaultMix = {50, 18, 26, 6};
// One kind only.
SequenceMix Only(SequenceKind kind);

PassSequence GenerateSequence(ChoiceSource& choices, const PassMap& map, SequenceKind kind);
// The same of a kind drawn from `mix`.
PassSequence GenerateSequence(ChoiceSource& choices, const PassMap& map, const SequenceMix& mix);

// One change of a strict sequence that keeps it strict: a pass inserted, repeated, moved, dropped,
// exchanged with its neighbour or given other arguments. False if none of a few tries fitted. For
// mutators; `passes` must have steps.
bool MutateStrict(ChoiceSource& choices, const PassMap& map, PassSequence* passes);
// One change of any kind.
void MutateWild(ChoiceSource& choices, const PassMap& map, PassSequence* passes);

// Whether a strict Case may have these passes: with steps PassMap::Check, without steps the same of
// the pipeline under the options.
bool IsStrictSequence(const PassMap& map, const PassSequence& passes);

// Replaces the options by one to three drawn ones; in `wild` also those of wild mode.
void DrawOptions(ChoiceSource& choices, const PassMap& map, bool wild, PassSequence* passes);

}  // namespace irate
