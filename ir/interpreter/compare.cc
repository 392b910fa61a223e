#include "ir/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ir/interpreter.h"
#include "ir/interpreter/minifloat.h"
#include "ir/types.h"

namespace irate {
namespace {

// One side of the comparison; `bounds` and `judged` may be missing.
struct Side {
  const Tensor* tensor;
  const std::string* judged;
  const std::string* bounds;
};

Side Of(const InterpretedTensor& output) {
  return {&output.tensor(), &output.judged(), &output.bounds()};
}

uint64_t Bits(const Tensor& tensor, int64_t element) {
  const auto size = static_cast<size_t>(ByteSize(tensor.type()));
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data().data() + static_cast<size_t>(element) * size, size);
  return bits;
}

double BoundOf(const Side& side, int64_t element) {
  if (side.bounds == nullptr || side.bounds->empty()) return 0;
  double bound = 0;
  std::memcpy(&bound, side.bounds->data() + static_cast<size_t>(element) * sizeof bound,
              sizeof bound);
  return bound;
}

char JudgedOf(const Side& side, int64_t element) {
  if (side.judged == nullptr || side.judged->empty()) return kJudged;
  return (*side.judged)[static_cast<size_t>(element)];
}

std::string Print(ScalarType type, uint64_t bits) {
  if (IsFloat(type)) {
    const double value = DecodeFloat(type, bits);
    return type == F32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  }
  if (IsSigned(type)) {
    const int shift = 64 - BitWidth(type);
    return fmt::format("{}", static_cast<int64_t>(bits << shift) >> shift);
  }
  return fmt::format("{}", bits);
}

bool Equal(ScalarType type, uint64_t expected, uint64_t actual, double tolerance) {
  if (expected == actual) return true;
  if (!IsFloat(type)) return false;
  const double a = DecodeFloat(type, expected);
  const double b = DecodeFloat(type, actual);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  // An infinity differs from everything finite by more than any bound.
  return std::fabs(a - b) <= tolerance && std::isfinite(a) && std::isfinite(b);
}

int64_t ElementCount(const Tensor& tensor) {
  return static_cast<int64_t>(tensor.data().size()) / std::max(1, ByteSize(tensor.type()));
}

std::string Describe(const Tensor& tensor) {
  return fmt::format("{}x{}[{}]", TypeName(tensor.type()), Lanes(tensor.lanes()),
                     fmt::join(tensor.shape(), ", "));
}

bool SameForm(const Tensor& a, const Tensor& b) {
  return a.type() == b.type() && a.lanes() == b.lanes() &&
         std::ranges::equal(a.shape(), b.shape()) && a.data().size() == b.data().size();
}

std::vector<int64_t> IndexOf(const Tensor& tensor, int64_t element) {
  std::vector<int64_t> extents(tensor.shape().begin(), tensor.shape().end());
  if (tensor.lanes() != 0) extents.push_back(tensor.lanes());
  std::vector<int64_t> index(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    index[i] = element % extents[i];
    element /= extents[i];
  }
  return index;
}

// Adds what one output shows to `result`, which keeps the first difference.
void CompareOutput(int output, const Side& expected, const Side& actual, bool double_bound,
                   std::optional<Difference>* result, int64_t* judged) {
  const ScalarType type = expected.tensor->type();
  const int64_t count = ElementCount(*expected.tensor);
  for (int64_t i = 0; i < count; ++i) {
    if (JudgedOf(expected, i) != kJudged || JudgedOf(actual, i) == kNotJudged) continue;
    ++*judged;
    const double own = BoundOf(expected, i);
    const double tolerance = own + (double_bound ? own : BoundOf(actual, i));
    const uint64_t a = Bits(*expected.tensor, i);
    const uint64_t b = Bits(*actual.tensor, i);
    if (Equal(type, a, b, tolerance)) continue;
    if (!*result) {
      result->emplace();
      (*result)->output = output;
      (*result)->index = IndexOf(*expected.tensor, i);
      (*result)->expected = Print(type, a);
      (*result)->actual = Print(type, b);
      (*result)->tolerance = tolerance;
    }
    ++(*result)->differing;
  }
}

Difference FormDifference(int output, std::string expected, std::string actual) {
  Difference difference;
  difference.output = output;
  difference.expected = std::move(expected);
  difference.actual = std::move(actual);
  return difference;
}

std::optional<Difference> CompareSides(const Interpretation& expected,
                                       const std::vector<Side>& actual, bool double_bound) {
  if (static_cast<size_t>(expected.outputs_size()) != actual.size()) {
    return FormDifference(0, fmt::format("{} outputs", expected.outputs_size()),
                          fmt::format("{} outputs", actual.size()));
  }
  std::optional<Difference> result;
  int64_t judged = 0;
  for (int i = 0; i < expected.outputs_size(); ++i) {
    const Side left = Of(expected.outputs(i));
    const Side& right = actual[static_cast<size_t>(i)];
    if (!SameForm(*left.tensor, *right.tensor)) {
      return FormDifference(i, Describe(*left.tensor), Describe(*right.tensor));
    }
    CompareOutput(i, left, right, double_bound, &result, &judged);
  }
  if (result) result->judged = judged;
  return result;
}

}  // namespace

std::string Difference::ToString() const {
  if (judged == 0) return fmt::format("output {}: expected {}, got {}", output, expected, actual);
  const std::string within = tolerance > 0 ? fmt::format(" +- {:.3g}", tolerance) : "";
  return fmt::format("output {}[{}]: expected {}{}, got {}; {} of {} judged elements differ",
                     output, fmt::join(index, ", "), expected, within, actual, differing, judged);
}

std::optional<Difference> Compare(const Interpretation& expected, const Interpretation& actual) {
  if (expected.status() != actual.status()) {
    return FormDifference(0, Interpretation::Status_Name(expected.status()),
                          Interpretation::Status_Name(actual.status()));
  }
  std::vector<Side> sides;
  for (const InterpretedTensor& output : actual.outputs()) sides.push_back(Of(output));
  return CompareSides(expected, sides, /*double_bound=*/false);
}

std::optional<Difference> Compare(const Interpretation& expected,
                                  const std::vector<Tensor>& actual) {
  std::vector<Side> sides;
  for (const Tensor& tensor : actual) sides.push_back({&tensor, nullptr, nullptr});
  return CompareSides(expected, sides, /*double_bound=*/true);
}

double InconclusiveShare(const Interpretation& interpretation) {
  int64_t elements = 0;
  int64_t skipped = 0;
  for (const InterpretedTensor& output : interpretation.outputs()) {
    elements += ElementCount(output.tensor());
    for (char judged : output.judged()) skipped += judged != kJudged ? 1 : 0;
  }
  return elements == 0 ? 0 : static_cast<double>(skipped) / static_cast<double>(elements);
}

}  // namespace irate
