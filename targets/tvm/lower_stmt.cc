#include <string>

#include "ir/types.h"
#include "targets/tvm/attributes.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/literals.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

// tirx.IterVarType of an iterator bound to a hardware thread.
constexpr int kThreadIndex = 1;

}  // namespace

Any FunctionLowering::LowerBody(const Stmts& stmts) {
  if (stmts.empty()) return Native<"tirx.Evaluate">(IntImm(I32, 0), nullptr);
  if (stmts.size() == 1) return LowerStmt(stmts[0]);
  AnyArray sequence;
  sequence.reserve(stmts.size());
  for (const Stmt& stmt : stmts) sequence.push_back(LowerStmt(stmt));
  return Native<"tirx.SeqStmt">(sequence, nullptr);
}

Any FunctionLowering::LowerStmt(const Stmt& stmt) {
  switch (stmt.kind()) {
    case FOR:
      return LowerFor(stmt);
    case WHILE:
      return Native<"tirx.While">(LowerExpr(stmt.args(0)), LowerBody(stmt.body()), nullptr);
    case IF:
      return Native<"tirx.IfThenElse">(LowerExpr(stmt.args(0)), LowerBody(stmt.body()),
                                       stmt.orelse().empty() ? Any() : LowerBody(stmt.orelse()),
                                       nullptr);
    case STORE:
      return Native<"tirx.BufferStore">(Buffer(stmt.id()), LowerExpr(stmt.args(0)),
                                        LowerExprs(stmt.args(), 1), nullptr);
    case BIND: {
      const irate::Variable& variable = function_.variables(static_cast<int>(stmt.id()));
      const Any type = variable.type() == HANDLE
                           ? PointerType(variable.pointee(), variable.pointee_scope())
                           : Any();
      return Native<"tirx.Bind">(Variable(stmt.id()), LowerExpr(stmt.args(0), &type), nullptr);
    }
    case ALLOC:
      return Native<"tirx.AllocBuffer">(Buffer(stmt.id()), LowerAttributes(stmt.annotations()),
                                        nullptr);
    case DECL_BUFFER: {
      const Any type = DataType(stmt.id());
      return Native<"tirx.DeclBuffer">(Buffer(stmt.id()), LowerExpr(stmt.args(0), &type), nullptr);
    }
    case BLOCK:
      return LowerBlock(stmt);
    case ASSERT:
      return LowerAssert(stmt);
    case ATTR:
      return LowerAttr(stmt);
    case EVALUATE:
      return Native<"tirx.Evaluate">(LowerExpr(stmt.args(0)), nullptr);
    // TVM has statements for these two as well, but no code generator knows them: its script has
    // the calls.
    case BREAK:
      return Native<"tirx.Evaluate">(Native<"tirx.break_loop">(nullptr), nullptr);
    case CONTINUE:
      return Native<"tirx.Evaluate">(Native<"tirx.continue_loop">(nullptr), nullptr);
    case RETURN:
      return Native<"tirx.Return">(
          stmt.args().empty() ? Native<"ir.Tuple">(AnyArray(), nullptr) : LowerExpr(stmt.args(0)),
          nullptr);
    case BARRIER: {
      const Any op = Native<"ir.GetOp">(ffi::String("tirx.tvm_storage_sync"));
      return Native<"tirx.Evaluate">(
          MakeCall(PrimType(I32, 0), op, AnyArray{StringImm(stmt.name())}), nullptr);
    }
    default:
      TVM_FFI_THROW(ValueError) << "statement " << StmtKindName(stmt.kind()) << " has no TVM IR";
  }
}

Any FunctionLowering::LowerFor(const Stmt& stmt) {
  Any binding;
  if (stmt.loop_kind() == THREAD_BINDING) {
    const ScalarType type = function_.variables(static_cast<int>(stmt.id())).type();
    const Any variable = Native<"ir.Var">(ffi::String("iter"), PrimType(type, 0), nullptr);
    binding = Native<"tirx.IterVar">(nullptr, variable, kThreadIndex,
                                     ffi::String(stmt.thread_tag()), nullptr);
  }
  const Any step = stmt.args_size() > 2 ? LowerExpr(stmt.args(2)) : Any();
  // LoopKind has the numbers of tirx.ForKind.
  return Native<"tirx.For">(Variable(stmt.id()), LowerExpr(stmt.args(0)), LowerExpr(stmt.args(1)),
                            static_cast<int>(stmt.loop_kind()), LowerBody(stmt.body()), binding,
                            LowerAttributes(stmt.annotations()), step, nullptr);
}

Any FunctionLowering::LowerAttr(const Stmt& stmt) {
  const bool has_reducer = stmt.args(0).op() == CALL && stmt.args(0).name() == kReducerCall;
  const Any value = LowerExpr(has_reducer ? stmt.args(0).args(0) : stmt.args(0));
  const AttrNode& attr = stmt.attr_node();
  Any node;
  switch (attr.node_case()) {
    case AttrNode::kBuffer:
      node = Buffer(attr.buffer());
      break;
    case AttrNode::kVariable:
      node = Variable(attr.variable());
      break;
    case AttrNode::kText:
      node = ffi::String(attr.text());
      break;
    case AttrNode::kThreadTag: {
      // One IterVar for all statements about one thread variable.
      Any& thread = threads_.at(attr.thread_variable());
      if (thread == nullptr) {
        const Any zero = IntImm(stmt.args(0).type(), 0);
        const Any domain = Native<"ir.Range_from_min_extent">(zero, value, nullptr);
        thread = Native<"tirx.IterVar">(domain, Variable(attr.thread_variable()), kThreadIndex,
                                        ffi::String(attr.thread_tag()), nullptr);
      }
      node = thread;
      break;
    }
    case AttrNode::NODE_NOT_SET:
      node = has_reducer ? LowerReducer(stmt.args(0)) : Any(int64_t{0});
      break;
  }
  return Native<"tirx.AttrStmt">(node, ffi::String(stmt.name()), value, LowerBody(stmt.body()),
                                 nullptr);
}

Any FunctionLowering::LowerReducer(const Expr& value) {
  AnyArray lhs;
  AnyArray rhs;
  AnyArray identity;
  const Expr* combiner = &value.args(1);
  for (int i = 0; combiner->op() == LET; ++i, combiner = &combiner->args(1)) {
    (i % 2 == 0 ? lhs : rhs).push_back(Variable(combiner->id()));
    if (i % 2 == 0) identity.push_back(LowerExpr(combiner->args(0)));
  }
  return Native<"te.CommReducer">(lhs, rhs, LowerExprs(combiner->args()), identity, nullptr);
}

Any FunctionLowering::LowerAssert(const Stmt& stmt) {
  AnyArray parts;
  for (const std::string& part : stmt.strings()) parts.push_back(StringImm(part));
  return Native<"tirx.AssertStmt">(LowerExpr(stmt.args(0)), StringImm(stmt.name()), parts, nullptr);
}

AnyMap FunctionLowering::LowerAttributes(
    const google::protobuf::RepeatedPtrField<Attribute>& attributes) {
  AnyMap result;
  for (const Attribute& attribute : attributes) {
    result.Set(attribute.key(), AttributeToNative(attribute.value(), [this](const Expr& expr) {
                 return LowerExpr(expr);
               }));
  }
  return result;
}

}  // namespace irate::tvm_target
