#include "oracles/analysis/points.h"

#include <algorithm>
#include <array>

namespace irate::analysis {
namespace {

constexpr int64_t kUnboundMin = -24;
constexpr int64_t kUnboundExtent = 65;
constexpr auto kFar =
    std::to_array<int64_t>({-1'000'000, -1'024, -100, 100, 127, 1'024, 1'000'000});

// SplitMix64: the same on every machine.
uint64_t Next(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t Draw(const VariableRange& range, uint64_t* state) {
  if (range.local()) return 0;
  if (range.bound()) {
    return range.min() + static_cast<int64_t>(Next(state) % static_cast<uint64_t>(range.extent()));
  }
  if (Next(state) % 16 == 0) return kFar[Next(state) % kFar.size()];
  return kUnboundMin + static_cast<int64_t>(Next(state) % kUnboundExtent);
}

void AddAll(const AnalysisQuestion& question, size_t count, Points* points) {
  points->count = count;
  points->exhaustive = true;
  size_t repeat = 1;
  for (int v = question.ranges_size() - 1; v >= 0; --v) {
    const VariableRange& range = question.ranges(v);
    std::vector<int64_t>& column = points->values[static_cast<size_t>(v)];
    const auto extent = static_cast<size_t>(range.local() ? 1 : range.extent());
    column.resize(count);
    for (size_t p = 0; p < count; ++p) {
      column[p] = range.min() + static_cast<int64_t>(p / repeat % extent);
    }
    repeat *= extent;
  }
}

void AddSome(const AnalysisQuestion& question, size_t limit, Points* points) {
  points->count = limit;
  uint64_t state = 1;
  const size_t corners = std::min(limit / 4, size_t{1} << std::min(question.ranges_size(), 8));
  for (int v = 0; v < question.ranges_size(); ++v) {
    const VariableRange& range = question.ranges(v);
    std::vector<int64_t>& column = points->values[static_cast<size_t>(v)];
    column.resize(limit);
    for (size_t p = 0; p < limit; ++p) {
      const bool at_corner = p < corners && range.bound();
      const bool high = (p >> v & 1) != 0;
      column[p] = at_corner ? range.min() + (high ? range.extent() - 1 : 0) : Draw(range, &state);
    }
  }
}

}  // namespace

Points MakePoints(const AnalysisQuestion& question, size_t limit) {
  Points points;
  points.values.resize(static_cast<size_t>(question.ranges_size()));
  size_t count = 1;
  for (const VariableRange& range : question.ranges()) {
    if (range.local()) continue;
    const bool fits = range.bound() && range.extent() > 0 &&
                      static_cast<uint64_t>(range.extent()) <= limit &&
                      count * static_cast<size_t>(range.extent()) <= limit;
    count = fits ? count * static_cast<size_t>(range.extent()) : limit + 1;
    if (!fits) break;
  }
  if (count <= limit) {
    AddAll(question, count, &points);
  } else {
    AddSome(question, limit, &points);
  }
  return points;
}

}  // namespace irate::analysis
