#include "generators/feature_scan.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/node_features.h"
#include "generators/schedule.h"
#include "ir/types.h"

namespace irate {

using enum Feature;

namespace {

class Scanner {
 public:
  explicit Scanner(FeatureSet* found) : found_(*found) {}

  void Scan(const Function& function) {
    function_ = &function;
    loop_variables_.assign(static_cast<size_t>(function.variables_size()), false);
    parameter_variables_ = loop_variables_;
    parameter_buffers_.assign(static_cast<size_t>(function.buffers_size()), false);
    for (const Param& param : function.params()) {
      if (param.kind() == PARAM_SCALAR) {
        const Variable& variable = function.variables(static_cast<int>(param.id()));
        if (variable.type() != HANDLE) Add(kParamScalar);
        parameter_variables_[param.id()] = true;
      } else {
        parameter_buffers_[param.id()] = true;
        ScanParamShape(function.buffers(static_cast<int>(param.id())));
      }
    }
    for (const Buffer& buffer : function.buffers()) {
      Add(ElementTypeFeature(buffer.type()));
      if (buffer.lanes() != 0) Add(kVectorBuffer);
    }
    for (const Attribute& attribute : function.attrs()) {
      if (attribute.key() == "noalias" && attribute.value().int_value() != 0) {
        Add(kFunctionNoalias);
      }
    }
    launches_ = 0;
    ScanBody(function.body());
    if (launches_ > 1) Add(kDeviceSeveralKernels);
  }

 private:
  using Body = google::protobuf::RepeatedPtrField<Stmt>;

  void Add(Feature feature) { Include(found_, feature); }
  void Add(std::optional<Feature> feature) {
    if (feature) Add(*feature);
  }
  bool In(LoopKind kind) const { return depth_[kind] > 0; }

  void ScanParamShape(const Buffer& buffer) {
    if (buffer.strides_size() != 0) Add(kShapeStrided);
    if (buffer.has_elem_offset() && !IsConst(buffer.elem_offset(), 0)) Add(kShapeOffset);
    for (const Expr& extent : buffer.shape()) {
      if (IsConst(extent)) continue;
      Add(kShapeSymbolic);
      if (extent.op() != VAR) Add(kShapeSymbolicExpr);
      MarkParameters(extent);
    }
    for (const Expr& stride : buffer.strides()) MarkParameters(stride);
    if (buffer.has_elem_offset()) MarkParameters(buffer.elem_offset());
  }

  void MarkParameters(const Expr& expr) {
    if (expr.op() == VAR) parameter_variables_[expr.id()] = true;
    for (const Expr& arg : expr.args()) MarkParameters(arg);
  }

  bool Mentions(const Expr& expr, const std::vector<bool>& variables) const {
    return AnyNode(expr, [&](const Expr& e) { return e.op() == VAR && variables[e.id()]; });
  }

  void Placed(Feature in_parallel, Feature in_vectorized, Feature in_unrolled) {
    if (In(PARALLEL)) Add(in_parallel);
    if (In(VECTORIZED)) Add(in_vectorized);
    if (In(UNROLLED)) Add(in_unrolled);
  }

  void ScanBody(const Body& body) {
    for (const Stmt& stmt : body) ScanStmt(stmt);
  }

  void ScanStmt(const Stmt& stmt) {
    switch (stmt.kind()) {
      case FOR:
        return ScanLoop(stmt);
      case IF:
        return ScanIf(stmt);
      case WHILE:
        Add(kStmtWhile);
        break;
      case BREAK:
        Add(kStmtBreak);
        break;
      case CONTINUE:
        Add(kStmtContinue);
        break;
      case ASSERT:
        Add(kStmtAssert);
        break;
      case BIND:
        Add(kStmtBind);
        Placed(kBindInParallel, kBindInVectorized, kBindInUnrolled);
        break;
      case ALLOC:
        ScanAllocation(stmt.id());
        break;
      case DECL_BUFFER:
        Add(kViewDeclBuffer);
        break;
      case BLOCK:
        ScanBlock(stmt.block());
        break;
      case BARRIER:
        Add(kDeviceBarrier);
        break;
      case STORE:
        ScanDeviceStore(stmt);
        if (parameter_buffers_[stmt.id()]) stored_.insert(stmt.id());
        if (stored_.size() > 1 && loops_ > 0) Add(kStmtSeveralStores);
        ScanExpr(stmt.args(0), false);
        for (int i = 1; i < stmt.args_size(); ++i) ScanExpr(stmt.args(i), true);
        return;
      default:
        break;
    }
    for (const Expr& arg : stmt.args()) ScanExpr(arg, false);
    ScanBody(stmt.body());
  }

