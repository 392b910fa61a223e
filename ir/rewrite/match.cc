#include "ir/rewrite/match.h"

#include <utility>

#include "ir/rewrite/names.h"
#include "ir/types.h"

namespace irate::rewrite {

bool SameExpr(const Expr& a, const Expr& b) {
  return a.op() == b.op() && a.type() == b.type() && a.id() == b.id() &&
         a.args_size() == b.args_size() && a.SerializeAsString() == b.SerializeAsString();
}

bool Binding::operator==(const Binding& other) const {
  if (kind != other.kind || exprs.size() != other.exprs.size() ||
      stmts.size() != other.stmts.size() || buffer != other.buffer || text != other.text ||
      loop_kind != other.loop_kind) {
    return false;
  }
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (!SameExpr(exprs[i], other.exprs[i])) return false;
  }
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (stmts[i].SerializeAsString() != other.stmts[i].SerializeAsString()) return false;
  }
  return true;
}

bool Matcher::Bind(const std::string& name, Binding value, const Then& then) {
  if (name == "_") return then();  // matches anything, every time
  const auto [entry, is_new] = bindings_.values.try_emplace(name, value);
  if (!is_new) return entry->second == value && then();
  if (then()) return true;
  bindings_.values.erase(name);
  return false;
}

bool Matcher::MatchVariable(uint32_t pattern, uint32_t subject, const Then& then) {
  const Variable& variable = subject_.variables(static_cast<int>(subject));
  const Variable& wanted = names_.variables(static_cast<int>(pattern));
  if (wanted.type() != VOID &&
      (wanted.type() != variable.type() || wanted.lanes() != variable.lanes())) {
    return false;
  }
  const std::string name = MetaName(wanted.name());
  if (name.empty()) return wanted.name() == variable.name() && then();
  return Bind(name, {.exprs = {VariableExpr(subject_, subject)}}, then);
}

bool Matcher::MatchBuffer(uint32_t pattern, uint32_t subject, const Then& then) {
  const std::string& spelling = names_.buffers(static_cast<int>(pattern)).name();
  const std::string name = MetaName(spelling);
  if (name.empty()) {
    return spelling == subject_.buffers(static_cast<int>(subject)).name() && then();
  }
  return Bind(name, {.kind = Binding::Kind::kBuffer, .buffer = subject}, then);
}

bool Matcher::MatchText(const std::string& pattern, const std::string& subject, const Then& then) {
  const std::string name = MetaName(pattern);
  if (name.empty()) return pattern == subject && then();
  return Bind(name, {.kind = Binding::Kind::kText, .text = subject}, then);
}

bool Matcher::MatchMeta(const Expr& pattern, const Expr& subject, const Then& then) {
  if (pattern.type() != VOID &&
      (pattern.type() != subject.type() || pattern.lanes() != subject.lanes())) {
    return false;
  }
  return Bind(pattern.name(), {.exprs = {subject}}, then);
}

bool Matcher::MatchConst(const Expr& pattern, const Expr& subject, const Then& then) {
  if (subject.op() != CONST) return false;
  if (pattern.type() != VOID && pattern.type() != subject.type()) return false;
  const bool is_float =
      pattern.type() == VOID ? pattern.name() == "float" : IsFloat(pattern.type());
  if (is_float != IsFloat(subject.type())) return false;
  const bool same = is_float ? pattern.float_value() == subject.float_value()
                             : pattern.int_value() == subject.int_value();
  return same && then();
}

