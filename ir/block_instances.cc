#include "ir/block_instances.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "ir/integer_value.h"
#include "ir/status_macros.h"
#include "ir/visit.h"

namespace irate {
namespace {

using Stmts = google::protobuf::RepeatedPtrField<Stmt>;
using Element = std::pair<uint32_t, int64_t>;

struct ElementHash {
  size_t operator()(const Element& element) const {
    return static_cast<size_t>(element.second) * 31 + element.first;
  }
};

constexpr int64_t kNobody = -1;
constexpr int64_t kSeveral = -2;

// Who, by spatial instance, has touched an element.
struct Touch {
  int64_t reader = kNobody;
  int64_t writer = kNobody;
};

// One block while the scope around it is active.
struct Activation {
  std::set<int64_t> instances;
  std::set<int64_t> spatial;
  std::unordered_map<Element, Touch, ElementHash> touched;
  int64_t domain = 1;
};

// A block that is being executed.
struct Frame {
  const Block* block = nullptr;
  const std::set<uint32_t>* stores = nullptr;  // buffers that it, or a block inside, writes
  Activation* activation = nullptr;
  BlockInstances* facts = nullptr;
  int64_t spatial = 0;
  std::set<Element> written;
  std::set<uint32_t> own;  // buffers that each instance has for itself
};

class Walker {
  using Scope = std::map<const Stmt*, Activation>;

 public:
  Walker(const Function& function, const Inputs& inputs, int64_t fuel)
      : function_(function), fuel_(fuel) {
    known_.resize(static_cast<size_t>(function.variables_size()));
    for (const DimValue& dim : inputs.dims()) Set(dim.variable(), dim.value());
    // A scalar argument of which there is one value only: a dimension that is passed as well.
    for (const ParamInput& input : inputs.params()) {
      const bool fixed = input.min() == input.max() && input.min() != 0;
      if (!fixed || input.param() >= static_cast<uint32_t>(function.params_size())) continue;
      const Param& param = function.params(static_cast<int>(input.param()));
      if (param.kind() == PARAM_SCALAR) Set(param.id(), input.min());
    }
  }

  absl::StatusOr<std::map<std::string, BlockInstances>> Walk() {
    Scope scope;
    IRATE_RETURN_IF_ERROR(Run(function_.body(), &scope));
    Close(scope);
    return std::move(facts_);
  }

 private:
  void Set(uint32_t variable, std::optional<int64_t> value) {
    if (variable < known_.size()) known_[variable] = value;
  }
  std::optional<int64_t> Value(const Expr& expr) { return IntegerValue(expr, &known_); }

  absl::Status Run(const Stmts& stmts, Scope* scope) {
    for (const Stmt& stmt : stmts) IRATE_RETURN_IF_ERROR(RunOne(stmt, scope));
    return absl::OkStatus();
  }

  absl::Status RunOne(const Stmt& stmt, Scope* scope) {
    if (--fuel_ < 0) return absl::ResourceExhaustedError("too many instances to look at");
    switch (stmt.kind()) {
      case FOR:
        return RunLoop(stmt, scope);
      case BLOCK:
        return RunBlock(stmt, scope);
      case IF:
        return RunBranch(stmt, scope);
      case STORE:
        for (const Expr& arg : stmt.args()) Read(arg);
        Touches(stmt.id(), stmt.args().begin() + 1, stmt.args().end(), true);
        return absl::OkStatus();
      case ALLOC:
        if (!frames_.empty()) frames_.back().own.insert(stmt.id());
        return absl::OkStatus();
      case BIND:
        Read(stmt.args(0));
        Set(stmt.id(), Value(stmt.args(0)));
        return absl::OkStatus();
      case DECL_BUFFER:
        for (Frame& frame : frames_) frame.facts->opaque_write = true;
        return absl::OkStatus();
      default:
        for (const Expr& arg : stmt.args()) Read(arg);
        IRATE_RETURN_IF_ERROR(Run(stmt.body(), scope));
        return Run(stmt.orelse(), scope);
    }
  }

