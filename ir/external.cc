#include "ir/external.h"

#include <array>

#include "ir/types.h"

namespace irate {
namespace {

constexpr Op kAddSub[] = {ADD, SUB};
constexpr Op kMinMax[] = {MIN, MAX};
constexpr Op kDoubleSquare[] = {ADD, MUL};
constexpr Op kSum[] = {ADD};

constexpr auto kFunctions = std::to_array<ExternalFunction>({
    {"irate.external.add_sub", 2, kAddSub},
    {"irate.external.min_max", 2, kMinMax},
    {"irate.external.double_square", 1, kDoubleSquare},
    {"irate.external.sum", 2, kSum},
});

}  // namespace

std::span<const ExternalFunction> ExternalFunctions() { return kFunctions; }

const ExternalFunction* FindExternalFunction(std::string_view name) {
  for (const ExternalFunction& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool ExternalTakes(ScalarType type) { return IsInteger(type) || type == F32 || type == F64; }

}  // namespace irate
