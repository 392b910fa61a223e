#include "ir/canonical.h"

#include <unordered_map>
#include <vector>

#include "fmt/format.h"
#include "ir/rewrite_ids.h"
#include "ir/visit.h"

namespace irate {
namespace {

constexpr uint32_t kUnused = UINT32_MAX;

class Renumbering {
 public:
  explicit Renumbering(const Function& function)
      : old_(function),
        variables_(static_cast<size_t>(function.variables_size()), kUnused),
        buffers_(static_cast<size_t>(function.buffers_size()), kUnused),
        map_{.variable = [this](uint32_t id) { return Variable(id); },
             .buffer = [this](uint32_t id) { return Buffer(id); }} {}

  Function Run() {
    new_ = old_;
    new_.clear_variables();
    new_.clear_buffers();
    for (Param& param : *new_.mutable_params()) {
      param.set_id(param.kind() == PARAM_BUFFER ? Buffer(param.id()) : Variable(param.id()));
    }
    for (Attribute& attr : *new_.mutable_attrs()) {
      if (attr.has_value()) RewriteIds(attr.mutable_value(), map_);
    }
    for (Stmt& stmt : *new_.mutable_body()) RewriteIds(&stmt, map_);
    return std::move(new_);
  }

  // kUnused if it has none.
  uint32_t NewVariable(uint32_t id) const {
    return id < variables_.size() ? variables_[id] : kUnused;
  }

 private:
  uint32_t Variable(uint32_t id) {
    if (id >= variables_.size()) return id;
    if (variables_[id] == kUnused) {
      variables_[id] = static_cast<uint32_t>(new_.variables_size());
      *new_.add_variables() = old_.variables(static_cast<int>(id));
    }
    return variables_[id];
  }

  uint32_t Buffer(uint32_t id) {
    if (id >= buffers_.size()) return id;
    if (buffers_[id] == kUnused) {
      const int added = new_.buffers_size();
      buffers_[id] = static_cast<uint32_t>(added);
      *new_.add_buffers() = old_.buffers(static_cast<int>(id));
      irate::Buffer declaration = new_.buffers(added);
      RewriteIds(&declaration, map_);
      *new_.mutable_buffers(added) = std::move(declaration);
    }
    return buffers_[id];
  }

  const Function& old_;
  Function new_;
  std::vector<uint32_t> variables_;  // new ids by old ones
  std::vector<uint32_t> buffers_;
  const IdMap map_;
};

// FNV-1a: simple, and the same everywhere.
uint64_t HashBytes(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

void ForgetNames(Module* module) {
  std::unordered_map<std::string, std::string> functions;
  for (int i = 0; i < module->functions_size(); ++i) {
    functions.emplace("@" + module->functions(i).name(), fmt::format("@{}", i));
  }
  for (Function& function : *module->mutable_functions()) {
    function.clear_name();
    for (Variable& variable : *function.mutable_variables()) variable.clear_name();
    for (Buffer& buffer : *function.mutable_buffers()) buffer.clear_name();
    VisitStmts(&function, [](Stmt& stmt) {
      if (stmt.has_block()) stmt.mutable_block()->clear_name();
    });
    VisitExprs(&function, [&](Expr& expr) {
      if (expr.op() != CALL) return;
      const auto found = functions.find(expr.name());
      if (found != functions.end()) expr.set_name(found->second);
    });
  }
}

}  // namespace

Module Canonicalize(const Module& module) {
  Module result;
  for (const Function& function : module.functions()) {
    *result.add_functions() = Renumbering(function).Run();
  }
  return result;
}

Case Canonicalize(const Case& test_case) {
  Case result = test_case;
  *result.mutable_module() = Canonicalize(test_case.module());
  if (test_case.inputs().dims_size() == 0) return result;
  Renumbering entry(test_case.module().functions(0));
  entry.Run();
  for (DimValue& dim : *result.mutable_inputs()->mutable_dims()) {
    dim.set_variable(entry.NewVariable(dim.variable()));
  }
  return result;
}

uint64_t StructuralHash(const Module& module) {
  Module nameless = Canonicalize(module);
  ForgetNames(&nameless);
  return HashBytes(nameless.SerializeAsString());
}

}  // namespace irate
