// The shape of each operator: how many arguments it takes and which fields of Expr it uses.
#pragma once

#include "ir/irate.pb.h"

namespace irate {

// Fields of Expr besides op, type, lanes and args.
enum ExprField : unsigned {
  kNoField = 0,
  kConstantField = 1,  // int_value or float_value, as the type asks
  kIdField = 2,
  kNameField = 4,
  kIntListField = 8,
};

struct OpFacts {
  Op op;
  int min_args;
  int max_args;  // -1: any number
  unsigned fields;
};

// nullptr for OP_INVALID and numbers that no Op has.
const OpFacts* FindOp(Op op);

// Of a comparison: the one that holds where it does not (of floats: NaN aside); else OP_INVALID.
Op NegatedComparison(Op op);

inline bool IsArithmetic(Op op) { return op >= ADD && op <= MAX; }
inline bool IsComparison(Op op) { return op >= EQ && op <= GE; }
inline bool IsLogic(Op op) { return op >= AND && op <= NOT; }
inline bool IsBitwise(Op op) { return op >= BIT_AND && op <= SHR; }

}  // namespace irate
