// Device programs: thread-bound loops, barriers, reductions over threads, kernel launches.
//
// The outermost loop or attribute that binds a hardware thread begins a launch, its end ends it.
// Everything inside is run by every thread of the launch; a loop over a thread index gives that
// thread its own iteration. docs/semantics.md, "Devices", has the rules.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "ir/interpreter/compiler.h"
#include "ir/visit.h"

namespace irate::interp {
namespace {

constexpr std::array<std::string_view, kThreadDims> kTags = {
    "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z"};

std::optional<uint32_t> DimensionOf(std::string_view tag) {
  const auto found = std::ranges::find(kTags, tag);
  if (found == kTags.end()) return std::nullopt;
  return static_cast<uint32_t>(found - kTags.begin());
}

bool IsVirtual(std::string_view tag) { return tag.starts_with("vthread") || tag == "cthread"; }

// What binds a thread: its tag and its extent. Null extent: `stmt` binds none.
struct ThreadBinding {
  std::string_view tag;
  const Expr* extent = nullptr;
};

ThreadBinding BindingOf(const Stmt& stmt) {
  if (stmt.kind() == FOR && stmt.loop_kind() == THREAD_BINDING && stmt.args_size() >= 2) {
    return {stmt.thread_tag(), &stmt.args(1)};
  }
  if (stmt.kind() == ATTR && stmt.name() == "thread_extent" && stmt.args_size() == 1) {
    return {stmt.attr_node().thread_tag(), &stmt.args(0)};
  }
  return {};
}

}  // namespace

bool IsKernel(const Function& function) {
  constexpr int64_t kDeviceKernelLaunch = 2;  // tvm::CallingConv
  return std::ranges::any_of(function.attrs(), [](const Attribute& attribute) {
    return attribute.key() == "calling_conv" &&
           attribute.value().int_value() == kDeviceKernelLaunch;
  });
}

std::vector<uint32_t> LaunchDimensions(const Function& function) {
  std::vector<uint32_t> dims;
  for (const Attribute& attribute : function.attrs()) {
    if (attribute.key() != "tirx.kernel_launch_params") continue;
    for (const Expr& tag : attribute.value().args()) {
      dims.push_back(DimensionOf(tag.name()).value_or(kThreadDims));
    }
  }
  return dims;
}

// A variable that may differ between the threads of one block. Loads count: the memory may be the
// thread's own.
bool FunctionCompiler::IsVarying(const Expr& expr) const {
  bool varying = false;
  VisitExpr(expr, [&](const Expr& part) {
    varying |= part.op() == LOAD || (part.op() == VAR && varying_.contains(part.id()));
  });
  return varying;
}

void FunctionCompiler::EmitConverge() {
  if (in_launch_ && !diverged_) Emit({.code = Code::kConverge});
}

// The extents of all threads that `stmt` and what is inside of it bind, evaluated before.
bool FunctionCompiler::CompileLaunchExtents(const Stmt& stmt, Launch* launch) {
  std::fill(std::begin(launch->extents), std::end(launch->extents), kNoRegister);
  std::unordered_set<uint32_t> defined;
  std::vector<ThreadBinding> bindings;
  const auto visit = [&](const Stmt& part) {
    if (part.kind() == FOR || part.kind() == BIND) defined.insert(part.id());
    if (part.kind() == ATTR && part.attr_node().node_case() == AttrNode::kThreadTag) {
      defined.insert(part.attr_node().thread_variable());
    }
    for (const BlockIter& iter : part.block().iters()) defined.insert(iter.variable());
    if (const ThreadBinding binding = BindingOf(part); binding.extent != nullptr) {
      bindings.push_back(binding);
    }
  };
  visit(stmt);
  ForEachChildList(stmt, [&visit](const StmtList& list) { VisitStmts(list, visit); });
  for (const ThreadBinding& binding : bindings) {
    const std::optional<uint32_t> dim = DimensionOf(binding.tag);
    if (!dim.has_value() || launch->extents[*dim] != kNoRegister) continue;
    bool inside = false;
    VisitExpr(*binding.extent, [&](const Expr& part) {
      inside |= part.op() == LOAD || (part.op() == VAR && defined.contains(part.id()));
    });
    if (inside) {
      EmitTrap(Trap::kUnsupported,
               fmt::format("an extent of {} that is computed inside of the launch", binding.tag));
      return false;
    }
    launch->extents[*dim] = CompileScalarInt(*binding.extent).index;
  }
  return true;
}

void FunctionCompiler::CompileInLaunch(const Stmt& stmt, const std::function<void()>& body) {
  if (in_launch_) return body();
  Launch launch;
  if (!CompileLaunchExtents(stmt, &launch)) return;
  const auto index = static_cast<uint32_t>(out_.launches.size());
  out_.launches.emplace_back();
  Emit({.code = Code::kLaunch, .c = index});
  in_launch_ = true;
  diverged_ = false;
  body();
  in_launch_ = false;
  varying_.clear();
  launch.end = Here();
  out_.launches[index] = launch;
}

void FunctionCompiler::CompileThreadLoop(const Stmt& stmt) {
  if (IsVirtual(stmt.thread_tag())) return CompileLoop(stmt, PARALLEL);
  const std::optional<uint32_t> dim = DimensionOf(stmt.thread_tag());
  if (!dim.has_value()) {
    return EmitTrap(Trap::kUnsupported, fmt::format("a loop bound to {}", stmt.thread_tag()));
  }
  if (stmt.args_size() == 3) {
    return EmitTrap(Trap::kUnsupported, "a thread-bound loop with a step");
  }
  CompileInLaunch(stmt, [&] {
    CompileThreadIndex(stmt.id(), *dim, &stmt.args(0), stmt.args(1));
    CompileList(stmt.body());
  });
}

void FunctionCompiler::CompileThreadIndex(uint32_t id, uint32_t dim, const Expr* min,
                                          const Expr& extent) {
  const Reg variable = Variable(id);
  if (!IsInteger(variable.type) || variable.lanes != 1) {
    return Fail("a thread index that is no scalar integer");
  }
  const uint32_t min_register = min == nullptr ? kNoRegister : CompileScalarInt(*min).index;
  const Reg extent_register = CompileScalarInt(extent);
  Emit({.code = Code::kThread,
        .type = variable.type,
        .aux = static_cast<uint16_t>(dim),
        .dst = variable.index,
        .a = min_register,
        .b = extent_register.index});
  out_.places[place_].variable = variable.index;
  out_.places[place_].known_from = Here();
  if (dim >= kBlockDims) varying_.insert(id);
  thread_dims_[id] = dim;
}

void FunctionCompiler::CompileThreadAttr(const Stmt& stmt) {
  const std::string& tag = stmt.attr_node().thread_tag();
  const std::optional<uint32_t> dim = DimensionOf(tag);
  if (stmt.args_size() != 1 || stmt.attr_node().node_case() != AttrNode::kThreadTag) {
    return EmitTrap(Trap::kUnsupported, fmt::format("{} without a thread", stmt.name()));
  }
  if (stmt.name() == "virtual_thread") return CompileVirtualThread(stmt);
  if (!dim.has_value()) {
    return EmitTrap(Trap::kUnsupported, fmt::format("threads of the index {}", tag));
  }
  CompileInLaunch(stmt, [&] {
    CompileThreadIndex(stmt.attr_node().thread_variable(), *dim, nullptr, stmt.args(0));
    CompileList(stmt.body());
  });
}

// A virtual thread is a parallel loop of each hardware thread.
void FunctionCompiler::CompileVirtualThread(const Stmt& stmt) {
  const uint32_t id = stmt.attr_node().thread_variable();
  const Reg variable = Variable(id);
  Stmt loop;
  loop.set_kind(FOR);
  loop.set_id(id);
  Expr* zero = loop.add_args();
  zero->set_op(CONST);
  zero->set_type(variable.type);
  *loop.add_args() = stmt.args(0);
  EmitLoop(loop, PARALLEL, stmt.body());
}

void FunctionCompiler::CompileBarrier(const std::string& scope) {
  if (!in_launch_) {
    return EmitTrap(Trap::kUnsupported, fmt::format("a barrier ({}) outside of threads", scope));
  }
  if (!scope.starts_with("shared")) {
    return EmitTrap(Trap::kUnsupported, fmt::format("a barrier of the scope {}", scope));
  }
  const std::vector<uint32_t> loops = LoopVariables();
  Emit({.code = Code::kBarrier, .aux = static_cast<uint16_t>(loops.size()), .c = AddList(loops)});
}

std::vector<uint32_t> FunctionCompiler::LoopVariables() const {
  std::vector<uint32_t> registers;
  for (uint32_t at = place_; at != 0; at = out_.places[at].parent) {
    const PlaceNode& node = out_.places[at];
    const bool loops = node.stmt->kind() == FOR && node.stmt->loop_kind() != THREAD_BINDING;
    if (loops && node.variable != kNoRegister) registers.push_back(node.variable);
  }
  return registers;
}

void FunctionCompiler::CompileReducerScope(const Stmt& stmt) {
  const Stmt* outer = reducer_;
  reducer_ = &stmt;
  CompileList(stmt.body());
  reducer_ = outer;
}

// tvm_thread_allreduce(n, n values, condition, n destinations, thread indices...) in the scope of
// comm_reducer(_, let x0 = e0 in let y0 = e0 in ... array(results)).
bool FunctionCompiler::CompileAllReduce(const Expr& expr, Reg* out) {
  if (expr.name() != "tvm_thread_allreduce") return false;
  *out = Nothing(expr);
  const auto unsupported = [&](std::string_view why) {
    EmitTrap(Trap::kUnsupported, fmt::format("tvm_thread_allreduce {}", why));
    return true;
  };
  if (!in_launch_ || reducer_ == nullptr || reducer_->args_size() != 1 ||
      reducer_->args(0).name() != "comm_reducer" || reducer_->args(0).args_size() != 2) {
    return unsupported("without threads or without a reducer");
  }
  const auto count = static_cast<int>(expr.args_size() == 0 ? 0 : expr.args(0).int_value());
  if (count < 1 || count > 16 || expr.args_size() < 2 + 2 * count) {
    return unsupported("of other operands than its own");
  }
  Reduction reduction;
  for (int i = 0; i < count; ++i) {
    const Reg value = CompileArg(expr, 1 + i);
    reduction.values.push_back(value.index);
  }
  reduction.condition = CompileCondition(expr.args(1 + count)).index;
  for (int i = 2 + 2 * count; i < expr.args_size(); ++i) {
    const Expr& thread = expr.args(i);
    const auto dim = thread_dims_.find(thread.id());
    if (thread.op() == CONST) continue;  // the index of a dimension of extent one
    if (thread.op() != VAR || dim == thread_dims_.end() || dim->second < kBlockDims) {
      return unsupported("over something that is no thread index");
    }
    reduction.dims |= 1u << dim->second;
  }
  const Expr* combiner = &reducer_->args(0).args(1);
  std::vector<uint32_t>* sides[] = {&reduction.lhs, &reduction.rhs};
  for (int i = 0; i < 2 * count; ++i) {
    if (combiner->op() != LET || combiner->args_size() != 2) return unsupported("of a bad reducer");
    const Reg identity = CompileExpr(combiner->args(0));
    if (i % 2 == 0) reduction.identity.push_back(identity.index);
    sides[i % 2]->push_back(Variable(combiner->id()).index);
    combiner = &combiner->args(1);
  }
  if (combiner->name() != "array" || combiner->args_size() != count) {
    return unsupported("of a bad reducer");
  }
  // The combiner is code of its own, which only the reduction runs.
  const uint32_t jump = Here();
  Emit({.code = Code::kJump});
  reduction.begin = Here();
  std::vector<Reg> combined;
  for (const Expr& part : combiner->args()) {
    combined.push_back(CompileExpr(part));
    reduction.results.push_back(combined.back().index);
  }
  reduction.end = Here();
  out_.code[jump].a = Here();
  const uint32_t first = NewCells(static_cast<uint32_t>(count));
  const std::vector<uint32_t> loops = LoopVariables();
  out_.reductions.push_back(std::move(reduction));
  Emit({.code = Code::kAllReduce,
        .aux = static_cast<uint16_t>(loops.size()),
        .dst = first,
        .a = static_cast<uint32_t>(out_.reductions.size() - 1),
        .c = AddList(loops)});
  for (int i = 0; i < count; ++i) {
    const Expr& place = expr.args(2 + count + i);
    if (place.op() != LOAD || !KnowsBuffer(place.id())) return unsupported("to no buffer");
    const Buffer& buffer = function_.buffers(static_cast<int>(place.id()));
    uint32_t list = 0;
    const uint32_t lanes = CompileIndices(place.args(), 0, buffer, &list);
    if (lanes != 1 || buffer.type() != combined[static_cast<size_t>(i)].type) {
      return unsupported("of another type than its destination's");
    }
    Emit({.code = Code::kStore,
          .type = buffer.type(),
          .aux = static_cast<uint16_t>(place.args_size()),
          .a = first + static_cast<uint32_t>(i),
          .b = place.id(),
          .c = list});
  }
  return true;
}

// call_ffi_kernel(name, arguments..., extents..., array(tags...)).
bool FunctionCompiler::CompileKernelCall(const Expr& expr, Reg* out) {
  if (expr.name() != "call_ffi_kernel" && expr.name() != "tvm_call_kernel") return false;
  *out = Nothing(expr);
  const auto unsupported = [&](std::string_view why) {
    EmitTrap(Trap::kUnsupported, fmt::format("a kernel call {}", why));
    return true;
  };
  const int last = expr.args_size() - 1;
  if (last < 1 || expr.args(0).op() != STRING || expr.args(last).name() != "array") {
    return unsupported("of another form");
  }
  const Expr& tags = expr.args(last);
  for (int i = 0; i < module_.functions_size(); ++i) {
    const Function& kernel = module_.functions(i);
    if (kernel.name() != expr.args(0).name()) continue;
    const int params = kernel.params_size();
    if (1 + params + tags.args_size() != last) return unsupported("with other arguments");
    std::vector<uint32_t> list(kThreadDims, kNoRegister);
    for (int k = 0; k < tags.args_size(); ++k) {
      const Reg extent = CompileArg(expr, 1 + params + k);
      const std::optional<uint32_t> dim = DimensionOf(tags.args(k).name());
      if (dim.has_value()) list[*dim] = extent.index;
    }
    for (int k = 0; k < params; ++k) {
      const Reg reg = CompileArg(expr, 1 + k);
      const Param& param = kernel.params(k);
      const ScalarType wanted = param.kind() == PARAM_BUFFER
                                    ? HANDLE
                                    : kernel.variables(static_cast<int>(param.id())).type();
      if (reg.type != wanted) return unsupported("with an argument of another type");
      list.push_back(reg.index);
    }
    const uint32_t first = AddList(list);
    Emit({.code = Code::kCallKernel,
          .type = VOID,
          .dst = out->index,
          .a = first,
          .b = static_cast<uint32_t>(i),
          .c = first + kThreadDims});
    return true;
  }
  return unsupported(fmt::format("of the unknown {}", expr.args(0).name()));
}

}  // namespace irate::interp
