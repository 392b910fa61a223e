#include "ir/types.h"

#include <array>
#include <limits>
#include <string>

namespace irate {
namespace {

struct TypeFacts {
  ScalarType type;
  std::string_view name;
  int bits;
  char kind;  // 'b'ool, 'i'nt, 'u'nsigned, 'f'loat, 'h'andle, 'v'oid
  int64_t exact_limit;
};

constexpr std::array<TypeFacts, 17> kTypes = {{
    {VOID, "void", 0, 'v', 0},
    {BOOL, "bool", 1, 'b', 0},
    {I8, "i8", 8, 'i', 0},
    {I16, "i16", 16, 'i', 0},
    {I32, "i32", 32, 'i', 0},
    {I64, "i64", 64, 'i', 0},
    {U8, "u8", 8, 'u', 0},
    {U16, "u16", 16, 'u', 0},
    {U32, "u32", 32, 'u', 0},
    {U64, "u64", 64, 'u', 0},
    {F16, "f16", 16, 'f', int64_t{1} << 11},
    {BF16, "bf16", 16, 'f', int64_t{1} << 8},
    {F32, "f32", 32, 'f', int64_t{1} << 24},
    {F64, "f64", 64, 'f', int64_t{1} << 53},
    {F8E4M3FN, "f8e4m3fn", 8, 'f', int64_t{1} << 4},
    {F8E5M2, "f8e5m2", 8, 'f', int64_t{1} << 3},
    {HANDLE, "handle", 64, 'h', 0},
}};

const TypeFacts& Facts(ScalarType type) {
  const auto index = static_cast<size_t>(type);
  return kTypes[index < kTypes.size() ? index : 0];
}

}  // namespace

int BitWidth(ScalarType type) { return Facts(type).bits; }
int ByteSize(ScalarType type) { return (Facts(type).bits + 7) / 8; }
bool IsInteger(ScalarType type) { return IsSigned(type) || IsUnsigned(type); }
bool IsSigned(ScalarType type) { return Facts(type).kind == 'i'; }
bool IsUnsigned(ScalarType type) { return Facts(type).kind == 'u'; }
bool IsFloat(ScalarType type) { return Facts(type).kind == 'f'; }
int64_t ExactIntegerLimit(ScalarType type) { return Facts(type).exact_limit; }
std::string_view TypeName(ScalarType type) { return Facts(type).name; }

int64_t MinValue(ScalarType type) {
  if (!IsSigned(type)) return 0;
  return std::numeric_limits<int64_t>::min() >> (64 - BitWidth(type));
}

int64_t MaxValue(ScalarType type) {
  if (type == BOOL) return 1;
  if (type == U64) return -1;
  if (!IsInteger(type)) return 0;
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  return static_cast<int64_t>(std::numeric_limits<uint64_t>::max() >> (64 - bits));
}

std::optional<ScalarType> ParseTypeName(std::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return std::nullopt;
}

std::string_view OpName(Op op) {
  return Op_descriptor()->FindValueByNumber(op) == nullptr ? std::string_view("OP_UNKNOWN")
                                                           : std::string_view(Op_Name(op));
}

std::string_view StmtKindName(StmtKind kind) {
  return StmtKind_descriptor()->FindValueByNumber(kind) == nullptr
             ? std::string_view("STMT_UNKNOWN")
             : std::string_view(StmtKind_Name(kind));
}

}  // namespace irate
