#include "ir/measure.h"

#include <algorithm>
#include <vector>

namespace irate {
namespace {

class Measurer {
 public:
  void Add(const Function& function) {
    // Params have no parts of interest: counted, not visited.
    measure_.nodes += function.params_size() + function.variables_size();
    for (const Buffer& buffer : function.buffers()) AddBuffer(buffer);
    for (const Attribute& attr : function.attrs()) AddAttribute(attr, 1);
    for (const Stmt& stmt : function.body()) PushStmt(stmt, 1);
    Drain();
  }

  void Add(const Case& test_case) {
    Count(test_case.schedule().steps_size() + test_case.passes().steps_size() +
          test_case.targets_size() + test_case.inputs().params_size() +
          test_case.inputs().dims_size());
    for (const ScheduleStep& step : test_case.schedule().steps()) PushArgs(step.args(), 2);
    for (const PassStep& step : test_case.passes().steps()) PushArgs(step.args(), 2);
    for (const Attribute& config : test_case.passes().config()) AddAttribute(config, 2);
    Drain();
  }

  void Count(int64_t nodes) { measure_.nodes += nodes; }
  const Measure& measure() const { return measure_; }

 private:
  struct Item {
    const Expr* expr;
    const Stmt* stmt;
    int depth;
  };

  void Visit(int depth) {
    ++measure_.nodes;
    measure_.depth = std::max(measure_.depth, depth);
  }

  void PushExpr(const Expr& expr, int depth) { pending_.push_back({&expr, nullptr, depth}); }
  void PushStmt(const Stmt& stmt, int depth) { pending_.push_back({nullptr, &stmt, depth}); }

  template <typename Args>
  void PushArgs(const Args& args, int depth) {
    for (const Expr& arg : args) PushExpr(arg, depth);
  }

  void AddBuffer(const Buffer& buffer) {
    Visit(1);
    PushArgs(buffer.shape(), 2);
    PushArgs(buffer.strides(), 2);
    if (buffer.has_elem_offset()) PushExpr(buffer.elem_offset(), 2);
  }

  void AddAttribute(const Attribute& attr, int depth) {
    Visit(depth);
    if (attr.has_value()) PushExpr(attr.value(), depth + 1);
  }

  void AddRange(const Range& range, int depth) {
    Visit(depth);
    if (range.has_min()) PushExpr(range.min(), depth + 1);
    if (range.has_extent()) PushExpr(range.extent(), depth + 1);
  }

  void AddRegion(const BufferRegion& region, int depth) {
    Visit(depth);
    for (const Range& range : region.ranges()) AddRange(range, depth + 1);
  }

  void AddBlock(const Block& block, int depth) {
    Visit(depth);
    for (const BlockIter& iter : block.iters()) {
      Visit(depth + 1);
      if (iter.has_domain()) AddRange(iter.domain(), depth + 2);
      if (iter.has_binding()) PushExpr(iter.binding(), depth + 2);
    }
    if (block.has_predicate()) PushExpr(block.predicate(), depth + 1);
    for (const BufferRegion& region : block.reads()) AddRegion(region, depth + 1);
    for (const BufferRegion& region : block.writes()) AddRegion(region, depth + 1);
    for (const MatchBuffer& match : block.match_buffers()) {
      Visit(depth + 1);
      if (match.has_source()) AddRegion(match.source(), depth + 2);
    }
    Count(block.alloc_buffers_size());
    for (const Attribute& attr : block.annotations()) AddAttribute(attr, depth + 1);
    for (const Stmt& stmt : block.init()) PushStmt(stmt, depth + 1);
  }

  void AddStmt(const Stmt& stmt, int depth) {
    PushArgs(stmt.args(), depth + 1);
    for (const Stmt& nested : stmt.body()) PushStmt(nested, depth + 1);
    for (const Stmt& nested : stmt.orelse()) PushStmt(nested, depth + 1);
    if (stmt.has_block()) AddBlock(stmt.block(), depth + 1);
    if (stmt.has_attr_node()) Visit(depth + 1);
    for (const Attribute& attr : stmt.annotations()) AddAttribute(attr, depth + 1);
  }

  void Drain() {
    while (!pending_.empty()) {
      const Item item = pending_.back();
      pending_.pop_back();
      Visit(item.depth);
      if (item.expr != nullptr) {
        PushArgs(item.expr->args(), item.depth + 1);
      } else {
        AddStmt(*item.stmt, item.depth);
      }
    }
  }

  Measure measure_;
  std::vector<Item> pending_;
};

}  // namespace

Measure MeasureModule(const Module& module) {
  Measurer measurer;
  measurer.Count(module.functions_size());
  for (const Function& function : module.functions()) measurer.Add(function);
  return measurer.measure();
}

Measure MeasureCase(const Case& test_case) {
  Measurer measurer;
  measurer.Count(test_case.module().functions_size());
  for (const Function& function : test_case.module().functions()) measurer.Add(function);
  measurer.Add(test_case);
  return measurer.measure();
}

}  // namespace irate
