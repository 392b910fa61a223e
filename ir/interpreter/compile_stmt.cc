// Statements other than blocks.
#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/interpreter/compiler.h"

namespace irate::interp {
bool Escapes(const StmtList& list, bool in_loop) {
  for (const Stmt& stmt : list) {
    switch (stmt.kind()) {
      case RETURN:
        return true;
      case BREAK:
      case CONTINUE:
        if (!in_loop) return true;
        break;
      default: {
        const bool inside = in_loop || stmt.kind() == FOR || stmt.kind() == WHILE;
        if (Escapes(stmt.body(), inside) || Escapes(stmt.orelse(), inside)) return true;
        if (stmt.has_block() && Escapes(stmt.block().init(), inside)) return true;
        break;
      }
    }
  }
  return false;
}

uint32_t FunctionCompiler::EnterPlace(const Stmt& stmt) {
  const uint32_t outer = place_;
  out_.places.push_back({.parent = outer, .stmt = &stmt, .registers = {}});
  place_ = static_cast<uint32_t>(out_.places.size() - 1);
  return outer;
}

void FunctionCompiler::CompileList(const StmtList& list) {
  for (const Stmt& stmt : list) {
    const uint32_t outer = EnterPlace(stmt);
    const bool contains_lists = stmt.kind() == ATTR || stmt.kind() == BLOCK;
    if (!contains_lists && stmt.kind() != ALLOC && stmt.kind() != DECL_BUFFER) EmitConverge();
    CompileStmt(stmt);
    LeavePlace(outer);
  }
}

void FunctionCompiler::CompileStmt(const Stmt& stmt) {
  const bool wants_value = stmt.kind() == WHILE || stmt.kind() == IF || stmt.kind() == STORE ||
                           stmt.kind() == BIND || stmt.kind() == DECL_BUFFER ||
                           stmt.kind() == ASSERT || stmt.kind() == EVALUATE;
  if (wants_value && stmt.args_size() == 0) {
    return Fail(fmt::format("{} without an operand", StmtKindName(stmt.kind())));
  }
  switch (stmt.kind()) {
    case FOR:
      return CompileFor(stmt);
    case WHILE:
      return CompileWhile(stmt);
    case IF:
      return CompileIf(stmt);
    case STORE:
      return CompileStore(stmt);
    case BIND: {
      const Reg value = CompileExpr(stmt.args(0));
      const Reg variable = Variable(stmt.id());
      if (variable.lanes != value.lanes || variable.type != value.type) {
        Fail("BIND of a value of another type than the variable's");
      }
      if (IsVarying(stmt.args(0))) varying_.insert(stmt.id());
      return Move(value, variable.index);
    }
    case ALLOC:
      if (KnowsBuffer(stmt.id())) {
        const uint32_t info = DeclareBuffer(stmt.id());
        Emit({.code = Code::kAlloc, .b = stmt.id(), .c = info});
      }
      return;
    case DECL_BUFFER: {
      if (!KnowsBuffer(stmt.id())) return;
      const Reg data = CompileExpr(stmt.args(0));
      if (data.type != HANDLE) Fail("DECL_BUFFER at something that is no pointer");
      const uint32_t info = DeclareBuffer(stmt.id());
      Emit({.code = Code::kView, .a = data.index, .b = stmt.id(), .c = info});
      return;
    }
    case BLOCK:
      return CompileBlock(stmt);
    case ASSERT:
      return CompileAssert(stmt);
    case ATTR:
      return CompileAttr(stmt);
    case EVALUATE:
      CompileExpr(stmt.args(0));
      return;
    case BREAK:
    case CONTINUE:
    case RETURN:
      return CompileJumpOut(stmt);
    case BARRIER:
      return CompileBarrier(stmt.name());
    default:
      return Fail(fmt::format("a statement of kind {}", static_cast<int>(stmt.kind())));
  }
}

void FunctionCompiler::CompileFor(const Stmt& stmt) {
  if (stmt.args_size() < 2 || stmt.args_size() > 3) {
    return Fail("FOR without a minimum and an extent");
  }
  if (stmt.loop_kind() == THREAD_BINDING) return CompileThreadLoop(stmt);
  CompileLoop(stmt, stmt.loop_kind());
}

void FunctionCompiler::EmitLoop(const Stmt& stmt, LoopKind kind, const StmtList& body) {
  const Reg variable = Variable(stmt.id());
  const Reg min = CompileScalarInt(stmt.args(0));
  const Reg extent = CompileScalarInt(stmt.args(1));
  Loop loop{.kind = kind,
            .type = variable.type,
            .variable = variable.index,
            .min = min.index,
            .extent = extent.index};
  if (stmt.args_size() == 3) loop.step = CompileScalarInt(stmt.args(2)).index;
  if (!IsInteger(variable.type) || variable.lanes != 1 || min.type != extent.type) {
    return Fail("FOR over something that is no scalar integer");
  }
  loop.state = NewCells(2);
  const auto index = static_cast<uint32_t>(out_.loops.size());
  out_.loops.emplace_back();
  Emit({.code = Code::kLoopEnter, .c = index});
  loop.begin = Here();
  out_.places[place_].variable = variable.index;
  out_.places[place_].known_from = loop.begin;
  const bool is_parallel = loop.kind == PARALLEL || loop.kind == VECTORIZED;
  open_loops_.push_back({.is_parallel = is_parallel, .breaks = {}, .continues = {}});
  parallel_depth_ += is_parallel ? 1 : 0;
  const bool was_diverged = diverged_;
  const bool varies =
      std::ranges::any_of(stmt.args(), [this](const Expr& bound) { return IsVarying(bound); });
  if (is_parallel || varies) {
    diverged_ = true;
    varying_.insert(stmt.id());
  }
  CompileList(body);
  diverged_ = was_diverged;
  parallel_depth_ -= is_parallel ? 1 : 0;
  const uint32_t next = Here();
  Emit({.code = Code::kLoopNext, .c = index});
  loop.end = Here();
  out_.loops[index] = loop;
  CloseLoop(next, loop.end);
}

void FunctionCompiler::CloseLoop(uint32_t next, uint32_t end) {
  for (uint32_t jump : open_loops_.back().breaks) out_.code[jump].a = end;
  for (uint32_t jump : open_loops_.back().continues) out_.code[jump].a = next;
  open_loops_.pop_back();
}

void FunctionCompiler::CompileWhile(const Stmt& stmt) {
  const uint32_t begin = Here();
  const Reg condition = CompileCondition(stmt.args(0));
  const auto index = static_cast<uint32_t>(out_.whiles.size());
  out_.whiles.emplace_back();
  Emit({.code = Code::kWhile, .a = condition.index, .c = index});
  open_loops_.emplace_back();
  const bool was_diverged = std::exchange(diverged_, true);
  CompileList(stmt.body());
  diverged_ = was_diverged;
  Emit({.code = Code::kJump, .a = begin});
  out_.whiles[index].end = Here();
  CloseLoop(begin, Here());
}

void FunctionCompiler::EmitBranch(Reg condition, bool escapes,
                                  const std::function<void()>& then_arm,
                                  const std::function<void()>& else_arm) {
  const auto index = static_cast<uint32_t>(out_.branches.size());
  out_.branches.emplace_back();
  Emit({.code = Code::kBranch, .a = condition.index, .c = index});
  Branch branch{.escapes = escapes};
  then_arm();
  branch.then_end = Here();
  Emit({.code = Code::kJump});
  branch.else_begin = Here();
  else_arm();
  branch.end = Here();
  out_.code[branch.then_end].a = branch.end;
  out_.branches[index] = branch;
}

void FunctionCompiler::CompileIf(const Stmt& stmt) {
  const Reg condition = CompileCondition(stmt.args(0));
  const bool escapes = Escapes(stmt.body(), false) || Escapes(stmt.orelse(), false);
  const bool was_diverged = std::exchange(diverged_, true);
  EmitBranch(
      condition, escapes, [&] { CompileList(stmt.body()); }, [&] { CompileList(stmt.orelse()); });
  diverged_ = was_diverged;
}

void FunctionCompiler::CompileStore(const Stmt& stmt) {
  if (!KnowsBuffer(stmt.id())) return;
  const Buffer& buffer = function_.buffers(static_cast<int>(stmt.id()));
  uint32_t list = 0;
  const uint32_t lanes = CompileIndices(stmt.args(), 1, buffer, &list);
  const auto count = static_cast<uint32_t>(stmt.args_size() - 1);
  PlaceNode& place = out_.places[place_];
  place.registers.assign(out_.lists.begin() + list, out_.lists.begin() + list + count);
  place.known_from = Here();
  Reg value = CompileExpr(stmt.args(0));
  if (StoresBoolAs(buffer.type(), value.type)) value = CastTo(buffer.type(), value);
  if (value.type != buffer.type() || value.lanes != lanes * Lanes(buffer.lanes())) {
    Fail(fmt::format("a store to {} of another type than its own", buffer.name()));
  }
  Emit({.code = Code::kStore,
        .type = buffer.type(),
        .aux = static_cast<uint16_t>(count),
        .lanes = lanes,
        .dst = reduced_.contains(stmt.id()) ? kReductionAccess : 0,
        .a = value.index,
        .b = stmt.id(),
        .c = list});
}

void FunctionCompiler::CompileJumpOut(const Stmt& stmt) {
  if (stmt.kind() == RETURN) {
    if (in_launch_) return EmitTrap(Trap::kUnsupported, "return of one thread");
    if (parallel_depth_ > 0) {
      return EmitTrap(Trap::kUnsupported, "return out of a parallel or vectorized loop");
    }
    const uint32_t value = stmt.args_size() == 0 ? kNoRegister : CompileExpr(stmt.args(0)).index;
    Emit({.code = Code::kReturn, .a = value});
    return;
  }
  if (open_loops_.empty()) return Fail("break or continue outside of a loop");
  OpenLoop& loop = open_loops_.back();
  if (loop.is_parallel) {
    return EmitTrap(Trap::kUnsupported, "break or continue of a parallel or vectorized loop");
  }
  (stmt.kind() == BREAK ? loop.breaks : loop.continues).push_back(Here());
  Emit({.code = Code::kJump});
}

void FunctionCompiler::CompileAssert(const Stmt& stmt) {
  const Reg condition = CompileCondition(stmt.args(0));
  out_.texts.push_back(fmt::format("{}: {}", stmt.name(), absl::StrJoin(stmt.strings(), "")));
  Emit({.code = Code::kAssert,
        .a = condition.index,
        .c = static_cast<uint32_t>(out_.texts.size() - 1)});
}

void FunctionCompiler::CompileAttr(const Stmt& stmt) {
  const bool is_thread = stmt.name() == "thread_extent" || stmt.name() == "virtual_thread";
  if (is_thread) return CompileThreadAttr(stmt);
  if (stmt.name() == "reduce_scope") return CompileReducerScope(stmt);
  // Every other key is a hint about its body.
  CompileList(stmt.body());
}

}  // namespace irate::interp
