#include "ir/schedule_preconditions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "ir/block_instances.h"
#include "ir/index_map.h"
#include "ir/schedule.h"
#include "ir/visit.h"

namespace irate {
namespace {

using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

// A block and the loops between it and the block around it, outermost first.
struct Found {
  const Stmt* block = nullptr;
  std::vector<const Stmt*> loops;
};

void Find(const Stmts& stmts, const std::string& name, std::vector<const Stmt*>* path,
          std::vector<Found>* found) {
  for (const Stmt& stmt : stmts) {
    std::vector<const Stmt*> inside = *path;
    if (stmt.kind() == FOR) inside.push_back(&stmt);
    if (stmt.kind() == BLOCK) {
      if (stmt.block().name() == name) found->push_back({&stmt, *path});
      inside.clear();
    }
    Find(stmt.body(), name, &inside, found);
    Find(stmt.orelse(), name, &inside, found);
  }
}

class BlockCheck {
 public:
  BlockCheck(const Function& function, const Found& found)
      : function_(function), found_(found), block_(found.block->block()) {}

  std::optional<uint32_t> Region(bool is_write, int64_t place) const {
    const auto& regions = is_write ? block_.writes() : block_.reads();
    if (place < 0 || place >= regions.size()) return std::nullopt;
    return regions.Get(static_cast<int>(place)).buffer();
  }

  std::string ReadsWhatItWrites(std::optional<uint32_t> buffer) const {
    if (!buffer.has_value()) return "";
    bool writes = false;
    VisitBody([&](const Stmt& stmt) { writes |= stmt.kind() == STORE && stmt.id() == *buffer; });
    return writes ? "the block writes what it is to read from a copy" : "";
  }

  std::string WritesPartly() const {
    bool conditional = false;
    bool stores = false;
    VisitStmts(found_.block->body(),
               [&stores](const Stmt& stmt) { stores |= stmt.kind() == STORE; });
    if (!stores || SkipsInit()) return "the block does not write all of its write region";
    const auto look = [&](const Stmt& stmt) {
      conditional |= stmt.kind() == IF || stmt.kind() == WHILE || stmt.kind() == BREAK ||
                     stmt.kind() == CONTINUE;
      if (stmt.kind() != STORE) return;
      for (int i = 1; i < stmt.args_size(); ++i) {
        VisitExpr(stmt.args(i), [&](const Expr& expr) { conditional |= !IsAffine(expr.op()); });
      }
    };
    VisitBody(look);
    if (conditional) return "the block does not write all of its write region";
    if (block_.init().empty() && Updates()) return "the block updates what is there";
    return "";
  }

  // How often the body loads the buffer.
  int Loads(uint32_t buffer) const {
    int loads = 0;
    VisitLoads(found_.block->body(), [&](const Expr& load) { loads += load.id() == buffer; });
    return loads;
  }

  // Whether an index of the buffer has variables of the body: of loops, or bound to values.
  bool IndexedByBody(uint32_t buffer) const {
    std::set<uint32_t> bound;
    VisitBody([&](const Stmt& stmt) {
      if (stmt.kind() == FOR || stmt.kind() == BIND) bound.insert(stmt.id());
      ForEachRootExpr(stmt, [&](const Expr& root) {
        VisitExpr(root, [&](const Expr& expr) {
          if (expr.op() == LET) bound.insert(expr.id());
        });
      });
    });
    bool found = false;
    const auto look = [&](const Expr& index) {
      VisitExpr(index,
                [&](const Expr& expr) { found |= expr.op() == VAR && bound.contains(expr.id()); });
    };
    VisitLoads(found_.block->body(), [&](const Expr& load) {
      if (load.id() == buffer) std::ranges::for_each(load.args(), look);
    });
    VisitBody([&](const Stmt& stmt) {
      if (stmt.kind() != STORE || stmt.id() != buffer) return;
      for (int i = 1; i < stmt.args_size(); ++i) look(stmt.args(i));
    });
    return found;
  }

