#include "generators/feature_list.h"

#include <algorithm>
#include <sstream>

namespace irate {

std::set<std::string> ListedFeatures(const std::string& text) {
  std::set<std::string> features;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    for (std::string name; words >> name;) features.insert(name);
  }
  return features;
}

}  // namespace irate
