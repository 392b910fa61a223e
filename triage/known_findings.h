// The findings that are known: corpus/known, a folder for each cause.
//
// One cause shows under several signatures: with other operators of a kind, or in another pass that
// calls the same function. So a folder may hold also.txt: further signatures of its cause, one a
// line; # starts a comment. Each was looked at by hand, like the folder's own.
#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"

namespace irate {

// Signature to the folder that says what it is. An absent directory has none. InvalidArgument: two
// folders claim one signature.
using KnownFindings = std::map<std::string, std::string>;
absl::StatusOr<KnownFindings> ReadKnownFindings(const std::string& directory);

std::set<std::string> Signatures(const KnownFindings& known);

}  // namespace irate