  std::string NotDivisible(int64_t place, const std::vector<int64_t>& factors) const {
    const auto count = static_cast<int64_t>(found_.loops.size());
    if (place < 0) place += count;
    if (place < 0 || place >= count) return "";
    const Expr& extent = found_.loops[static_cast<size_t>(place)]->args(1);
    int64_t product = 1;
    bool inferred = false;
    for (const int64_t factor : factors) {
      inferred |= factor == 0;
      if (factor > 0) product *= factor;
    }
    const bool divides = extent.op() == CONST && extent.int_value() % product == 0 &&
                         (inferred || extent.int_value() == product);
    return divides ? "" : "without a predicate the factors have to divide the extent";
  }

  std::string OtherRegion(std::optional<uint32_t> buffer, const std::string& map) const {
    if (!buffer.has_value()) return "";
    const absl::StatusOr<IndexMap> parsed = ParseIndexMap(map);
    const auto& shape = function_.buffers(static_cast<int>(*buffer)).shape();
    bool whole = parsed.ok() && parsed->outputs.size() == 2 * static_cast<size_t>(shape.size());
    for (int d = 0; whole && d < shape.size(); ++d) {
      const auto& begin = parsed->outputs[static_cast<size_t>(2 * d)];
      const auto& end = parsed->outputs[static_cast<size_t>(2 * d) + 1];
      whole = begin.size() == 1 && begin[0].input < 0 && begin[0].scale == 0 && end.size() == 1 &&
              end[0].input < 0 && shape.Get(d).op() == CONST &&
              end[0].scale == shape.Get(d).int_value();
    }
    return whole ? "" : "the region is not the whole buffer";
  }

  // C[...] = C[...] + a product of loads.
  std::string NotEinsum() const {
    const Stmts& body = found_.block->body();
    if (body.size() != 1 || body[0].kind() != STORE) return kNoEinsum;
    const Expr& value = body[0].args(0);
    if (value.op() != ADD) return kNoEinsum;
    const auto is_self = [&](const Expr& e) { return e.op() == LOAD && e.id() == body[0].id(); };
    if (!is_self(value.args(0)) && !is_self(value.args(1))) return kNoEinsum;
    const Expr& term = is_self(value.args(0)) ? value.args(1) : value.args(0);
    for (const BlockIter& iter : block_.iters()) {
      if (iter.kind() != SPATIAL) continue;
      bool indexes = false;
      for (int i = 1; i < body[0].args_size(); ++i) {
        VisitExpr(body[0].args(i), [&](const Expr& expr) {
          indexes |= expr.op() == VAR && expr.id() == iter.variable();
        });
      }
      if (!indexes) return kNoEinsum;
    }
    return IsProduct(term) ? "" : kNoEinsum;
  }

  std::string AddsNothing() const {
    const Stmts& body = found_.block->body();
    const bool adds = body.size() == 1 && body[0].kind() == STORE && body[0].args(0).op() == ADD;
    return adds ? "" : "what follows the reduction is no sum";
  }

 private:
  static constexpr char kNoEinsum[] = "the block is no sum of products";

  // An iterator that is never at the start of its domain.
  bool SkipsInit() const {
    return !block_.init().empty() && std::ranges::any_of(block_.iters(), [](const BlockIter& iter) {
      return iter.kind() == REDUCTION && iter.binding().op() == CONST &&
             iter.binding().int_value() != iter.domain().min().int_value();
    });
  }

  static bool IsAffine(Op op) {
    switch (op) {
      case VAR:
      case CONST:
      case ADD:
      case SUB:
      case MUL:
      case FLOOR_DIV:
      case FLOOR_MOD:
        return true;
      default:
        return false;
    }
  }

  static bool IsProduct(const Expr& expr) {
    if (expr.op() == LOAD) return true;
    return (expr.op() == MUL || expr.op() == CAST) && std::ranges::all_of(expr.args(), IsProduct);
  }

