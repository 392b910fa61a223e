#include "triage/line_diff.h"

#include <algorithm>
#include <cstdint>

namespace irate {
namespace {

constexpr size_t kMaxPairs = 1'000'000;

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::vector<DiffLine> DiffLines(std::string_view before, std::string_view after) {
  const std::vector<std::string> a = Lines(before);
  const std::vector<std::string> b = Lines(after);
  std::vector<DiffLine> diff;
  if (a.size() * b.size() > kMaxPairs) {
    for (const std::string& line : a) diff.push_back({'-', line});
    for (const std::string& line : b) diff.push_back({'+', line});
    return diff;
  }
  // common[i][j]: length of the longest common subsequence of a[i..] and b[j..].
  const size_t width = b.size() + 1;
  std::vector<uint32_t> common((a.size() + 1) * width, 0);
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i * width + j] =
          a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                       : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      diff.push_back({' ', a[i++]});
      ++j;
    } else if (j == b.size() ||
               (i < a.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      diff.push_back({'-', a[i++]});
    } else {
      diff.push_back({'+', b[j++]});
    }
  }
  return diff;
}

}  // namespace irate
