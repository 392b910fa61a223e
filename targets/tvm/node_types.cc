#include "targets/tvm/node_types.h"

#include <string_view>
#include <vector>

namespace irate::tvm_target {
namespace {

struct Entry {
  std::string_view key;
  NodeKind kind;
  Op op = OP_INVALID;
};

constexpr Entry kEntries[] = {
    {"prim.Add", NodeKind::kBinary, ADD},
    {"prim.Sub", NodeKind::kBinary, SUB},
    {"prim.Mul", NodeKind::kBinary, MUL},
    {"prim.Div", NodeKind::kBinary, TRUNC_DIV},
    {"prim.Mod", NodeKind::kBinary, TRUNC_MOD},
    {"prim.FloorDiv", NodeKind::kBinary, FLOOR_DIV},
    {"prim.FloorMod", NodeKind::kBinary, FLOOR_MOD},
    {"prim.Min", NodeKind::kBinary, MIN},
    {"prim.Max", NodeKind::kBinary, MAX},
    {"prim.EQ", NodeKind::kBinary, EQ},
    {"prim.NE", NodeKind::kBinary, NE},
    {"prim.LT", NodeKind::kBinary, LT},
    {"prim.LE", NodeKind::kBinary, LE},
    {"prim.GT", NodeKind::kBinary, GT},
    {"prim.GE", NodeKind::kBinary, GE},
    {"prim.And", NodeKind::kBinary, AND},
    {"prim.Or", NodeKind::kBinary, OR},
    {"prim.Not", NodeKind::kUnary, NOT},
    {"prim.BitwiseAnd", NodeKind::kBinary, BIT_AND},
    {"prim.BitwiseOr", NodeKind::kBinary, BIT_OR},
    {"prim.BitwiseXor", NodeKind::kBinary, BIT_XOR},
    {"prim.BitwiseNot", NodeKind::kUnary, BIT_NOT},
    {"prim.LShift", NodeKind::kBinary, SHL},
    {"prim.RShift", NodeKind::kBinary, SHR},
    {"ir.Var", NodeKind::kVar},
    {"ir.IntImm", NodeKind::kIntImm},
    {"ir.FloatImm", NodeKind::kFloatImm},
    {"ir.StringImm", NodeKind::kStringImm},
    {"ir.TensorLoad", NodeKind::kTensorLoad},
    {"ir.Call", NodeKind::kCall},
    {"prim.Cast", NodeKind::kCast},
    {"prim.Select", NodeKind::kSelect},
    {"prim.Ramp", NodeKind::kRamp},
    {"prim.Broadcast", NodeKind::kBroadcast},
    {"prim.Shuffle", NodeKind::kShuffle},
    {"prim.Let", NodeKind::kLet},
    {"ir.Tuple", NodeKind::kTuple},
    {"ir.Op", NodeKind::kOp},
    {"ir.GlobalVar", NodeKind::kGlobalVar},
    {"ir.PrimType", NodeKind::kPrimType},
    {"ir.PointerType", NodeKind::kPointerType},
    {"ir.TupleType", NodeKind::kTupleType},
    {"ir.StringType", NodeKind::kStringType},
    {"tirx.BufferType", NodeKind::kBufferType},
    {"tirx.SeqStmt", NodeKind::kSeqStmt},
    {"tirx.For", NodeKind::kFor},
    {"tirx.While", NodeKind::kWhile},
    {"tirx.IfThenElse", NodeKind::kIfThenElse},
    {"tirx.BufferStore", NodeKind::kBufferStore},
    {"tirx.Bind", NodeKind::kBind},
    {"tirx.AllocBuffer", NodeKind::kAllocBuffer},
    {"tirx.DeclBuffer", NodeKind::kDeclBuffer},
    {"s_tir.SBlockRealize", NodeKind::kSBlockRealize},
    {"tirx.AssertStmt", NodeKind::kAssertStmt},
    {"tirx.AttrStmt", NodeKind::kAttrStmt},
    {"tirx.Evaluate", NodeKind::kEvaluate},
    {"tirx.Break", NodeKind::kBreak},
    {"tirx.Continue", NodeKind::kContinue},
    {"tirx.Return", NodeKind::kReturn},
    {"tirx.CallFFIKernelAttr", NodeKind::kCallFFIKernelAttr},
    {"tirx.IterVar", NodeKind::kIterVar},
    {"te.CommReducer", NodeKind::kCommReducer},
    {"tirx.PrimFunc", NodeKind::kPrimFunc},
    {"target.Target", NodeKind::kTarget},
};

std::vector<NodeType> MakeTable() {
  std::vector<NodeType> table;
  for (const Entry& entry : kEntries) {
    TVMFFIByteArray key{entry.key.data(), entry.key.size()};
    int32_t index = 0;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&key, &index));
    if (table.size() <= static_cast<size_t>(index)) table.resize(static_cast<size_t>(index) + 1);
    NodeType& type = table[static_cast<size_t>(index)];
    type.kind = entry.kind;
    type.op = entry.op;
    if (entry.op != OP_INVALID) type.a = ReferenceOffset(entry.key, "a");
    if (entry.kind == NodeKind::kBinary) type.b = ReferenceOffset(entry.key, "b");
  }
  return table;
}

}  // namespace

size_t ReferenceOffset(std::string_view type, const char* field) {
  const TVMFFIFieldInfo* info = ffi::reflection::GetFieldInfo(type, field);
  // An optional reference has the static type of a value that may be anything, and that of a
  // reference's size.
  if (info->size != static_cast<int64_t>(sizeof(void*)) ||
      (info->field_static_type_index < ffi::TypeIndex::kTVMFFIStaticObjectBegin &&
       info->field_static_type_index != ffi::TypeIndex::kTVMFFIAny)) {
    TVM_FFI_THROW(TypeError) << type << "." << field << " is not a reference to an object";
  }
  return static_cast<size_t>(info->offset);
}

size_t PlainOffset(std::string_view type, const char* field, size_t size) {
  const TVMFFIFieldInfo* info = ffi::reflection::GetFieldInfo(type, field);
  if (info->size != static_cast<int64_t>(size) ||
      info->field_static_type_index >= ffi::TypeIndex::kTVMFFIStaticObjectBegin) {
    TVM_FFI_THROW(TypeError) << type << "." << field << " is not a plain value of " << size
                             << " bytes";
  }
  return static_cast<size_t>(info->offset);
}

const NodeType& TypeOf(const Object* node) {
  static const auto& table = *new std::vector<NodeType>(MakeTable());
  static const NodeType kOtherType;
  const auto index = static_cast<size_t>(node->type_index());
  return index < table.size() ? table[index] : kOtherType;
}

std::string TypeKey(const Object* node) { return node->GetTypeKey(); }

}  // namespace irate::tvm_target