  template <typename F>
  void VisitBody(F&& visit) const {
    VisitStmts(found_.block->body(), visit);
    VisitStmts(block_.init(), visit);
  }

  template <typename F>
  static void VisitLoads(const Stmts& stmts, F&& visit) {
    VisitStmts(stmts, [&](const Stmt& stmt) {
      ForEachRootExpr(stmt, [&](const Expr& root) {
        VisitExpr(root, [&](const Expr& expr) {
          if (expr.op() == LOAD) visit(expr);
        });
      });
    });
  }

  bool Updates() const {
    std::set<uint32_t> written;
    bool nested_init = false;
    VisitBody([&](const Stmt& stmt) {
      if (stmt.kind() == STORE) written.insert(stmt.id());
      nested_init |= stmt.kind() == BLOCK && !stmt.block().init().empty();
    });
    bool updates = false;
    VisitLoads(found_.block->body(),
               [&](const Expr& load) { updates |= written.contains(load.id()); });
    return updates && !nested_init;
  }

  const Function& function_;
  const Found& found_;
  const Block& block_;
};

bool Is(const ScheduleStep& step, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, step.primitive()) != names.end();
}

// How many blocks read, or write, the buffer.
int Users(const Function& function, bool is_write, uint32_t buffer) {
  int users = 0;
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() != BLOCK) return;
    const auto& regions = is_write ? stmt.block().writes() : stmt.block().reads();
    users += std::ranges::any_of(
        regions, [buffer](const BufferRegion& region) { return region.buffer() == buffer; });
  });
  return users;
}

std::string CheckReindex(const Function& function, const BlockCheck& check,
                         const StepArgument& argument) {
  const bool is_write = argument.texts[0] == "write";
  const std::optional<uint32_t> buffer = check.Region(is_write, argument.ints[0]);
  if (!buffer.has_value()) return "";
  if (Users(function, is_write, *buffer) != 1) return "several blocks access the buffer";
  if (check.IndexedByBody(*buffer))
    return "the buffer is indexed by more than the block's iterators";
  if (is_write) return check.WritesPartly();
  if (std::string reason = check.ReadsWhatItWrites(buffer); !reason.empty()) return reason;
  return check.Loads(*buffer) == 1 ? "" : "the block reads the buffer at several places";
}

// Whether `loop`, made parallel, has a parallel loop around it or inside.
bool NestsParallel(const Stmts& stmts, const Stmt* loop, bool around) {
  return std::ranges::any_of(stmts, [loop, around](const Stmt& stmt) {
    const bool is_parallel = stmt.kind() == FOR && stmt.loop_kind() == PARALLEL;
    bool inside = false;
    if (&stmt == loop) {
      VisitStmts(stmt.body(), [&inside](const Stmt& nested) {
        inside |= nested.kind() == FOR && nested.loop_kind() == PARALLEL;
      });
      return around || inside;
    }
    return NestsParallel(stmt.body(), loop, around || is_parallel) ||
           NestsParallel(stmt.orelse(), loop, around || is_parallel);
  });
}

