#include "targets/c/printer.h"

#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/intrinsics.h"
#include "ir/status_macros.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/stmt_printer.h"

namespace irate {
namespace c_target {
namespace {

bool UsesHandles(const Expr& expr) {
  if (expr.op() == BUFFER_DATA) return true;
  if (expr.op() == CALL) {
    const Intrinsic* intrinsic = FindIntrinsic(expr.name());
    if (intrinsic != nullptr && intrinsic->kind == IntrinsicKind::kMemory) return true;
  }
  for (const Expr& arg : expr.args()) {
    if (UsesHandles(arg)) return true;
  }
  return false;
}

bool MakesViews(const google::protobuf::RepeatedPtrField<Stmt>& list) {
  for (const Stmt& stmt : list) {
    if (stmt.kind() == DECL_BUFFER || stmt.block().match_buffers_size() > 0) return true;
    for (const Expr& arg : stmt.args()) {
      if (UsesHandles(arg)) return true;
    }
    if (MakesViews(stmt.body()) || MakesViews(stmt.orelse()) || MakesViews(stmt.block().init())) {
      return true;
    }
  }
  return false;
}

bool MakesViews(const Module& module) {
  for (const Function& function : module.functions()) {
    if (MakesViews(function.body())) return true;
  }
  return false;
}

std::string Entry(const ModuleContext& context, std::string_view entry) {
  const Function& function = context.module->functions(0);
  std::string args;
  int position = 0;
  for (const Param& param : function.params()) {
    const std::string_view separator = position == 0 ? "" : ", ";
    if (param.kind() == PARAM_BUFFER) {
      args += fmt::format("{}args[{}]", separator, position);
    } else {
      const Variable& variable = function.variables(static_cast<int>(param.id()));
      args += fmt::format("{}*({}*)args[{}]", separator, CType(variable.type(), variable.lanes()),
                          position);
    }
    ++position;
  }
  for (const uint32_t id : DimensionVariables(function)) {
    args += fmt::format("{}*({}*)args[{}]", position == 0 ? "" : ", ",
                        CType(function.variables(static_cast<int>(id)).type(), 0), position);
    ++position;
  }
  return fmt::format("int {}(void** args) {{\n  (void)args;\n  {}({});\n  return 0;\n}}\n", entry,
                     context.FunctionName(0), args);
}

}  // namespace

absl::Status TranslationUnit::Add(const Module& module, std::string_view entry) {
  if (module.functions().empty()) {
    return absl::InvalidArgumentError("a module without functions cannot be printed as C");
  }
  ModuleContext context;
  context.module = &module;
  context.prelude = &prelude_;
  context.prefix = fmt::format("{}_", entry);
  context.has_views = MakesViews(module);
  std::string prototypes;
  std::string definitions;
  for (int i = 0; i < module.functions_size(); ++i) {
    StmtPrinter printer(context, module.functions(i));
    prototypes += printer.PrintPrototype(i);
    definitions += "\n" + printer.PrintFunction(i);
    IRATE_RETURN_IF_ERROR(printer.status());
  }
  text_ += fmt::format("\n{}{}\n{}", prototypes, definitions, Entry(context, entry));
  return absl::OkStatus();
}

std::string TranslationUnit::Source() const { return prelude_.Text() + text_; }

}  // namespace c_target

absl::StatusOr<std::string> PrintC(const Module& module) {
  c_target::TranslationUnit unit(/*checked=*/false);
  IRATE_RETURN_IF_ERROR(unit.Add(module, "irate_entry"));
  return unit.Source();
}

}  // namespace irate
