// Pieces of Python source for reproducers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// A Python string literal.
std::string PythonString(std::string_view text);
// A CONST or a STRING as a Python literal: 3, True, 0.5, 'shared'.
absl::StatusOr<std::string> PythonLiteral(const Expr& expr);

// The numpy type of a scalar as a Python expression: '"int32"', 'ml_dtypes.bfloat16'. Unimplemented
// for types without one.
absl::StatusOr<std::string> NumpyType(ScalarType type);

// An expression that makes the array: a literal where that is short, else its compressed bytes
// (needs base64 and zlib). Unimplemented for vector elements.
absl::StatusOr<std::string> NumpyArray(const Tensor& tensor);
// One scalar element for a table: a literal, or the bits in hexadecimal of a type without one.
std::string ElementText(const Tensor& tensor, size_t index);
// The only element of a scalar argument.
absl::StatusOr<std::string> PythonScalar(const Tensor& tensor);
// InterpretedTensor.judged as a bool array of `shape`.
std::string NumpyMask(std::string_view bytes, std::span<const int64_t> shape);
// One double per element.
std::string NumpyBounds(std::string_view bytes, std::span<const int64_t> shape);

}  // namespace irate
