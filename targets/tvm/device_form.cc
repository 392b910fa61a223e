#include "targets/tvm/device_form.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ir/device_spec.h"
#include "ir/status_macros.h"
#include "ir/visit.h"

namespace irate::tvm_target {
namespace {

// Up to here a parallel loop is one group of threads; beyond, or where its extent is not known, its
// iterations are groups of one thread.
constexpr int64_t kMaxThreads = 256;
constexpr char kThread[] = "threadIdx.x";
constexpr char kGroup[] = "blockIdx.x";

bool IsConstant(const Expr& expr, int64_t value) {
  return expr.op() == CONST && expr.int_value() == value;
}

bool Reads(const Expr& expr) {
  bool found = false;
  VisitExpr(expr, [&found](const Expr& part) {
    found |= part.op() == LOAD || part.op() == CALL || part.op() == BUFFER_DATA;
  });
  return found;
}

class DeviceForm {
 public:
  explicit DeviceForm(Function* function) : function_(*function) {}

  absl::Status Convert() { return ConvertList(function_.mutable_body()); }

 private:
  // A list outside of kernels.
  absl::Status ConvertList(StmtList* list) {
    for (Stmt& stmt : *list) {
      switch (stmt.kind()) {
        case ALLOC:
        case DECL_BUFFER:
        case RETURN:
        case ASSERT:
          continue;
        case BIND:
          if (Reads(stmt.args(0))) return Refuse("a value that the host reads from a buffer");
          continue;
        case ATTR:
          IRATE_RETURN_IF_ERROR(ConvertList(stmt.mutable_body()));
          continue;
        case BLOCK:
          // The root.
          if (stmt.block().iters().empty() && !stmt.block().has_predicate()) {
            IRATE_RETURN_IF_ERROR(ConvertList(stmt.mutable_body()));
            continue;
          }
          IRATE_RETURN_IF_ERROR(MakeKernel(&stmt));
          continue;
        default:
          IRATE_RETURN_IF_ERROR(MakeKernel(&stmt));
      }
    }
    return absl::OkStatus();
  }

  absl::Status MakeKernel(Stmt* stmt) {
    IRATE_RETURN_IF_ERROR(CheckKernel(*stmt));
    const bool binds = stmt->kind() == FOR && stmt->loop_kind() == PARALLEL &&
                       stmt->args_size() == 2 && IsConstant(stmt->args(0), 0) &&
                       stmt->annotations().empty();
    StmtList inside;
    inside.Add()->Swap(stmt);
    if (binds) {
      stmt->Swap(&inside[0]);
      const Expr& extent = stmt->args(1);
      const bool small =
          extent.op() == CONST && extent.int_value() >= 1 && extent.int_value() <= kMaxThreads;
      stmt->set_loop_kind(THREAD_BINDING);
      stmt->set_thread_tag(small ? kThread : kGroup);
      if (small || extent.op() != CONST || extent.int_value() >= 1) {
        Localise(stmt->mutable_body());
        return absl::OkStatus();
      }
      return Refuse("a loop without iterations");
    }
    Localise(&inside);
    Variable* variable = function_.add_variables();
    variable->set_name(absl::StrCat("thread", function_.variables_size()));
    variable->set_type(I32);
    stmt->set_kind(FOR);
    stmt->set_id(static_cast<uint32_t>(function_.variables_size() - 1));
    stmt->set_loop_kind(THREAD_BINDING);
    stmt->set_thread_tag(kThread);
    for (const int64_t value : {0, 1}) {
      Expr* bound = stmt->add_args();
      bound->set_op(CONST);
      bound->set_type(I32);
      bound->set_int_value(value);
    }
    stmt->mutable_body()->Swap(&inside);
    return absl::OkStatus();
  }

  // Makes what is inside a kernel the thread's own.
  void Localise(StmtList* list) {
    VisitStmts(*list, [this](Stmt& stmt) {
      if (stmt.kind() == FOR && stmt.loop_kind() == PARALLEL) stmt.set_loop_kind(SERIAL);
      if (stmt.kind() == ALLOC) MakeLocal(stmt.id());
      for (const uint32_t id : stmt.block().alloc_buffers()) MakeLocal(id);
    });
  }

  void MakeLocal(uint32_t id) {
    Buffer* buffer = function_.mutable_buffers(static_cast<int>(id));
    if (buffer->scope().empty() || buffer->scope() == "global") buffer->set_scope("local");
  }

  absl::Status CheckBuffer(uint32_t id) const {
    for (const Expr& extent : function_.buffers(static_cast<int>(id)).shape()) {
      if (extent.op() != CONST) return Refuse("an allocation of a size that is not constant");
    }
    return absl::OkStatus();
  }

  absl::Status CheckKernel(const Stmt& kernel) const {
    StmtList list;
    *list.Add() = kernel;
    absl::Status status;
    VisitStmts(std::as_const(list), [&](const Stmt& stmt) {
      if (!status.ok()) return;
      if (stmt.kind() == ASSERT) status = Refuse("an assertion");
      if (stmt.kind() == RETURN) status = Refuse("a return");
      if (stmt.kind() == DECL_BUFFER) status = Refuse("a view of memory");
      if (stmt.kind() == ALLOC) status.Update(CheckBuffer(stmt.id()));
      for (const uint32_t id : stmt.block().alloc_buffers()) status.Update(CheckBuffer(id));
      if (!stmt.block().match_buffers().empty()) status.Update(Refuse("a matched buffer"));
      ForEachRootExpr(stmt, [&status](const Expr& root) {
        VisitExpr(root, [&status](const Expr& expr) {
          if (expr.op() == STRING) status.Update(Refuse("a call with a text"));
          if (expr.op() == CALL && expr.name().starts_with("@")) {
            status.Update(Refuse("a call of another function"));
          }
        });
      });
    });
    return status;
  }

  static absl::Status Refuse(const std::string& construct) {
    return absl::UnimplementedError(absl::StrCat("device form: ", construct));
  }

  Function& function_;
};

}  // namespace

absl::StatusOr<Module> ToDeviceForm(const Case& test_case) {
  if (BindsThreads(test_case.module())) return test_case.module();
  if (test_case.schedule().steps_size() != 0) {
    return absl::UnimplementedError("device form: a schedule for the processor");
  }
  if (test_case.module().functions_size() != 1) {
    return absl::UnimplementedError("device form: several functions");
  }
  Module module = test_case.module();
  IRATE_RETURN_IF_ERROR(DeviceForm(module.mutable_functions(0)).Convert());
  return module;
}

}  // namespace irate::tvm_target
