#include "generators/device_program.h"

#include <algorithm>
#include <string>

#include "ir/device_spec.h"
#include "ir/visit.h"

namespace irate {
namespace {

bool Binds(const Stmt& stmt) {
  return stmt.kind() == FOR && stmt.loop_kind() == THREAD_BINDING &&
         (stmt.thread_tag().starts_with("blockIdx") || stmt.thread_tag().starts_with("threadIdx"));
}

bool IsDevice(const TargetSpec& spec) { return !DeviceOf(spec).empty(); }

bool BindsHardware(const Module& module) {
  bool binds = false;
  for (const Function& function : module.functions()) {
    VisitStmts(function, [&binds](const Stmt& stmt) { binds |= Binds(stmt); });
  }
  return binds;
}

bool Touches(const Stmt& stmt) {
  bool touches = stmt.kind() == STORE;
  ForEachRootExpr(stmt, [&touches](const Expr& root) {
    VisitExpr(root, [&touches](const Expr& expr) { touches |= expr.op() == LOAD; });
  });
  return touches;
}

// Everything that is not in a kernel leaves buffers alone; kernels have no parallel loops.
bool IsDeviceBody(const StmtList& body, bool in_kernel) {
  return std::ranges::all_of(body, [in_kernel](const Stmt& stmt) {
    const bool inside = in_kernel || Binds(stmt);
    if (stmt.kind() == FOR && stmt.loop_kind() == PARALLEL) return false;
    if (!in_kernel && stmt.kind() == FOR && stmt.loop_kind() == VECTORIZED) return false;
    if (!inside && Touches(stmt)) return false;
    return IsDeviceBody(stmt.body(), inside) && IsDeviceBody(stmt.orelse(), inside) &&
           (!stmt.has_block() || IsDeviceBody(stmt.block().init(), inside));
  });
}

// An allocation in a kernel says whose memory it is: no device has global memory there.
bool AllocatesGlobally(const Function& function) {
  const auto is_global = [&function](uint32_t id) {
    const std::string& scope = function.buffers(static_cast<int>(id)).scope();
    return scope.empty() || scope == "global";
  };
  bool found = false;
  VisitStmts(function, [&](const Stmt& stmt) {
    found |= stmt.kind() == ALLOC && is_global(stmt.id());
    for (const uint32_t id : stmt.block().alloc_buffers()) found |= is_global(id);
  });
  return found;
}

bool HasDeviceParts(const Module& module) {
  bool found = false;
  for (const Function& function : module.functions()) {
    for (const Buffer& buffer : function.buffers()) found |= buffer.scope().starts_with("shared");
    VisitStmts(function, [&found](const Stmt& stmt) {
      found |= stmt.kind() == BARRIER || stmt.name() == "reduce_scope";
    });
    VisitExprs(function, [&found](const Expr& expr) {
      found |= expr.op() == CALL && expr.name() == "tvm_thread_allreduce";
    });
  }
  return found;
}

}  // namespace

bool IsCoherent(const Case& test_case) {
  const Module& module = test_case.module();
  if (!BindsHardware(module)) return !HasDeviceParts(module);
  return !test_case.targets().empty() && std::ranges::all_of(test_case.targets(), IsDevice) &&
         module.functions_size() == 1 && !AllocatesGlobally(module.functions(0)) &&
         IsDeviceBody(module.functions(0).body(), false) && test_case.schedule().steps().empty() &&
         (test_case.passes().mode() == WILD || test_case.passes().steps().empty());
}

}  // namespace irate
