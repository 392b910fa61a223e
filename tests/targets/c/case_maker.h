// A Case with one function under construction.
#pragma once

#include <string>
#include <vector>

#include "ir/builder.h"
#include "ir/irate.pb.h"

namespace irate::c_target_test {

class CaseMaker {
 public:
  explicit CaseMaker(const std::string& name) {
    case_.set_version(1);
    case_.set_generator(name);
    case_.mutable_inputs()->set_seed(11);
    case_.mutable_module()->add_functions()->set_name("main");
  }

  Function* function() { return case_.mutable_module()->mutable_functions(0); }
  Module* module() { return case_.mutable_module(); }
  Inputs* inputs() { return case_.mutable_inputs(); }

  uint32_t Param(const std::string& name, ScalarType type, std::vector<Expr> shape) {
    const uint32_t buffer = build::AddBuffer(function(), name, type, std::move(shape));
    build::AddBufferParam(function(), buffer);
    return buffer;
  }
  uint32_t Param(const std::string& name, ScalarType type, int64_t extent) {
    return Param(name, type, {build::I32Const(extent)});
  }
  uint32_t Local(const std::string& name, ScalarType type, std::vector<Expr> shape) {
    return build::AddBuffer(function(), name, type, std::move(shape));
  }
  uint32_t Variable(const std::string& name, ScalarType type, uint32_t lanes = 0) {
    return build::AddVariable(function(), name, type, lanes);
  }
  Expr Var(uint32_t id) { return build::Var(*function(), id); }
  Expr Load(uint32_t buffer, std::vector<Expr> indices) {
    return build::Load(*function(), buffer, std::move(indices));
  }
  // for variable in [0, extent)
  Stmt Loop(uint32_t variable, int64_t extent, std::vector<Stmt> body, LoopKind kind = SERIAL) {
    const ScalarType type = function()->variables(static_cast<int>(variable)).type();
    return build::For(variable, build::Int(type, 0), build::Int(type, extent), kind,
                      std::move(body));
  }
  CaseMaker& Add(Stmt stmt) {
    *function()->add_body() = std::move(stmt);
    return *this;
  }
  // Values of parameter number `param`.
  CaseMaker& Range(uint32_t param, int64_t min, int64_t max) {
    ParamInput* input = inputs()->add_params();
    input->set_param(param);
    input->set_min(min);
    input->set_max(max);
    return *this;
  }
  Case Done() { return case_; }

 private:
  Case case_;
};

inline Stmt Plain(StmtKind kind) {
  Stmt stmt;
  stmt.set_kind(kind);
  return stmt;
}

inline Stmt Return(Expr value) {
  Stmt stmt = Plain(RETURN);
  *stmt.add_args() = std::move(value);
  return stmt;
}

inline Stmt DeclareView(uint32_t buffer, Expr data) {
  Stmt stmt = Plain(DECL_BUFFER);
  stmt.set_id(buffer);
  *stmt.add_args() = std::move(data);
  return stmt;
}

inline Expr DataOf(uint32_t buffer) {
  Expr data;
  data.set_op(BUFFER_DATA);
  data.set_type(HANDLE);
  data.set_id(buffer);
  return data;
}

}  // namespace irate::c_target_test
