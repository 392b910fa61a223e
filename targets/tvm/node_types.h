// Which node an object is, from its type index alone: one table lookup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

enum class NodeKind : uint8_t {
  kOther,
  // Expressions.
  kBinary,  // two fields `a` and `b`
  kUnary,   // one field `a`
  kVar,
  kIntImm,
  kFloatImm,
  kStringImm,
  kTensorLoad,
  kCall,
  kCast,
  kSelect,
  kRamp,
  kBroadcast,
  kShuffle,
  kLet,
  kTuple,
  kOp,
  kGlobalVar,
  // Types.
  kPrimType,
  kPointerType,
  kTupleType,
  kStringType,
  kBufferType,
  // Statements.
  kSeqStmt,
  kFor,
  kWhile,
  kIfThenElse,
  kBufferStore,
  kBind,
  kAllocBuffer,
  kDeclBuffer,
  kSBlockRealize,
  kAssertStmt,
  kAttrStmt,
  kEvaluate,
  kBreak,
  kContinue,
  kReturn,
  // Others.
  kCallFFIKernelAttr,
  kIterVar,
  kCommReducer,
  kPrimFunc,
  kTarget,
};

struct NodeType {
  NodeKind kind = NodeKind::kOther;
  // Of kBinary and kUnary nodes, as on integers (prim.Div is TRUNC_DIV), with the operands' places.
  Op op = OP_INVALID;
  size_t a = 0;
  size_t b = 0;
};

const NodeType& TypeOf(const Object* node);

// "tirx.For"
std::string TypeKey(const Object* node);

}  // namespace irate::tvm_target