// What needs the block's instances.
std::string CheckInstances(const Function& function, const Inputs& inputs, const ScheduleStep& step,
                           const std::vector<StepArgument>& arguments, const Found& found) {
  const bool copies =
      Is(step, {"cache_read", "cache_write", "reindex_cache_read", "reindex_cache_write",
                "cache_inplace", "reindex", "read_at", "write_at"});
  const bool relies = Is(step, {"cache_write", "reindex_cache_write", "write_at", "cache_inplace"});
  const bool spreads = Is(step, {"parallel", "vectorize", "bind"});
  if (!copies && !spreads) return "";
  const absl::StatusOr<std::map<std::string, BlockInstances>> blocks =
      WalkBlockInstances(function, inputs);
  if (!blocks.ok()) return std::string(blocks.status().message());
  if (copies) {
    const auto block = blocks->find(found.block->block().name());
    if (block == blocks->end()) return "";
    const bool leaves = block->second.read_leaves || block->second.write_leaves;
    if (leaves) return "conditions aside, the block leaves a buffer";
    if (relies && block->second.writes_less) {
      return "the block does not write all of its write region";
    }
    return "";
  }
  int64_t place = arguments[0].ints[0];
  if (place < 0) place += static_cast<int64_t>(found.loops.size());
  if (place < 0 || place >= static_cast<int64_t>(found.loops.size())) return "";
  std::string reason;
  const Stmt& loop = *found.loops[static_cast<size_t>(place)];
  if (step.primitive() == "parallel" && NestsParallel(function.body(), &loop, false)) {
    return "another loop around or inside is parallel";
  }
  VisitStmts(loop.body(), [&](const Stmt& stmt) {
    if (stmt.kind() != BLOCK) return;
    const auto block = blocks->find(stmt.block().name());
    if (block != blocks->end() && block->second.repeats) reason = "a block below runs repeatedly";
  });
  return reason;
}

}  // namespace

std::string BrokenPrecondition(const Module& module, const Inputs& inputs,
                               const ScheduleStep& step) {
  const absl::StatusOr<std::vector<StepArgument>> parsed = ParseStep(step);
  if (!parsed.ok() || module.functions_size() == 0) return "";
  const Function& function = module.functions(0);
  const std::vector<StepArgument>& arguments = *parsed;
  // Of read_at and write_at the block comes second, as of fuse_reduction_epilogue what follows.
  const bool second = Is(step, {"read_at", "write_at"});
  const std::string& name = arguments[second ? 1 : 0].texts[0];
  std::vector<const Stmt*> path;
  std::vector<Found> found;
  Find(function.body(), name, &path, &found);
  if (found.size() != 1) return "";
  std::string instances = CheckInstances(function, inputs, step, arguments, found[0]);
  if (!instances.empty()) return instances;
  const BlockCheck check(function, found[0]);
  if (Is(step, {"cache_read", "reindex_cache_read"})) {
    return check.ReadsWhatItWrites(check.Region(false, arguments[1].ints[0]));
  }
  if (step.primitive() == "read_at") {
    return check.ReadsWhatItWrites(check.Region(false, arguments[2].ints[0]));
  }
  if (step.primitive() == "reindex") return CheckReindex(function, check, arguments[1]);
  if (step.primitive() == "split" && arguments[3].ints[0] != 0) {
    return check.NotDivisible(arguments[0].ints[0], arguments[1].ints);
  }
  if (step.primitive() == "annotate_buffer_access") {
    const bool is_write = arguments[2].texts[0] == "write";
    return check.OtherRegion(check.Region(is_write, arguments[1].ints[0]), arguments[3].texts[0]);
  }
  if (step.primitive() == "transform_layout") {
    const std::optional<uint32_t> buffer =
        check.Region(arguments[1].texts[0] == "write", arguments[1].ints[0]);
    const bool is_param =
        buffer.has_value() && std::ranges::any_of(function.params(), [&](const Param& p) {
          return p.kind() == PARAM_BUFFER && p.id() == *buffer;
        });
    return is_param ? "the buffer is a parameter" : "";
  }
  if (step.primitive() == "pad_einsum") return check.NotEinsum();
  if (step.primitive() == "fuse_reduction_epilogue") {
    std::vector<Found> epilogue;
    Find(function.body(), arguments[1].texts[0], &path, &epilogue);
    if (epilogue.size() == 1) {
      const BlockCheck after(function, epilogue[0]);
      if (std::string reason = after.AddsNothing(); !reason.empty()) return reason;
    }
    return check.WritesPartly();
  }
  if (Is(step, {"cache_write", "reindex_cache_write", "write_at", "compute_at",
                "reverse_compute_at", "compute_inline", "reverse_compute_inline", "rfactor",
                "decompose_padding", "rolling_buffer"})) {
    return check.WritesPartly();
  }
  return "";
}

}  // namespace irate
