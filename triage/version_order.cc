#include "triage/version_order.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

namespace irate {
namespace {

// A word is below the end of the version if it announces a release, above if it follows one.
int64_t Rank(std::string_view word) {
  if (word == "dev") return -4;
  if (word == "a" || word == "alpha") return -3;
  if (word == "b" || word == "beta") return -2;
  if (word == "rc" || word == "c" || word == "pre") return -1;
  return 1;  // "post" and what we do not know
}

struct Part {
  int64_t rank = 0;  // of a number 0
  int64_t number = 0;
  std::strong_ordering operator<=>(const Part&) const = default;
};

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<Part> Parts(std::string_view version) {
  version = version.substr(0, version.find('+'));
  std::vector<Part> parts;
  for (size_t i = 0; i < version.size();) {
    const char c = version[i];
    size_t end = i;
    if (IsDigit(c)) {
      int64_t number = 0;
      for (; end < version.size() && IsDigit(version[end]); ++end) {
        number = std::min<int64_t>(number * 10 + (version[end] - '0'), int64_t{1} << 50);
      }
      parts.push_back({0, number});
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      while (end < version.size() && std::isalpha(static_cast<unsigned char>(version[end])) != 0) {
        ++end;
      }
      if (version.substr(i, end - i) != "v") parts.push_back({Rank(version.substr(i, end - i)), 0});
    } else {
      ++end;
    }
    i = end;
  }
  return parts;
}

}  // namespace

std::strong_ordering CompareVersions(std::string_view a, std::string_view b) {
  const std::vector<Part> left = Parts(a);
  const std::vector<Part> right = Parts(b);
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const Part x = i < left.size() ? left[i] : Part{};
    const Part y = i < right.size() ? right[i] : Part{};
    if (const std::strong_ordering order = x <=> y; order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace irate
