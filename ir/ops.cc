#include "ir/ops.h"

#include <array>

namespace irate {
namespace {

constexpr auto kOps = std::to_array<OpFacts>({
    {CONST, 0, 0, kConstantField},
    {VAR, 0, 0, kIdField},
    {STRING, 0, 0, kNameField},
    {LOAD, 0, -1, kIdField},
    {BUFFER_DATA, 0, 0, kIdField},
    {ADD, 2, 2, kNoField},
    {SUB, 2, 2, kNoField},
    {MUL, 2, 2, kNoField},
    {DIV, 2, 2, kNoField},
    {TRUNC_DIV, 2, 2, kNoField},
    {TRUNC_MOD, 2, 2, kNoField},
    {FLOOR_DIV, 2, 2, kNoField},
    {FLOOR_MOD, 2, 2, kNoField},
    {MIN, 2, 2, kNoField},
    {MAX, 2, 2, kNoField},
    {EQ, 2, 2, kNoField},
    {NE, 2, 2, kNoField},
    {LT, 2, 2, kNoField},
    {LE, 2, 2, kNoField},
    {GT, 2, 2, kNoField},
    {GE, 2, 2, kNoField},
    {AND, 2, 2, kNoField},
    {OR, 2, 2, kNoField},
    {NOT, 1, 1, kNoField},
    {BIT_AND, 2, 2, kNoField},
    {BIT_OR, 2, 2, kNoField},
    {BIT_XOR, 2, 2, kNoField},
    {BIT_NOT, 1, 1, kNoField},
    {SHL, 2, 2, kNoField},
    {SHR, 2, 2, kNoField},
    {SELECT, 3, 3, kNoField},
    {IF_THEN_ELSE, 3, 3, kNoField},
    {CAST, 1, 1, kNoField},
    {REINTERPRET, 1, 1, kNoField},
    {RAMP, 2, 2, kNoField},
    {BROADCAST, 1, 1, kNoField},
    {SHUFFLE, 1, -1, kIntListField},
    {LET, 2, 2, kIdField},
    {CALL, 0, -1, kNameField},
});

constexpr int kOpCount = Op_ARRAYSIZE;

constexpr std::array<int, kOpCount> MakeIndex() {
  std::array<int, kOpCount> index{};
  for (int& entry : index) entry = -1;
  for (size_t i = 0; i < kOps.size(); ++i) {
    index[static_cast<size_t>(kOps[i].op)] = static_cast<int>(i);
  }
  return index;
}
constexpr std::array<int, kOpCount> kIndex = MakeIndex();

}  // namespace

const OpFacts* FindOp(Op op) {
  const int number = static_cast<int>(op);
  if (number < 0 || number >= kOpCount) return nullptr;
  const int index = kIndex[static_cast<size_t>(number)];
  return index < 0 ? nullptr : &kOps[static_cast<size_t>(index)];
}

Op NegatedComparison(Op op) {
  switch (op) {
    case EQ:
      return NE;
    case NE:
      return EQ;
    case LT:
      return GE;
    case LE:
      return GT;
    case GT:
      return LE;
    case GE:
      return LT;
    default:
      return OP_INVALID;
  }
}

}  // namespace irate