  void ScanLoop(const Stmt& loop) {
    const Expr& min = loop.args(0);
    const Expr& extent = loop.args(1);
    const LoopKind kind = loop.loop_kind();
    if (kind == PARALLEL) Add(kLoopParallel);
    if (kind == VECTORIZED) Add(kLoopVectorized);
    if (kind == UNROLLED) Add(kLoopUnrolled);
    ScanNesting(kind);
    if (!IsConst(min, 0)) Add(kLoopNonzeroMin);
    if (loop.args_size() > 2) Add(kLoopStep);
    if (IsConst(extent, 0)) Add(kLoopZeroExtent);
    if (IsConst(extent, 1)) Add(kLoopOneExtent);
    if (Mentions(min, loop_variables_) || Mentions(extent, loop_variables_)) Add(kLoopTriangular);
    if (Mentions(extent, parameter_variables_)) Add(kLoopSymbolic);
    if (function_->variables(static_cast<int>(loop.id())).type() == I64) Add(kLoopI64);
    for (const Expr& arg : loop.args()) ScanExpr(arg, false);
    if (kind == THREAD_BINDING) return ScanThreads(loop);
    ScanLoopBody(loop);
  }

  void ScanLoopBody(const Stmt& loop) {
    loop_variables_[loop.id()] = true;
    ++depth_[loop.loop_kind()];
    ++loops_;
    std::set<uint32_t> outer_stores;
    outer_stores.swap(stored_);
    ScanBody(loop.body());
    stored_.swap(outer_stores);
    --loops_;
    --depth_[loop.loop_kind()];
  }

  void ScanThreads(const Stmt& loop) {
    const std::string& tag = loop.thread_tag();
    if (tag.starts_with("vthread")) Add(kDeviceVirtualThread);
    if (IsConst(loop.args(1), 1)) Add(kDeviceOneExtent);
    if (!IsConst(loop.args(1))) Add(kDeviceDynamicExtent);
    if (tags_.empty()) ++launches_;
    tags_.push_back(tag);
    const auto count = [this](std::string_view prefix) {
      return std::ranges::count_if(tags_,
                                   [&](const std::string& t) { return t.starts_with(prefix); });
    };
    if (count("blockIdx") > 1) Add(kDeviceBlocks2d);
    if (count("threadIdx") > 1) Add(kDeviceThreads2d);
    if (count("threadIdx") > 2) Add(kDeviceThreads3d);
    ScanLoopBody(loop);
    tags_.pop_back();
  }

  // By turns: S[k mod 2, ...].
  void ScanDeviceStore(const Stmt& store) {
    const Buffer& buffer = function_->buffers(static_cast<int>(store.id()));
    if (!buffer.scope().starts_with("shared") || store.args_size() < 2) return;
    if (store.args(1).op() == FLOOR_MOD && IsConst(store.args(1).args(1), 2)) {
      Add(kDeviceDoubleBuffer);
    }
  }

  // A condition that compares positions keeps threads beyond the edge out.
  void ScanEdge(const Expr& condition) {
    if (In(THREAD_BINDING) && (condition.op() == LT || condition.op() == AND) &&
        Mentions(condition, loop_variables_)) {
      Add(kDeviceEdge);
    }
  }

  void ScanNesting(LoopKind kind) {
    if (In(VECTORIZED)) Add(kNestLoopInVectorized);
    if (kind == PARALLEL) {
      if (In(SERIAL)) Add(kNestParallelInSerial);
      if (In(UNROLLED)) Add(kNestParallelInUnrolled);
    } else if (kind == VECTORIZED) {
      if (In(SERIAL)) Add(kNestVectorizedInSerial);
      if (In(PARALLEL)) Add(kNestVectorizedInParallel);
      if (In(UNROLLED)) Add(kNestVectorizedInUnrolled);
    } else if (kind == UNROLLED) {
      if (In(SERIAL)) Add(kNestUnrolledInSerial);
      if (In(PARALLEL)) Add(kNestUnrolledInParallel);
    }
  }

  void ScanIf(const Stmt& stmt) {
    Add(kStmtIf);
    if (stmt.orelse_size() != 0) Add(kStmtElse);
    if (ifs_ > 0) Add(kStmtNestedIf);
    if (In(VECTORIZED)) Add(kIfInVectorized);
    ScanExpr(stmt.args(0), false);
    ScanEdge(stmt.args(0));
    ++ifs_;
    ScanBody(stmt.body());
    ScanBody(stmt.orelse());
    --ifs_;
  }

