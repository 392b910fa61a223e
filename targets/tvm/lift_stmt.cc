#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "targets/tvm/attributes.h"
#include "targets/tvm/function_lift.h"
#include "targets/tvm/node_types.h"

namespace irate::tvm_target {

bool FunctionLift::LiftBody(const Object* stmt, Stmts* result) {
  if (stmt == nullptr) return Fail("a null statement");
  if (TypeOf(stmt).kind != NodeKind::kSeqStmt) return LiftStmt(stmt, result->Add());
  for (const Any& entry : Elements(Ref<"tirx.SeqStmt", "seq">(stmt))) {
    if (!LiftBody(ObjectOf(entry), result)) return false;
  }
  return true;
}

bool FunctionLift::LiftStmt(const Object* stmt, Stmt* result) {
  switch (TypeOf(stmt).kind) {
    case NodeKind::kFor:
      return LiftFor(stmt, result);
    case NodeKind::kWhile:
      result->set_kind(WHILE);
      return LiftExpr(Ref<"tirx.While", "condition">(stmt), result->add_args()) &&
             LiftBody(Ref<"tirx.While", "body">(stmt), result->mutable_body());
    case NodeKind::kIfThenElse: {
      result->set_kind(IF);
      const Object* orelse = Ref<"tirx.IfThenElse", "else_case">(stmt);
      return LiftExpr(Ref<"tirx.IfThenElse", "condition">(stmt), result->add_args()) &&
             LiftBody(Ref<"tirx.IfThenElse", "then_case">(stmt), result->mutable_body()) &&
             (orelse == nullptr || LiftBody(orelse, result->mutable_orelse()));
    }
    case NodeKind::kBufferStore: {
      result->set_kind(STORE);
      const Object* buffer = Ref<"tirx.BufferStore", "buffer">(stmt);
      uint32_t id = 0;
      if (!BufferId(buffer, &id)) return false;
      result->set_id(id);
      if (!LiftExpr(Ref<"tirx.BufferStore", "value">(stmt), result->add_args())) return false;
      return LiftExprs(Ref<"tirx.BufferStore", "indices">(stmt), result->mutable_args());
    }
    case NodeKind::kBind: {
      result->set_kind(BIND);
      uint32_t id = 0;
      if (!VariableId(Ref<"tirx.Bind", "var">(stmt), &id)) return false;
      result->set_id(id);
      return LiftExpr(Ref<"tirx.Bind", "value">(stmt), result->add_args());
    }
    case NodeKind::kAllocBuffer: {
      result->set_kind(ALLOC);
      uint32_t id = 0;
      if (!BufferId(Ref<"tirx.AllocBuffer", "buffer">(stmt), &id)) return false;
      result->set_id(id);
      return LiftAttributes(Ref<"tirx.AllocBuffer", "annotations">(stmt),
                            result->mutable_annotations());
    }
    case NodeKind::kDeclBuffer: {
      result->set_kind(DECL_BUFFER);
      uint32_t id = 0;
      if (!BufferId(Ref<"tirx.DeclBuffer", "buffer">(stmt), &id)) return false;
      result->set_id(id);
      return LiftExpr(Ref<"tirx.DeclBuffer", "data">(stmt), result->add_args());
    }
    case NodeKind::kSBlockRealize:
      return LiftBlock(stmt, result);
    case NodeKind::kAssertStmt:
      return LiftAssert(stmt, result);
    case NodeKind::kAttrStmt:
      return LiftAttr(stmt, result);
    case NodeKind::kEvaluate:
      return LiftEvaluate(stmt, result);
    case NodeKind::kBreak:
      result->set_kind(BREAK);
      return true;
    case NodeKind::kContinue:
      result->set_kind(CONTINUE);
      return true;
    case NodeKind::kReturn: {
      result->set_kind(RETURN);
      const Object* value = Ref<"tirx.Return", "value">(stmt);
      if (TypeOf(value).kind == NodeKind::kTuple &&
          Elements(Ref<"ir.Tuple", "fields">(value)).size() == 0) {
        return true;
      }
      return LiftExpr(value, result->add_args());
    }
    default:
      return Fail(TypeKey(stmt));
  }
}

bool FunctionLift::LiftFor(const Object* stmt, Stmt* result) {
  result->set_kind(FOR);
  uint32_t id = 0;
  if (!VariableId(Ref<"tirx.For", "loop_var">(stmt), &id)) return false;
  result->set_id(id);
  const auto kind = Get<"tirx.For", "kind">(stmt).cast<int>();
  if (!LoopKind_IsValid(kind)) return Fail("tirx.For of an unknown kind");
  result->set_loop_kind(static_cast<LoopKind>(kind));
  const Object* binding = Ref<"tirx.For", "thread_binding">(stmt);
  if (kind == THREAD_BINDING && binding != nullptr) {
    result->set_thread_tag(ToString(Get<"tirx.IterVar", "thread_tag">(binding)));
  }
  const Object* step = Ref<"tirx.For", "step">(stmt);
  return LiftExpr(Ref<"tirx.For", "min">(stmt), result->add_args()) &&
         LiftExpr(Ref<"tirx.For", "extent">(stmt), result->add_args()) &&
         (step == nullptr || LiftExpr(step, result->add_args())) &&
         LiftAttributes(Ref<"tirx.For", "annotations">(stmt), result->mutable_annotations()) &&
         LiftBody(Ref<"tirx.For", "body">(stmt), result->mutable_body());
}

bool FunctionLift::LiftAttr(const Object* stmt, Stmt* result) {
  result->set_kind(ATTR);
  result->set_name(ToString(Get<"tirx.AttrStmt", "attr_key">(stmt)));
  const Any node = Get<"tirx.AttrStmt", "node">(stmt);
  AttrNode* attr = result->mutable_attr_node();
  const Object* object = ObjectOf(node);
  uint32_t id = 0;
  if (node.as<ffi::String>().has_value()) {
    attr->set_text(ToString(node));
  } else if (IsBuffer(object)) {
    if (!BufferId(object, &id)) return false;
    attr->set_buffer(id);
  } else if (object != nullptr && TypeOf(object).kind == NodeKind::kVar) {
    if (!VariableId(object, &id)) return false;
    attr->set_variable(id);
  } else if (object != nullptr && TypeOf(object).kind == NodeKind::kIterVar) {
    if (!VariableId(Ref<"tirx.IterVar", "var">(object), &id)) return false;
    attr->set_thread_tag(ToString(Get<"tirx.IterVar", "thread_tag">(object)));
    attr->set_thread_variable(id);
  } else if (object != nullptr && TypeOf(object).kind == NodeKind::kCommReducer) {
    result->clear_attr_node();
    return LiftExpr(Ref<"tirx.AttrStmt", "value">(stmt), result->add_args()) &&
           LiftReducer(object, result->mutable_args(0)) &&
           LiftBody(Ref<"tirx.AttrStmt", "body">(stmt), result->mutable_body());
  } else if (node.type_index() == ffi::TypeIndex::kTVMFFIInt && node.cast<int64_t>() == 0) {
    result->clear_attr_node();
  } else {
    return Fail("tirx.AttrStmt on " + node.GetTypeKey());
  }
  return LiftExpr(Ref<"tirx.AttrStmt", "value">(stmt), result->add_args()) &&
         LiftBody(Ref<"tirx.AttrStmt", "body">(stmt), result->mutable_body());
}

// The attribute's value becomes comm_reducer(value, let x0 = e0 in let y0 = e0 in ...
// array(results)).
bool FunctionLift::LiftReducer(const Object* reducer, Expr* value) {
  const Elements lhs(Ref<"te.CommReducer", "lhs">(reducer));
  const Elements rhs(Ref<"te.CommReducer", "rhs">(reducer));
  const Elements identity(Ref<"te.CommReducer", "identity_element">(reducer));
  if (rhs.size() != lhs.size() || identity.size() != lhs.size()) {
    return Fail("te.CommReducer of another form");
  }
  Expr call;
  call.set_op(CALL);
  call.set_type(value->type());
  call.set_name(kReducerCall);
  call.add_args()->Swap(value);
  Expr* combiner = call.add_args();
  for (size_t i = 0; i < lhs.size(); ++i) {
    for (const Elements* side : {&lhs, &rhs}) {
      uint32_t id = 0;
      if (!VariableId(ObjectOf(side->begin()[i]), &id)) return false;
      combiner->set_op(LET);
      combiner->set_id(id);
      combiner->set_type(HANDLE);
      if (!LiftExpr(ObjectOf(identity.begin()[i]), combiner->add_args())) return false;
      combiner = combiner->add_args();
    }
  }
  combiner->set_op(CALL);
  combiner->set_type(HANDLE);
  combiner->set_name(kArrayCall);
  if (!LiftExprs(Ref<"te.CommReducer", "result">(reducer), combiner->mutable_args())) return false;
  value->Swap(&call);
  return true;
}

bool FunctionLift::LiftEvaluate(const Object* stmt, Stmt* result) {
  result->set_kind(EVALUATE);
  Expr* value = result->add_args();
  if (!LiftExpr(Ref<"tirx.Evaluate", "value">(stmt), value)) return false;
  if (value->op() != CALL) return true;
  if (value->name() == "tvm_storage_sync" && value->args_size() == 1 &&
      value->args(0).op() == STRING) {
    result->set_kind(BARRIER);
    result->set_name(value->args(0).name());
    result->clear_args();
  } else if (value->name() == "break_loop" || value->name() == "continue_loop") {
    result->set_kind(value->name() == "break_loop" ? BREAK : CONTINUE);
    result->clear_args();
  }
  return true;
}

bool FunctionLift::LiftAssert(const Object* stmt, Stmt* result) {
  result->set_kind(ASSERT);
  const Object* kind = Ref<"tirx.AssertStmt", "error_kind">(stmt);
  result->set_name(ToString(Get<"ir.StringImm", "value">(kind)));
  for (const Any& part : Elements(Ref<"tirx.AssertStmt", "message_parts">(stmt))) {
    result->add_strings(ToString(Get<"ir.StringImm", "value">(ObjectOf(part))));
  }
  return LiftExpr(Ref<"tirx.AssertStmt", "condition">(stmt), result->add_args());
}

bool FunctionLift::LiftAttributes(const Object* map, Attributes* result) {
  if (map == nullptr || static_cast<const ffi::MapObj*>(map)->size() == 0) return true;
  std::vector<std::pair<std::string, Any>> entries;
  for (const auto& [key, value] : *static_cast<const ffi::MapObj*>(map)) {
    entries.emplace_back(ToString(key), value);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, value] : entries) {
    Attribute* attribute = result->Add();
    attribute->set_key(key);
    std::string construct;
    const auto lift_expr = [this](const Object* node, Expr* expr) { return LiftExpr(node, expr); };
    if (!AttributeFromNative(value, lift_expr, attribute->mutable_value(), &construct)) {
      return Fail(construct);
    }
  }
  return true;
}

}  // namespace irate::tvm_target
