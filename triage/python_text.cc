#include "triage/python_text.h"

#include <zlib.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ir/interpreter.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate {
namespace {

constexpr size_t kMaxLiteralElements = 64;

std::string PythonFloat(double value, ScalarType type) {
  if (std::isnan(value)) return "float('nan')";
  if (std::isinf(value)) return value < 0 ? "float('-inf')" : "float('inf')";
  // Enough digits to read back the same value.
  std::string text = type == F64 ? fmt::format("{:.17g}", value) : fmt::format("{:.9g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <typename T>
T At(std::string_view data, size_t index) {
  T value;
  std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
  return value;
}

// The element as a Python literal; empty for types that have no C++ type to read them with.
std::string Element(ScalarType type, std::string_view data, size_t index) {
  switch (type) {
    case BOOL:
      return data[index] != 0 ? "True" : "False";
    case I8:
      return fmt::format("{}", At<int8_t>(data, index));
    case I16:
      return fmt::format("{}", At<int16_t>(data, index));
    case I32:
      return fmt::format("{}", At<int32_t>(data, index));
    case I64:
      return fmt::format("{}", At<int64_t>(data, index));
    case U8:
      return fmt::format("{}", At<uint8_t>(data, index));
    case U16:
      return fmt::format("{}", At<uint16_t>(data, index));
    case U32:
      return fmt::format("{}", At<uint32_t>(data, index));
    case U64:
      return fmt::format("{}", At<uint64_t>(data, index));
    case F32:
      return PythonFloat(At<float>(data, index), F32);
    case F64:
      return PythonFloat(At<double>(data, index), F64);
    default:
      return "";
  }
}

std::string Shape(std::span<const int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string Compressed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  // Cannot fail with a buffer of compressBound bytes.
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_COMPRESSION);
  packed.resize(size);
  return absl::Base64Escape(packed);
}

// `elements` are literals, or none where there are too many or they have no literals.
std::string Array(const std::vector<std::string>& elements, std::string_view bytes,
                  const std::string& type, std::span<const int64_t> shape) {
  const std::string reshape = shape.size() == 1 ? "" : fmt::format(".reshape({})", Shape(shape));
  if (!elements.empty() || bytes.empty()) {
    return fmt::format("np.array([{}], {}){}", fmt::join(elements, ", "), type, reshape);
  }
  return fmt::format("np.frombuffer(zlib.decompress(base64.b64decode(\"{}\")), {}).reshape({})",
                     Compressed(bytes), type, Shape(shape));
}

}  // namespace

std::string PythonString(std::string_view text) {
  return fmt::format("\"{}\"", absl::CHexEscape(std::string(text)));
}

absl::StatusOr<std::string> PythonLiteral(const Expr& expr) {
  if (expr.op() == STRING) return PythonString(expr.name());
  if (expr.op() != CONST) return absl::UnimplementedError("an argument that is no constant");
  if (expr.type() == BOOL) return std::string(expr.int_value() != 0 ? "True" : "False");
  if (IsFloat(expr.type())) return PythonFloat(expr.float_value(), F64);
  return fmt::format("{}", expr.int_value());
}

absl::StatusOr<std::string> NumpyType(ScalarType type) {
  switch (type) {
    case BOOL:
      return std::string("\"bool\"");
    case BF16:
      return std::string("ml_dtypes.bfloat16");
    case F8E4M3FN:
      return std::string("ml_dtypes.float8_e4m3fn");
    case F8E5M2:
      return std::string("ml_dtypes.float8_e5m2");
    case VOID:
    case HANDLE:
      return absl::UnimplementedError(fmt::format("numpy has no type for {}", TypeName(type)));
    default: {
      const std::string_view kind = IsFloat(type) ? "float" : IsSigned(type) ? "int" : "uint";
      return fmt::format("\"{}{}\"", kind, BitWidth(type));
    }
  }
}

absl::StatusOr<std::string> NumpyArray(const Tensor& tensor) {
  if (tensor.lanes() > 1) return absl::UnimplementedError("a tensor of vectors");
  IRATE_ASSIGN_OR_RETURN(const std::string type, NumpyType(tensor.type()));
  const size_t count = tensor.data().size() / static_cast<size_t>(ByteSize(tensor.type()));
  std::vector<std::string> elements;
  if (count <= kMaxLiteralElements) {
    for (size_t i = 0; i < count; ++i) {
      elements.push_back(Element(tensor.type(), tensor.data(), i));
      if (elements.back().empty()) elements.clear();
      if (elements.empty()) break;
    }
  }
  const std::vector<int64_t> shape(tensor.shape().begin(), tensor.shape().end());
  return Array(elements, tensor.data(), type, shape);
}

std::string ElementText(const Tensor& tensor, size_t index) {
  std::string literal = Element(tensor.type(), tensor.data(), index);
  if (!literal.empty()) return literal;
  const size_t width = static_cast<size_t>(ByteSize(tensor.type()));
  std::string bits = "0x";
  for (size_t i = width; i-- > 0;) {
    bits += fmt::format("{:02x}", static_cast<unsigned char>(tensor.data()[index * width + i]));
  }
  return bits;
}

absl::StatusOr<std::string> PythonScalar(const Tensor& tensor) {
  std::string literal = Element(tensor.type(), tensor.data(), 0);
  if (literal.empty()) {
    return absl::UnimplementedError(
        fmt::format("a scalar argument of type {}", TypeName(tensor.type())));
  }
  return literal;
}

std::string NumpyMask(std::string_view bytes, std::span<const int64_t> shape) {
  std::string mask(bytes);
  for (char& byte : mask) byte = byte == kJudged ? 1 : 0;
  std::vector<std::string> elements;
  if (mask.size() <= kMaxLiteralElements) {
    for (const char byte : mask) elements.emplace_back(byte != 0 ? "1" : "0");
  }
  return Array(elements, mask, "\"bool\"", shape);
}

std::string NumpyBounds(std::string_view bytes, std::span<const int64_t> shape) {
  std::vector<std::string> elements;
  const size_t count = bytes.size() / sizeof(double);
  if (count <= kMaxLiteralElements) {
    for (size_t i = 0; i < count; ++i) {
      elements.push_back(PythonFloat(At<double>(bytes, i), F64));
    }
  }
  return Array(elements, bytes, "\"float64\"", shape);
}

}  // namespace irate