  absl::Status RunLoop(const Stmt& loop, Scope* scope) {
    const std::optional<int64_t> min = Value(loop.args(0));
    const std::optional<int64_t> extent = Value(loop.args(1));
    const std::optional<int64_t> step = loop.args_size() > 2 ? Value(loop.args(2)) : 1;
    for (const Expr& arg : loop.args()) Read(arg);
    if (!min || !extent || !step || *step <= 0) {
      // In a block, whatever its iterations are, the variable is not known.
      if (!frames_.empty() && !HasBlock(loop.body())) return Run(loop.body(), scope);
      return absl::FailedPreconditionError("the bounds of a loop around a block take data");
    }
    for (int64_t i = 0; i < *extent; i += *step) {
      Set(loop.id(), *min + i);
      IRATE_RETURN_IF_ERROR(Run(loop.body(), scope));
    }
    Set(loop.id(), std::nullopt);
    return absl::OkStatus();
  }

  // The side that is not taken is gone through as well, for where it would reach.
  absl::Status RunBranch(const Stmt& branch, Scope* scope) {
    Read(branch.args(0));
    const std::optional<int64_t> condition = Value(branch.args(0));
    const bool live = live_;
    ++guards_;
    live_ = live && condition != 0;
    absl::Status status =
        live_ || !HasBlock(branch.body()) ? Run(branch.body(), scope) : absl::OkStatus();
    live_ = live && (!condition.has_value() || *condition == 0);
    if (status.ok() && (live_ || !HasBlock(branch.orelse()))) status = Run(branch.orelse(), scope);
    live_ = live;
    --guards_;
    return status;
  }

  static bool HasBlock(const Stmts& stmts) {
    bool has = false;
    VisitStmts(stmts, [&has](const Stmt& stmt) { has |= stmt.kind() == BLOCK; });
    return has;
  }

  // Where the iterators stand.
  struct Place {
    bool known = true;
    bool inside = true;
    bool first = true;  // every reduction iterator is at its beginning
    int64_t instance = 0;
    int64_t spatial = 0;
    int64_t domain = 1;
    std::vector<std::pair<uint32_t, int64_t>> values;
  };

  Place PlaceOf(const Block& block) {
    Place place;
    for (const BlockIter& iter : block.iters()) {
      const std::optional<int64_t> value = Value(iter.binding());
      const std::optional<int64_t> min = Value(iter.domain().min());
      const std::optional<int64_t> extent = Value(iter.domain().extent());
      if (!value || !min || !extent) {
        place.known = false;
        return place;
      }
      const int64_t at = *value - *min;
      place.values.emplace_back(iter.variable(), *value);
      place.inside &= at >= 0 && at < *extent;
      place.domain *= *extent;
      place.instance = place.instance * *extent + at;
      if (iter.kind() == REDUCTION) {
        place.first &= at == 0;
      } else {
        place.spatial = place.spatial * *extent + at;
      }
    }
    return place;
  }

  absl::Status RunBlock(const Stmt& stmt, Scope* scope) {
    const Block& block = stmt.block();
    // A block without iterators is a part of the scope around it.
    if (block.iters().empty() && !block.has_predicate()) return Run(stmt.body(), scope);
    BlockInstances& facts = facts_[block.name()];
    Activation& activation = (*scope)[&stmt];
    const Place place = PlaceOf(block);
    const std::optional<int64_t> holds = block.has_predicate() ? Value(block.predicate()) : 1;
    if (!place.known || !holds.has_value()) facts.opaque_binding = true;
    if (!place.known || !holds.has_value()) return absl::OkStatus();
    activation.domain = place.domain;
    if (*holds == 0) return absl::OkStatus();
    if (!place.inside) facts.outside_domain = true;
    if (!place.inside) return absl::OkStatus();
    if (!activation.instances.insert(place.instance).second) facts.repeats = true;
    const bool begins = activation.spatial.insert(place.spatial).second;
    if (begins && !place.first && !block.init().empty()) facts.late_init = true;
    if (!block.match_buffers().empty()) facts.opaque_write = true;
    for (const auto& [variable, value] : place.values) Set(variable, value);
    facts.read_leaves |= Leaves(block.reads());
    facts.write_leaves |= Leaves(block.writes());
    Frame frame{&block, &StoresOf(stmt), &activation, &facts, place.spatial, {}, {}};
    frame.own.insert(block.alloc_buffers().begin(), block.alloc_buffers().end());
    frames_.push_back(std::move(frame));
    Scope inner;
    absl::Status status = place.first ? Run(block.init(), &inner) : absl::OkStatus();
    if (status.ok()) status = Run(stmt.body(), &inner);
    facts.writes_less |= WritesLess(block.writes(), frames_.back().written);
    frames_.pop_back();
    Close(inner);
    for (const auto& [variable, value] : place.values) Set(variable, std::nullopt);
    return status;
  }