bool Matcher::MatchExpr(const Expr& pattern, const Expr& subject, const Then& then) {
  if (Exhausted()) return false;
  if (IsMeta(pattern)) return !IsMetaList(pattern) && MatchMeta(pattern, subject, then);
  if (pattern.op() != subject.op()) return false;
  const Then args = [&] { return MatchExprs(pattern.args(), 0, subject.args(), 0, then); };
  switch (pattern.op()) {
    case CONST:
      return MatchConst(pattern, subject, then);
    case VAR:
      return MatchVariable(pattern.id(), subject.id(), then);
    case LET:
      return MatchVariable(pattern.id(), subject.id(), args);
    case STRING:
      return MatchText(pattern.name(), subject.name(), then);
    case LOAD:
    case BUFFER_DATA:
      return MatchBuffer(pattern.id(), subject.id(), args);
    case CAST:
      if (!pattern.name().empty()) {
        return MatchText(pattern.name(), std::string(TypeName(subject.type())), args);
      }
      return pattern.type() == subject.type() && args();
    case REINTERPRET:
      return pattern.type() == subject.type() && pattern.lanes() == subject.lanes() && args();
    case RAMP:
    case BROADCAST: {
      if (pattern.name().empty()) return pattern.lanes() == subject.lanes() && args();
      Expr lanes;
      lanes.set_op(CONST);
      lanes.set_type(I32);
      lanes.set_int_value(subject.lanes());
      return Bind(MetaName(pattern.name()), {.exprs = {lanes}}, args);
    }
    case SHUFFLE: {
      if (pattern.int_list_size() != subject.int_list_size()) return false;
      for (int i = 0; i < pattern.int_list_size(); ++i) {
        if (pattern.int_list(i) != subject.int_list(i)) return false;
      }
      return args();
    }
    case CALL: {
      bindings_.calls.emplace_back(&pattern, &subject);
      if (MatchText(pattern.name(), subject.name(), args)) return true;
      bindings_.calls.pop_back();
      return false;
    }
    default:
      return args();
  }
}

bool Matcher::MatchExprs(const Exprs& pattern, int at, const Exprs& subject, int from,
                         const Then& then) {
  if (Exhausted()) return false;
  if (at == pattern.size()) return from == subject.size() && then();
  const Expr& first = pattern[at];
  if (IsMetaList(first)) {
    Binding value{.kind = Binding::Kind::kExprs};
    for (int end = from; end <= subject.size(); ++end) {
      if (end > from) value.exprs.push_back(subject[end - 1]);
      if (Bind(first.name(), value,
               [&] { return MatchExprs(pattern, at + 1, subject, end, then); })) {
        return true;
      }
    }
    return false;
  }
  return from < subject.size() &&
         MatchExpr(
             first, subject[from],
             [&] { return MatchExprs(pattern, at + 1, subject, from + 1, then); });
}

bool Matcher::MatchStmts(const StmtList& pattern, int at, const StmtList& subject, int from,
                         int* stop, const Then& then) {
  if (Exhausted()) return false;
  if (at == pattern.size()) {
    if (stop == nullptr) return from == subject.size() && then();
    *stop = from;
    return then();
  }
  const Stmt& first = pattern[at];
  if (IsMetaList(first)) {
    Binding value{.kind = Binding::Kind::kStmts};
    const bool takes_rest = stop != nullptr && at + 1 == pattern.size();
    for (int end = from; end <= subject.size(); ++end) {
      if (end > from) value.stmts.push_back(subject[end - 1]);
      if (takes_rest && end < subject.size()) continue;
      if (Bind(first.name(), value,
               [&] { return MatchStmts(pattern, at + 1, subject, end, stop, then); })) {
        return true;
      }
    }
    return false;
  }
  return from < subject.size() &&
         MatchStmt(
             first, subject[from],
             [&] { return MatchStmts(pattern, at + 1, subject, from + 1, stop, then); });
}

bool Matcher::MatchWindow(const StmtList& pattern, const StmtList& subject, int start, int* length,
                          const Then& then) {
  int stop = start;
  if (IsMetaList(pattern[0]) && start != 0) return false;
  return MatchStmts(pattern, 0, subject, start, &stop, [&] {
    *length = stop - start;
    return then();
  });
}

bool Matcher::MatchBody(const Stmt& pattern, const Stmt& subject, const Then& then) {
  return MatchStmts(pattern.body(), 0, subject.body(), 0, nullptr, [&] {
    return MatchStmts(pattern.orelse(), 0, subject.orelse(), 0, nullptr, then);
  });
}

