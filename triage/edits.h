// The single steps of the thin reducer: changes that make a Case smaller and may keep its finding.
//
// An edit kind has positions (the n-th statement, expression, loop, ... in pre-order) and at each
// position a few variants. Applying one changes the Case in place and promises nothing about the
// result: it may not verify, may not be defined, may not show the finding. The reducer asks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate {

enum class EditResult {
  kApplied,
  kNotApplicable,  // this variant does not fit here; another may
  kNoPosition,     // there are not that many positions
};

struct EditKind {
  std::string_view name;
  int variants;
  EditResult (*apply)(Case* test_case, int position, int variant);
  // Left to the full reducer: the compiler's options are part of how a Case is run.
  bool full_only = false;
};

// In the order in which they are tried: the largest steps first.
std::span<const EditKind> EditKinds();

// How much is left to reduce: every accepted step makes it smaller, so reduction ends. Counts
// messages first, then leaves that are no constants, loops that are not serial, the size of
// constants.
int64_t Weight(const Case& test_case);

}  // namespace irate
