// Files that name features: one a line, what follows a '#' is for people.
#pragma once

#include <set>
#include <string>

namespace irate {

// The words of `text` that are no comment, whether or not there are such features.
std::set<std::string> ListedFeatures(const std::string& text);

}  // namespace irate
