// Statements of one function, as C.
//
// A list of statements becomes a C scope, so that what it binds is visible to its end. Loops run in
// serial order whatever their kind: a program whose meaning depends on more is not defined.
#pragma once

#include <string>
#include <vector>

#include "targets/c/expr_printer.h"

namespace irate::c_target {

class StmtPrinter {
 public:
  StmtPrinter(const ModuleContext& context, const Function& function);

  // The function's definition, and its declaration with a semicolon.
  std::string PrintFunction(int index);
  std::string PrintPrototype(int index);

  const absl::Status& status() const { return exprs_.status(); }

 private:
  using StmtList = google::protobuf::RepeatedPtrField<Stmt>;

  std::string Signature(int index);
  void PrintList(const StmtList& list);
  void PrintStmt(const Stmt& stmt);
  void PrintFor(const Stmt& stmt);
  void PrintStore(const Stmt& stmt);
  void PrintAlloc(uint32_t buffer);
  void PrintBlock(const Stmt& stmt);
  void PrintMatchBuffer(const MatchBuffer& match);
  // Defines the variable that `field` is, if it is one without a definition so far.
  void DefineFrom(const Expr& field, const std::string& value);
  void PrintAssert(const Stmt& stmt);

  void Define(uint32_t variable, const std::string& value);
  void Line(const std::string& text);
  // "header {", and the end of what it opened.
  void Open(const std::string& header);
  void Close(const std::string& trailer = "");

  const ModuleContext& context_;
  const Function& function_;
  ExprPrinter exprs_;
  std::vector<bool> defined_;
  std::string text_;
  int indent_ = 0;
};

}  // namespace irate::c_target
