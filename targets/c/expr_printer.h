// Expressions of one function, as C.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ir/irate.pb.h"
#include "targets/c/prelude.h"

namespace irate::c_target {

// What the printers of one module share.
struct ModuleContext {
  const Module* module = nullptr;
  Prelude* prelude = nullptr;
  // Starts every name at file scope, so that modules can share a translation unit.
  std::string prefix;
  // The memory of one buffer is accessed as several types, or through handles.
  bool has_views = false;

  std::string FunctionName(int index) const;
};

class ExprPrinter {
 public:
  ExprPrinter(const ModuleContext& context, const Function& function)
      : context_(context), function_(function) {}

  // A C expression of C type CType(expr.type(), expr.lanes()), parenthesised where it needs to be.
  // What cannot be printed leaves its name in `status()`; the text is then of no use.
  std::string Print(const Expr& expr);

  // The element of a buffer (an lvalue), for scalar indices.
  std::string Element(uint32_t buffer, const std::vector<std::string>& indices);
  // The same as an offset in elements from the buffer's data pointer.
  std::string Offset(uint32_t buffer, const std::vector<std::string>& indices);
  // The number of elements from the data pointer to the end of the buffer.
  std::string Extent(uint32_t buffer);

  std::string VariableName(uint32_t id) const;
  std::string BufferName(uint32_t id) const;
  // The type that the buffer's memory is accessed as.
  std::string ElementType(uint32_t buffer);

  const absl::Status& status() const { return status_; }
  // Remembers the first refusal: Unimplemented, "the C printer has no ...".
  void Refuse(std::string_view what);

 private:
  std::string PrintConstant(const Expr& expr);
  std::string PrintLoad(const Expr& expr);
  std::string PrintOperator(const Expr& expr);
  std::string PrintCast(const Expr& expr);
  std::string PrintReinterpret(const Expr& expr);
  std::string PrintRamp(const Expr& expr);
  std::string PrintBroadcast(const Expr& expr);
  std::string PrintShuffle(const Expr& expr);
  std::string PrintLet(const Expr& expr);
  std::string PrintCall(const Expr& expr);
  std::string PrintFunctionCall(const Expr& expr);
  std::string PrintMemoryCall(const Expr& expr);
  std::string PrintExternalCall(const Expr& expr);
  // A lane-wise function of the arguments of `expr`, from its `first` argument on.
  std::string PrintLanewise(
      const Expr& expr, const std::string& name,
      const std::function<std::string(const std::vector<std::string>&)>& scalar);

  const ModuleContext& context_;
  const Function& function_;
  absl::Status status_;
};

}  // namespace irate::c_target
