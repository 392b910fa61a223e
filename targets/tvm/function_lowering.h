// One function on its way to TVM IR. Internal to lower*.cc.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "google/protobuf/repeated_field.h"
#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class FunctionLowering {
 public:
  // `globals`: the ir.GlobalVar of every function of the module, by name.
  FunctionLowering(const Function& function, const std::unordered_map<std::string, Any>& globals)
      : function_(function),
        globals_(globals),
        variables_(static_cast<size_t>(function.variables_size())),
        buffers_(static_cast<size_t>(function.buffers_size())),
        threads_(static_cast<size_t>(function.variables_size())) {}

  // The tirx.PrimFunc. Throws tvm::ffi::Error.
  Any Lower();

  // One expression, and one variable, of a function without a body. Throw as Lower does.
  Any LowerValue(const Expr& expr) { return LowerExpr(expr); }
  Any LowerVariable(uint32_t id) { return Variable(id); }

 private:
  using Exprs = google::protobuf::RepeatedPtrField<Expr>;
  using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

  // lower_expr.cc and lower_call.cc. `pointer_type`: the type that a HANDLE expression should have
  // where the Case IR does not say (it is that of the variable or buffer that takes the value).
  Any LowerExpr(const Expr& expr, const Any* pointer_type = nullptr);
  Any LowerConst(const Expr& expr);
  Any LowerCall(const Expr& expr, const Any* pointer_type);
  Any CallType(const Expr& expr, const Any* pointer_type);
  Any LowerShuffle(const Expr& expr);
  static Any MakeCall(const Any& type, const Any& op, const AnyArray& args,
                      const Any& attrs = Any());
  AnyArray LowerExprs(const Exprs& exprs, int first = 0);

  Any Variable(uint32_t id);
  Any Buffer(uint32_t id);
  // ir.PointerType of the buffer's data.
  Any DataType(uint32_t buffer);

  // lower_stmt.cc
  Any LowerBody(const Stmts& stmts);
  Any LowerStmt(const Stmt& stmt);
  Any LowerFor(const Stmt& stmt);
  Any LowerAttr(const Stmt& stmt);
  Any LowerReducer(const Expr& value);
  Any LowerAssert(const Stmt& stmt);
  AnyMap LowerAttributes(const google::protobuf::RepeatedPtrField<Attribute>& attributes);

  // lower_block.cc
  Any LowerBlock(const Stmt& stmt);
  Any LowerRange(const Range& range);
  Any LowerRegion(const BufferRegion& region);
  AnyArray LowerRegions(const google::protobuf::RepeatedPtrField<BufferRegion>& regions);

  const Function& function_;
  const std::unordered_map<std::string, Any>& globals_;
  std::vector<Any> variables_;  // made at first use
  std::vector<Any> buffers_;
  std::vector<Any> threads_;  // tirx.IterVar of thread variables, by variable
  bool has_blocks_ = false;
};

}  // namespace irate::tvm_target