  void ScanAllocation(uint32_t id) {
    const std::string& scope = function_->buffers(static_cast<int>(id)).scope();
    if (In(THREAD_BINDING) && scope == "local") return Add(kDeviceLocal);
    if (In(THREAD_BINDING) && scope.starts_with("shared")) {
      Add(kDeviceShared);
      if (scope == "shared.dyn") Add(kDeviceSharedDynamic);
      return;
    }
    int64_t elements = 1;
    for (const Expr& extent : function_->buffers(static_cast<int>(id)).shape()) {
      elements *= IsConst(extent) ? extent.int_value() : 2;
      if (!IsConst(extent)) ScanExpr(extent, false);
    }
    if (elements == 1) {
      Add(kLocalScalar);
    } else {
      Add(loops_ > 0 ? kLocalArray : kLocalStage);
    }
    Placed(kLocalInParallel, kLocalInVectorized, kLocalInUnrolled);
  }

  void ScanBlock(const Block& block) {
    Add(kBlock);
    if (block.init_size() != 0) Add(kBlockInit);
    if (block.has_predicate()) {
      Add(kBlockPredicate);
      ScanExpr(block.predicate(), false);
      ScanEdge(block.predicate());
    }
    if (block.alloc_buffers_size() != 0) Add(kBlockAlloc);
    for (uint32_t id : block.alloc_buffers()) ScanAllocation(id);
    if (block.match_buffers_size() != 0) Add(kBlockMatchBuffer);
    for (const BlockIter& iter : block.iters()) {
      ScanExpr(iter.binding(), false);
      if (iter.kind() == REDUCTION && In(THREAD_BINDING)) Add(kDeviceBlockReduction);
    }
    ScanBody(block.init());
  }

  void ScanExpr(const Expr& expr, bool in_index) {
    // A reducer is written with lets, which no compiler sees.
    if (expr.name() == "comm_reducer") return;
    Add(OperatorFeature(expr.op()));
    if (in_index) AddIndexFeatures(expr, &found_);
    switch (expr.op()) {
      case CONST:
        if (expr.type() == BOOL) Add(kBoolConstant);
        break;
      case LOAD:
        for (const Expr& index : expr.args()) ScanExpr(index, true);
        return;
      case FLOOR_DIV:
      case FLOOR_MOD:
      case TRUNC_DIV:
      case TRUNC_MOD:
        if (!IsConst(expr.args(1))) {
          Add(kVariableDivisor);
        } else if (expr.args(1).int_value() < 0 && IsSigned(expr.type())) {
          Add(kNegativeDivisor);
        }
        break;
      case SHL:
      case SHR:
        if (!IsConst(expr.args(1))) Add(kVariableShift);
        break;
      case CAST:
        Add(CastFeature(expr.type(), expr.args(0).type()));
        break;
      case SELECT:
        if (In(VECTORIZED)) Add(kSelectInVectorized);
        break;
      case IF_THEN_ELSE:
        if (In(VECTORIZED)) Add(kIfThenElseInVectorized);
        if (IsGuardedLoad(expr)) Add(kGuardedLoad);
        break;
      case LET:
        Placed(kLetInParallel, kLetInVectorized, kLetInUnrolled);
        break;
      case RAMP:
      case BROADCAST:
        if (In(VECTORIZED)) Add(kVectorInVectorized);
        break;
      case CALL:
        if (expr.name() == "tvm_thread_allreduce") Add(kDeviceAllReduce);
        Add(IntrinsicFeature(expr.name()));
        break;
      default:
        break;
    }
    for (const Expr& arg : expr.args()) ScanExpr(arg, in_index);
  }

  FeatureSet& found_;
  const Function* function_ = nullptr;
  std::vector<bool> loop_variables_;
  std::vector<bool> parameter_variables_;
  std::vector<bool> parameter_buffers_;
  // Parameters stored to in the innermost loop around, nested loops excluded.
  std::set<uint32_t> stored_;
  int depth_[THREAD_BINDING + 1] = {};
  std::vector<std::string> tags_;  // of the thread-bound loops around
  int launches_ = 0;
  int loops_ = 0;
  int ifs_ = 0;
};

}  // namespace

bool IsGuardedLoad(const Expr& expr) {
  if (expr.op() != IF_THEN_ELSE || expr.args(1).op() != LOAD) return false;
  const Expr& condition = expr.args(0);
  const auto in_condition = [&condition](const Expr& index) {
    return index.op() == VAR && AnyNode(condition, [&index](const Expr& e) {
             return e.op() == VAR && e.id() == index.id();
           });
  };
  return std::any_of(expr.args(1).args().begin(), expr.args(1).args().end(),
                     [&](const Expr& index) { return AnyNode(index, in_condition); });
}

FeatureSet ScanFeatures(const Case& test_case) {
  FeatureSet found;
  Scanner scanner(&found);
  for (const Function& function : test_case.module().functions()) scanner.Scan(function);
  for (const ParamInput& input : test_case.inputs().params()) {
    if (input.real()) Include(found, kFloatReal);
  }
  return found | ScheduleFeatures(test_case.schedule());
}

}  // namespace irate