  // Whether a stated region is more than the buffer has.
  bool Leaves(const google::protobuf::RepeatedPtrField<BufferRegion>& regions) {
    return std::ranges::any_of(regions, [this](const BufferRegion& region) {
      const Buffer& buffer = function_.buffers(static_cast<int>(region.buffer()));
      for (int d = 0; d < region.ranges_size() && d < buffer.shape_size(); ++d) {
        const std::optional<int64_t> min = Value(region.ranges(d).min());
        const std::optional<int64_t> count = Value(region.ranges(d).extent());
        const std::optional<int64_t> extent = Value(buffer.shape(d));
        if (min && count && extent && (*min < 0 || *min + *count > *extent)) return true;
      }
      return false;
    });
  }

  bool WritesLess(const google::protobuf::RepeatedPtrField<BufferRegion>& regions,
                  const std::set<Element>& written) {
    return std::ranges::any_of(regions, [&](const BufferRegion& region) {
      int64_t volume = 1;
      for (const Range& range : region.ranges()) {
        const std::optional<int64_t> extent = Value(range.extent());
        if (!extent.has_value()) return false;
        volume *= *extent;
      }
      const int64_t count = std::ranges::count_if(
          written, [&region](const Element& element) { return element.first == region.buffer(); });
      return count < volume;
    });
  }

  const std::set<uint32_t>& StoresOf(const Stmt& block) {
    const auto [entry, is_new] = stores_.try_emplace(&block);
    if (is_new) {
      VisitStmts(block.body(), [&](const Stmt& stmt) {
        if (stmt.kind() == STORE) entry->second.insert(stmt.id());
      });
      VisitStmts(block.block().init(), [&](const Stmt& stmt) {
        if (stmt.kind() == STORE) entry->second.insert(stmt.id());
      });
    }
    return entry->second;
  }

  // The scope ends: what was not executed will not be.
  void Close(const Scope& scope) {
    for (const auto& [stmt, activation] : scope) {
      const auto executed = static_cast<int64_t>(activation.instances.size());
      if (executed < activation.domain) facts_[stmt->block().name()].skips = true;
    }
  }

  void Read(const Expr& expr) {
    if (expr.op() == BUFFER_DATA) {
      for (Frame& frame : frames_) frame.facts->opaque_write = true;
    }
    if (expr.op() == LET) {
      Read(expr.args(0));
      const std::optional<int64_t> before = known_[expr.id()];
      Set(expr.id(), Value(expr.args(0)));
      Read(expr.args(1));
      Set(expr.id(), before);
      return;
    }
    if (expr.op() == IF_THEN_ELSE) {
      Read(expr.args(0));
      const std::optional<int64_t> condition = Value(expr.args(0));
      const bool live = live_;
      ++guards_;
      live_ = live && condition != 0;
      Read(expr.args(1));
      live_ = live && (!condition.has_value() || *condition == 0);
      Read(expr.args(2));
      live_ = live;
      --guards_;
      return;
    }
    for (const Expr& arg : expr.args()) Read(arg);
    if (expr.op() == LOAD) Touches(expr.id(), expr.args().begin(), expr.args().end(), false);
  }

