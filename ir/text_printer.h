// The printer of one function; its rules are spread over text_print_expr.cc, text_print_stmt.cc and
// text_print_module.cc.
//
// Tolerates messages that were not verified: it prints something for all of them and cuts off
// nesting that could exhaust the stack.
#pragma once

#include <string>
#include <string_view>

#include "ir/irate.pb.h"
#include "ir/text_names.h"
#include "ir/text_words.h"

namespace irate::text {

class Printer {
 public:
  explicit Printer(const Function& function) : function_(function), names_(function) {}

  void PrintFunction();
  void PrintStmt(const Stmt& stmt, int indent);
  // In parentheses if the expression binds less tightly than `context`.
  void PrintExpr(const Expr& expr, Precedence context = kLoosest);
  // " attributes {...}", or nothing if there are none.
  void PrintAttributes(const google::protobuf::RepeatedPtrField<Attribute>& attributes);

  const std::string& text() const { return out_; }
  const NameTable& names() const { return names_; }

 private:
  using Exprs = google::protobuf::RepeatedPtrField<Expr>;
  using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

  void Indent(int indent) { out_.append(static_cast<size_t>(indent) * 2, ' '); }
  void PrintInfix(const Expr& expr, Precedence context);
  void PrintPrimary(const Expr& expr);
  void PrintCall(const Expr& expr);
  void PrintArgs(const Exprs& args, int first = 0);
  void PrintBrackets(const Exprs& args, int first = 0);
  void PrintRange(const Expr& min, const Expr& extent);
  void PrintRegion(const BufferRegion& region);
  void PrintRegions(std::string_view word,
                    const google::protobuf::RepeatedPtrField<BufferRegion>& regions, int indent);
  // " {", the statements, "}".
  void PrintBody(const Stmts& body, int indent);
  void PrintIf(const Stmt& stmt, int indent);
  void PrintFor(const Stmt& stmt, int indent);
  void PrintBlock(const Stmt& stmt, int indent);
  void PrintAttr(const Stmt& stmt, int indent);
  void PrintVariables();
  void PrintBuffer(const Buffer& buffer, uint32_t id);

  const Function& function_;
  const NameTable names_;
  std::string out_;
  int depth_ = 0;
};

// True if a call of `name` on `args` has the type of its first argument in the text (BOOL for float
// tests), so that it need not be written.
ValueType ImpliedCallType(std::string_view name, const Expr* first_arg);

}  // namespace irate::text
