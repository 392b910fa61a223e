#include "ir/inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "fmt/format.h"
#include "ir/interpreter/minifloat.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{256} << 20;
constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// The values of one parameter, element by element.
class Stream {
 public:
  Stream(uint64_t seed, int param, ScalarType type, int64_t low, int64_t high, bool real)
      : key_(Mix(seed + (static_cast<uint64_t>(param) + 1) * kGolden)),
        type_(type),
        low_(low),
        high_(high),
        real_(real) {
    const auto clip = [&](int64_t v) { return std::min(std::max(v, low_), high_); };
    edges_ = {low_, high_, clip(0), clip(1), clip(-1)};
  }

  int64_t Integer(uint64_t k) const {
    const uint64_t a = Word(2 * k + 1);
    if (a % 16 == 0) return edges_[(a >> 4) % edges_.size()];
    const uint64_t b = Word(2 * k + 2);
    const uint64_t span = static_cast<uint64_t>(high_) - static_cast<uint64_t>(low_) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low_) + (span == 0 ? b : b % span));
  }

  double Float(uint64_t k) const {
    if (!real_) return RoundToType(type_, static_cast<double>(Integer(k)));
    const uint64_t a = Word(2 * k + 1);
    if (a % 16 == 0) {
      return RoundToType(type_, static_cast<double>(edges_[(a >> 4) % edges_.size()]));
    }
    const double unit = static_cast<double>(Word(2 * k + 2) >> 11) * 0x1p-53;
    const double width = static_cast<double>(high_) - static_cast<double>(low_);
    return RoundToType(type_, static_cast<double>(low_) + width * unit);
  }

 private:
  uint64_t Word(uint64_t n) const { return Mix(key_ + n * kGolden); }

  uint64_t key_;
  ScalarType type_;
  int64_t low_;
  int64_t high_;
  bool real_;
  std::array<int64_t, 5> edges_;
};

std::string ParamName(const Function& function, int index) {
  const Param& param = function.params(index);
  const std::string& name = param.kind() == PARAM_BUFFER
                                ? function.buffers(static_cast<int>(param.id())).name()
                                : function.variables(static_cast<int>(param.id())).name();
  return fmt::format("parameter {} ({})", index, name);
}

absl::StatusOr<Stream> MakeStream(const Function& function, int param, ScalarType type,
                                  const Inputs& inputs) {
  const auto fail = [&](std::string_view what) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", ParamName(function, param), what));
  };
  if (!IsInteger(type) && !IsFloat(type) && type != BOOL) {
    return fail(fmt::format("values of type {} cannot be made", TypeName(type)));
  }
  auto [low, high] = DefaultRange(type);
  bool real = false;
  for (const ParamInput& input : inputs.params()) {
    if (input.param() != static_cast<uint32_t>(param)) continue;
    real = input.real() && IsFloat(type);
    if (input.min() == 0 && input.max() == 0) continue;
    low = input.min();
    high = input.max();
  }
  if (low > high) return fail(fmt::format("the range [{}, {}] is empty", low, high));
  if (!IsFloat(type)) {
    low = std::max(low, MinValue(type));
    if (type != U64) high = std::min(high, MaxValue(type));
    if (low > high) return fail(fmt::format("its range has no value of type {}", TypeName(type)));
  } else {
    const double limit = FormatOf(type).max_finite;
    if (static_cast<double>(low) < -limit || static_cast<double>(high) > limit) {
      return fail(fmt::format("its range exceeds the largest {}", TypeName(type)));
    }
  }
  return Stream(inputs.seed(), param, type, low, high, real);
}

void Fill(const Stream& stream, ScalarType type, uint64_t count, std::string* data) {
  const auto size = static_cast<size_t>(ByteSize(type));
  data->resize(count * size);
  for (uint64_t k = 0; k < count; ++k) {
    const uint64_t bits = IsFloat(type) ? EncodeFloat(type, stream.Float(k))
                                        : static_cast<uint64_t>(stream.Integer(k));
    std::memcpy(data->data() + k * size, &bits, size);
  }
}

absl::Status CheckParam(const Function& function, int index) {
  const Param& param = function.params(index);
  const int size =
      param.kind() == PARAM_BUFFER ? function.buffers_size() : function.variables_size();
  if (param.id() < static_cast<uint32_t>(size)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("parameter {} has an unknown id", index));
}

}  // namespace

std::pair<int64_t, int64_t> DefaultRange(ScalarType type) {
  switch (type) {
    case BOOL:
      return {0, 1};
    case F64:
    case F32:
      return {-16, 16};
    case F16:
      return {-8, 8};
    case BF16:
      return {-4, 4};
    case F8E4M3FN:
    case F8E5M2:
      return {-2, 2};
    default:
      return {IsUnsigned(type) ? 0 : -64, 63};
  }
}

absl::StatusOr<int64_t> ScalarArgument(const Function& function, int param, const Inputs& inputs) {
  IRATE_RETURN_IF_ERROR(CheckParam(function, param));
  const ScalarType type = function.variables(static_cast<int>(function.params(param).id())).type();
  IRATE_ASSIGN_OR_RETURN(const Stream stream, MakeStream(function, param, type, inputs));
  return stream.Integer(0);
}

absl::StatusOr<std::vector<ArgumentValue>> MakeArguments(const Function& function,
                                                         const Inputs& inputs) {
  for (int i = 0; i < function.params_size(); ++i) {
    IRATE_RETURN_IF_ERROR(CheckParam(function, i));
  }
  IRATE_ASSIGN_OR_RETURN(const VariableValues values, KnownVariables(function, inputs));
  std::vector<ArgumentValue> arguments;
  uint64_t total = 0;
  for (int i = 0; i < function.params_size(); ++i) {
    const Param& param = function.params(i);
    ArgumentValue argument;
    Tensor& tensor = argument.tensor;
    uint64_t count = 1;
    if (param.kind() == PARAM_BUFFER) {
      const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
      absl::StatusOr<BufferLayout> layout = EvaluateLayout(function, buffer, values);
      if (!layout.ok()) {
        return absl::InvalidArgumentError(
            fmt::format("parameter {}: {}", i, std::string(layout.status().message())));
      }
      tensor.set_type(buffer.type());
      tensor.set_lanes(buffer.lanes());
      for (int64_t extent : layout->shape) tensor.add_shape(extent);
      count = static_cast<uint64_t>(layout->elements) * Lanes(buffer.lanes());
    } else {
      const Variable& variable = function.variables(static_cast<int>(param.id()));
      argument.is_scalar = true;
      tensor.set_type(variable.type());
      tensor.set_lanes(variable.lanes());
      count = Lanes(variable.lanes());
    }
    IRATE_ASSIGN_OR_RETURN(const Stream stream, MakeStream(function, i, tensor.type(), inputs));
    total += count * static_cast<uint64_t>(ByteSize(tensor.type()));
    if (total > kMaxBytes) {
      return absl::InvalidArgumentError(
          fmt::format("{}: the parameters exceed 256 MiB together", ParamName(function, i)));
    }
    Fill(stream, tensor.type(), count, tensor.mutable_data());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace irate