  template <typename I>
  void Touches(uint32_t buffer, I begin, I end, bool writes) {
    const Buffer& shape = function_.buffers(static_cast<int>(buffer));
    std::vector<int64_t> elements = {0};
    bool leaves = false;
    bool is_known = true;
    std::vector<int64_t> place;
    for (int d = 0; begin != end; ++begin, ++d) {
      const std::optional<std::vector<int64_t>> lanes = IntegerLanes(*begin, &known_);
      const std::optional<int64_t> extent =
          d < shape.shape_size() ? Value(shape.shape(d)) : std::nullopt;
      if (!lanes || !extent) {
        is_known = false;
        continue;
      }
      for (const int64_t lane : *lanes) leaves |= lane < 0 || lane >= *extent;
      place.push_back(lanes->front());
      std::vector<int64_t> next;
      for (const int64_t element : elements) {
        for (const int64_t lane : *lanes) next.push_back(element * *extent + lane);
      }
      elements = std::move(next);
    }
    // From the inside: where a buffer is an instance's own, it is nobody else's.
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (frame->own.contains(buffer)) return;
      // Where data decides, a condition may be what keeps it inside.
      if (leaves || (!is_known && guards_ > 0))
        (writes ? frame->facts->write_leaves : frame->facts->read_leaves) = true;
      if (!live_ || leaves) continue;
      if (!is_known) {
        UnknownTouch(buffer, writes, *frame);
        continue;
      }
      if (frame == frames_.rbegin() && !InRegions(*frame->block, buffer, place, writes)) {
        frame->facts->outside_regions = true;
      }
      if (!writes && !frame->stores->contains(buffer)) continue;
      for (const int64_t element : elements) {
        Record({buffer, element}, writes, *frame);
        if (writes) frame->written.insert({buffer, element});
      }
    }
  }

  static void UnknownTouch(uint32_t buffer, bool writes, const Frame& frame) {
    if (writes) {
      frame.facts->opaque_write = true;
    } else if (frame.stores->contains(buffer)) {
      frame.facts->dependent = true;
    }
  }

  void Record(const Element& element, bool writes, const Frame& frame) {
    Touch& touch = frame.activation->touched[element];
    const auto is_other = [&frame](int64_t who) { return who != kNobody && who != frame.spatial; };
    if (is_other(touch.writer) || (writes && is_other(touch.reader))) {
      frame.facts->dependent = true;
    }
    int64_t& who = writes ? touch.writer : touch.reader;
    who = is_other(who) ? kSeveral : frame.spatial;
  }

  // Of a block with init, TVM's own operators leave out that it reads what it updates.
  bool InRegions(const Block& block, uint32_t buffer, const std::vector<int64_t>& place,
                 bool writes) {
    if (!writes && block.reads().empty()) return true;  // found by the compiler
    if (writes && block.writes().empty()) return true;
    const bool updates = !writes && !block.init().empty();
    return (!writes && Covers(block.reads(), buffer, place)) ||
           ((writes || updates) && Covers(block.writes(), buffer, place));
  }

  bool Covers(const google::protobuf::RepeatedPtrField<BufferRegion>& regions, uint32_t buffer,
              const std::vector<int64_t>& place) {
    return std::ranges::any_of(regions, [&](const BufferRegion& region) {
      if (region.buffer() != buffer) return false;
      for (int d = 0; d < region.ranges_size() && d < static_cast<int>(place.size()); ++d) {
        const std::optional<int64_t> min = Value(region.ranges(d).min());
        const std::optional<int64_t> extent = Value(region.ranges(d).extent());
        if (!min || !extent) continue;
        const int64_t at = place[static_cast<size_t>(d)];
        if (at < *min || at >= *min + *extent) return false;
      }
      return true;
    });
  }

  const Function& function_;
  int64_t fuel_;
  KnownVariables known_;
  std::vector<Frame> frames_;
  bool live_ = true;
  int guards_ = 0;  // conditions around
  std::map<const Stmt*, std::set<uint32_t>> stores_;
  std::map<std::string, BlockInstances> facts_;
};

}  // namespace

absl::StatusOr<std::map<std::string, BlockInstances>> WalkBlockInstances(const Function& function,
                                                                         const Inputs& inputs,
                                                                         int64_t fuel) {
  return Walker(function, inputs, fuel).Walk();
}

}  // namespace irate