bool Matcher::MatchFor(const Stmt& pattern, const Stmt& subject, const Then& then) {
  const Then rest = [&] {
    return MatchVariable(pattern.id(), subject.id(), [&] {
      return MatchExprs(pattern.args(), 0, subject.args(), 0,
                        [&] { return MatchBody(pattern, subject, then); });
    });
  };
  if (pattern.name() == "any") return rest();
  if (const std::string kind = MetaName(pattern.name()); !kind.empty()) {
    return Bind(kind,
                {.kind = Binding::Kind::kLoopKind,
                 .text = subject.thread_tag(),
                 .loop_kind = subject.loop_kind()},
                rest);
  }
  if (pattern.loop_kind() != subject.loop_kind()) return false;
  return MatchText(pattern.thread_tag(), subject.thread_tag(), rest);
}

bool Matcher::MatchIters(const Block& pattern, int at, const Block& subject, const Then& then) {
  if (at == pattern.iters_size()) return then();
  const BlockIter& wanted = pattern.iters(at);
  const BlockIter& iter = subject.iters(at);
  return wanted.kind() == iter.kind() && MatchVariable(wanted.variable(), iter.variable(), [&] {
           return MatchExpr(wanted.domain().min(), iter.domain().min(), [&] {
             return MatchExpr(wanted.domain().extent(), iter.domain().extent(), [&] {
               return MatchExpr(wanted.binding(), iter.binding(),
                                [&] { return MatchIters(pattern, at + 1, subject, then); });
             });
           });
         });
}

bool Matcher::MatchBlock(const Stmt& pattern, const Stmt& subject, const Then& then) {
  const Block& wanted = pattern.block();
  const Block& block = subject.block();
  if (wanted.iters_size() != 0 && wanted.iters_size() != block.iters_size()) return false;
  if (wanted.has_predicate() && !block.has_predicate()) return false;
  const bool states_init = StatesClause(pattern, "init");
  return MatchText(wanted.name(), block.name(), [&] {
    return MatchIters(wanted, 0, block, [&] {
      const Then rest = [&] {
        if (!states_init) return MatchBody(pattern, subject, then);
        return MatchStmts(wanted.init(), 0, block.init(), 0, nullptr,
                          [&] { return MatchBody(pattern, subject, then); });
      };
      return wanted.has_predicate() ? MatchExpr(wanted.predicate(), block.predicate(), rest)
                                    : rest();
    });
  });
}

bool Matcher::MatchStmt(const Stmt& pattern, const Stmt& subject, const Then& then) {
  if (Exhausted()) return false;
  if (IsMeta(pattern)) {
    return Bind(pattern.name(), {.kind = Binding::Kind::kStmts, .stmts = {subject}}, then);
  }
  if (pattern.kind() != subject.kind()) return false;
  bindings_.stmts.emplace_back(&pattern, &subject);
  const Then args_and_body = [&] {
    return MatchExprs(pattern.args(), 0, subject.args(), 0,
                      [&] { return MatchBody(pattern, subject, then); });
  };
  const bool matched = [&] {
    switch (pattern.kind()) {
      case FOR:
        return MatchFor(pattern, subject, then);
      case BLOCK:
        return MatchBlock(pattern, subject, then);
      case STORE:
      case ALLOC:
      case DECL_BUFFER:
        return MatchBuffer(pattern.id(), subject.id(), args_and_body);
      case BIND:
        return MatchVariable(pattern.id(), subject.id(), args_and_body);
      case ATTR:
      case BARRIER:
        return MatchText(pattern.name(), subject.name(), args_and_body);
      case ASSERT:
        if (pattern.name().empty()) return args_and_body();
        return MatchText(pattern.name(), subject.name(), args_and_body);
      default:
        return args_and_body();
    }
  }();
  if (!matched) bindings_.stmts.pop_back();
  return matched;
}

}  // namespace irate::rewrite
