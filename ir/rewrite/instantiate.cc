#include "ir/rewrite/instantiate.h"

#include <utility>

#include "fmt/format.h"
#include "ir/ops.h"
#include "ir/rewrite/names.h"
#include "ir/status_macros.h"
#include "ir/text_printer.h"
#include "ir/types.h"

namespace irate::rewrite {
namespace {

absl::Status Fail(const std::string& message) { return absl::InvalidArgumentError(message); }

Expr Node(Op op, ScalarType type, uint32_t lanes) {
  Expr expr;
  expr.set_op(op);
  expr.set_type(type);
  expr.set_lanes(lanes);
  return expr;
}

bool IsBool(const Expr& pattern) { return IsComparison(pattern.op()) || IsLogic(pattern.op()); }

}  // namespace

const Binding* Instantiator::Find(const std::string& name) const {
  const auto found = fresh_.find(name);
  return found == fresh_.end() ? bindings_.Find(name) : &found->second;
}

void Instantiator::NewBuffer(const std::string& name, uint32_t model) {
  const Binding buffer{.kind = Binding::Kind::kBuffer,
                       .buffer = static_cast<uint32_t>(subject_.buffers_size())};
  irate::Buffer declaration = subject_.buffers(static_cast<int>(model));
  declaration.set_name(name);
  *subject_.add_buffers() = std::move(declaration);
  fresh_[name] = buffer;
}

absl::StatusOr<std::string> Instantiator::Text(const std::string& pattern) const {
  const std::string name = MetaName(pattern);
  if (name.empty()) return pattern;
  const Binding* binding = Find(name);
  if (binding != nullptr && binding->kind == Binding::Kind::kText) return binding->text;
  return Fail(fmt::format("${} stands for no text here", name));
}

absl::StatusOr<uint32_t> Instantiator::BufferId(uint32_t pattern) const {
  const std::string& spelling = names_.buffers(static_cast<int>(pattern)).name();
  const std::string name = MetaName(spelling);
  if (name.empty()) {
    for (int i = 0; i < subject_.buffers_size(); ++i) {
      if (subject_.buffers(i).name() == spelling) return static_cast<uint32_t>(i);
    }
    return Fail(fmt::format("the function has no buffer {}", spelling));
  }
  const Binding* binding = Find(name);
  if (binding != nullptr && binding->kind == Binding::Kind::kBuffer) return binding->buffer;
  return Fail(fmt::format("{} stands for no buffer here", spelling));
}

uint32_t Instantiator::NewVariable(const std::string& name, Hint type) {
  const auto id = static_cast<uint32_t>(subject_.variables_size());
  irate::Variable* variable = subject_.add_variables();
  variable->set_name(name);
  variable->set_type(type.type);
  variable->set_lanes(type.lanes);
  return id;
}

absl::StatusOr<uint32_t> Instantiator::VariableId(uint32_t pattern, Hint type) {
  const irate::Variable& wanted = names_.variables(static_cast<int>(pattern));
  const std::string name = MetaName(wanted.name());
  if (name.empty()) {
    for (int i = 0; i < subject_.variables_size(); ++i) {
      if (subject_.variables(i).name() == wanted.name()) return static_cast<uint32_t>(i);
    }
    return Fail(fmt::format("the function has no variable {}", wanted.name()));
  }
  const Binding* binding = Find(name);
  if (binding != nullptr) {
    if (binding->kind == Binding::Kind::kExpr && binding->exprs[0].op() == VAR) {
      return binding->exprs[0].id();
    }
    return Fail(fmt::format("${} stands for no variable here", name));
  }
  if (type.type == VOID) return Fail(fmt::format("${} stands for nothing here", name));
  if (wanted.type() != VOID) type = {wanted.type(), wanted.lanes()};
  const uint32_t id = NewVariable(name, type);
  fresh_[name] = {.exprs = {VariableExpr(subject_, id)}};
  return id;
}

absl::StatusOr<uint32_t> Instantiator::LanesOf(const Expr& pattern) const {
  if (pattern.name().empty()) return pattern.lanes();
  const Binding* binding = Find(MetaName(pattern.name()));
  if (binding == nullptr || binding->kind != Binding::Kind::kExpr ||
      binding->exprs[0].op() != CONST || binding->exprs[0].int_value() < 2) {
    return Fail(fmt::format("{} stands for no number of lanes here", pattern.name()));
  }
  return static_cast<uint32_t>(binding->exprs[0].int_value());
}

absl::StatusOr<Substitution> Instantiator::MakeSubstitution(const Exprs& pairs) {
  Substitution result;
  for (int i = 0; i + 1 < pairs.size(); i += 2) {
    const std::string& name = pairs[i].name();
    const Binding* target = Find(name);
    if (target == nullptr) return Fail(fmt::format("${} stands for nothing here", name));
    if (target->kind == Binding::Kind::kBuffer) {
      const Binding* other = IsMeta(pairs[i + 1]) ? Find(pairs[i + 1].name()) : nullptr;
      if (other == nullptr || other->kind != Binding::Kind::kBuffer) {
        return Fail(fmt::format("the buffer ${} can be replaced by a buffer only", name));
      }
      result.buffers[target->buffer] = other->buffer;
      continue;
    }
    if (target->kind != Binding::Kind::kExpr || target->exprs[0].op() != VAR) {
      return Fail(fmt::format("${} := ...: only variables and buffers can be replaced", name));
    }
    const Expr& variable = target->exprs[0];
    IRATE_ASSIGN_OR_RETURN(Expr value, Build(pairs[i + 1], {variable.type(), variable.lanes()}));
    result.variables[variable.id()] = std::move(value);
  }
  return result;
}

absl::StatusOr<Expr> Instantiator::BuildMeta(const Expr& pattern) {
  const Binding* binding = Find(pattern.name());
  if (binding == nullptr) return Fail(fmt::format("${} stands for nothing here", pattern.name()));
  if (binding->kind != Binding::Kind::kExpr) {
    return Fail(fmt::format("${} stands for no single expression", pattern.name()));
  }
  Expr result = binding->exprs[0];
  IRATE_ASSIGN_OR_RETURN(const Substitution substitution, MakeSubstitution(pattern.args()));
  Substitute(substitution, &result);
  return result;
}

absl::StatusOr<Expr> Instantiator::BuildConst(const Expr& pattern, Hint hint) {
  if (!IsUntyped(pattern)) return pattern;
  const bool is_float = pattern.name() == "float";
  if (hint.type == VOID || (is_float && !IsFloat(hint.type))) {
    hint = {is_float ? F32 : I32, hint.lanes};
  }
  Expr result = Node(CONST, hint.type, 0);
  if (IsFloat(hint.type)) {
    result.set_float_value(is_float ? pattern.float_value()
                                    : static_cast<double>(pattern.int_value()));
  } else if (hint.type == BOOL) {
    result.set_int_value(pattern.int_value() != 0 ? 1 : 0);
  } else {
    result.set_int_value(pattern.int_value());
  }
  if (hint.lanes != 0) IRATE_RETURN_IF_ERROR(Convert(hint.type, hint.lanes, &result));
  return result;
}

// Two operands of one type. A literal is built last: it takes the type of the other.
absl::Status Instantiator::BuildPair(const Expr& pattern, int first, Hint hint, Expr* result) {
  const Expr& left = pattern.args(first);
  const Expr& right = pattern.args(first + 1);
  Expr a;
  Expr b;
  if (IsUntyped(left) && !IsUntyped(right)) {
    IRATE_ASSIGN_OR_RETURN(b, Build(right, hint));
    IRATE_ASSIGN_OR_RETURN(a, Build(left, {b.type(), b.lanes()}));
  } else {
    IRATE_ASSIGN_OR_RETURN(a, Build(left, hint));
    IRATE_ASSIGN_OR_RETURN(b, Build(right, {a.type(), a.lanes()}));
  }
  IRATE_RETURN_IF_ERROR(Unify(&a, &b));
  result->set_type(a.type());
  result->set_lanes(a.lanes());
  *result->add_args() = std::move(a);
  *result->add_args() = std::move(b);
  return absl::OkStatus();
}

absl::Status Instantiator::BuildArgs(const Exprs& pattern, Hint hint, Exprs* result) {
  for (const Expr& arg : pattern) {
    if (!IsMetaList(arg)) {
      IRATE_ASSIGN_OR_RETURN(*result->Add(), Build(arg, hint));
      continue;
    }
    const Binding* binding = Find(arg.name());
    if (binding == nullptr || binding->kind != Binding::Kind::kExprs) {
      return Fail(fmt::format("${}... stands for no list of expressions here", arg.name()));
    }
    IRATE_ASSIGN_OR_RETURN(const Substitution substitution, MakeSubstitution(arg.args()));
    for (const Expr& expr : binding->exprs) {
      Expr copy = expr;
      Substitute(substitution, &copy);
      *result->Add() = std::move(copy);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Expr> Instantiator::BuildCall(const Expr& pattern) {
  Expr result = Node(CALL, pattern.type(), pattern.lanes());
  IRATE_ASSIGN_OR_RETURN(*result.mutable_name(), Text(pattern.name()));
  IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, result.mutable_args()));
  const Expr* source = nullptr;
  if (calls_used_ < static_cast<int>(bindings_.calls.size())) {
    source = bindings_.calls[static_cast<size_t>(calls_used_++)].second;
  }
  if (result.type() != VOID) return result;
  const text::ValueType implied =
      text::ImpliedCallType(result.name(), result.args_size() == 0 ? nullptr : &result.args(0));
  if (implied.scalar == VOID && source != nullptr) {
    result.set_type(source->type());
    result.set_lanes(source->lanes());
  } else {
    result.set_type(implied.scalar);
    result.set_lanes(implied.lanes);
  }
  return result;
}

absl::StatusOr<Expr> Instantiator::BuildLet(const Expr& pattern, Hint hint) {
  IRATE_ASSIGN_OR_RETURN(Expr value, Build(pattern.args(0), {}));
  IRATE_ASSIGN_OR_RETURN(const uint32_t id,
                         VariableId(pattern.id(), {value.type(), value.lanes()}));
  const irate::Variable& variable = subject_.variables(static_cast<int>(id));
  IRATE_RETURN_IF_ERROR(Convert(variable.type(), variable.lanes(), &value));
  IRATE_ASSIGN_OR_RETURN(Expr body, Build(pattern.args(1), hint));
  Expr result = Node(LET, body.type(), body.lanes());
  result.set_id(id);
  *result.add_args() = std::move(value);
  *result.add_args() = std::move(body);
  return result;
}

absl::StatusOr<Expr> Instantiator::Build(const Expr& pattern, Hint hint) {
  if (IsMeta(pattern)) return BuildMeta(pattern);
  Expr result = Node(pattern.op(), pattern.type(), pattern.lanes());
  switch (pattern.op()) {
    case CONST:
      return BuildConst(pattern, hint);
    case STRING: {
      IRATE_ASSIGN_OR_RETURN(*result.mutable_name(), Text(pattern.name()));
      return result;
    }
    case VAR: {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, VariableId(pattern.id(), {}));
      return VariableExpr(subject_, id);
    }
    case BUFFER_DATA: {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, BufferId(pattern.id()));
      result.set_id(id);
      return result;
    }
    case LOAD: {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, BufferId(pattern.id()));
      result.set_id(id);
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, result.mutable_args()));
      const irate::Buffer& buffer = subject_.buffers(static_cast<int>(id));
      const uint32_t index_lanes =
          result.args_size() == 0 ? 1 : Lanes(result.args(result.args_size() - 1).lanes());
      const uint32_t lanes = index_lanes * Lanes(buffer.lanes());
      result.set_type(buffer.type());
      result.set_lanes(lanes <= 1 ? 0 : lanes);
      return result;
    }
    case LET:
      return BuildLet(pattern, hint);
    case CALL:
      return BuildCall(pattern);
    case CAST: {
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, result.mutable_args()));
      if (!pattern.name().empty()) {
        IRATE_ASSIGN_OR_RETURN(const std::string name, Text(pattern.name()));
        const std::optional<ScalarType> type = ParseTypeName(name);
        if (!type) return Fail(fmt::format("{} stands for no type", pattern.name()));
        result.set_type(*type);
      }
      result.set_lanes(result.args(0).lanes());
      return result;
    }
    case REINTERPRET:
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, result.mutable_args()));
      return result;
    case RAMP: {
      IRATE_RETURN_IF_ERROR(BuildPair(pattern, 0, {hint.type, 0}, &result));
      IRATE_ASSIGN_OR_RETURN(const uint32_t lanes, LanesOf(pattern));
      result.set_lanes(lanes);
      return result;
    }
    case BROADCAST: {
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {hint.type, 0}, result.mutable_args()));
      IRATE_ASSIGN_OR_RETURN(const uint32_t lanes, LanesOf(pattern));
      result.set_type(result.args(0).type());
      result.set_lanes(lanes);
      return result;
    }
    case SHUFFLE:
      IRATE_RETURN_IF_ERROR(BuildArgs(pattern.args(), {}, result.mutable_args()));
      if (result.args_size() == 0) return Fail("a shuffle of nothing");
      *result.mutable_int_list() = pattern.int_list();
      result.set_type(result.args(0).type());
      result.set_lanes(
          pattern.int_list_size() <= 1 ? 0 : static_cast<uint32_t>(pattern.int_list_size()));
      return result;
    case SELECT:
    case IF_THEN_ELSE: {
      IRATE_ASSIGN_OR_RETURN(Expr condition, Build(pattern.args(0), {BOOL, 0}));
      *result.add_args() = std::move(condition);
      IRATE_RETURN_IF_ERROR(BuildPair(pattern, 1, hint, &result));
      return result;
    }
    case NOT:
    case BIT_NOT: {
      IRATE_ASSIGN_OR_RETURN(Expr operand, Build(pattern.args(0), hint));
      result.set_type(operand.type());
      result.set_lanes(operand.lanes());
      *result.add_args() = std::move(operand);
      return result;
    }
    default:
      IRATE_RETURN_IF_ERROR(
          BuildPair(pattern, 0, IsComparison(pattern.op()) ? Hint{} : hint, &result));
      if (IsBool(pattern)) result.set_type(BOOL);
      return result;
  }
}

absl::StatusOr<Expr> Instantiator::MakeExpr(const Expr& pattern, const Expr& replaced) {
  IRATE_ASSIGN_OR_RETURN(Expr result, Build(pattern, {replaced.type(), replaced.lanes()}));
  IRATE_RETURN_IF_ERROR(Convert(replaced.type(), replaced.lanes(), &result));
  return result;
}

}  // namespace irate::rewrite
