#include "execution/step_features.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "ir/visit.h"

namespace irate {
namespace {

uint64_t Mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 29);
}

uint64_t HashText(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// How often each kind of node occurs.
class Census {
 public:
  explicit Census(const Module& module) {
    for (const Function& function : module.functions()) {
      Count(Mix(kFunction, function.is_private() ? 1 : 0));
      VisitList(function.body(), kFunction);
    }
  }

  const absl::flat_hash_map<uint64_t, uint32_t>& counts() const { return counts_; }
  uint32_t Of(uint64_t kind) const {
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  enum : uint64_t { kFunction = 1, kStmt = 2, kExpr = 3, kTyped = 4, kNamed = 5 };

  void Count(uint64_t kind) { ++counts_[kind]; }

  static uint64_t KindOf(const Stmt& stmt) {
    uint64_t kind = Mix(kStmt, stmt.kind());
    if (stmt.kind() == FOR) kind = Mix(kind, stmt.loop_kind());
    return kind;
  }

  void VisitList(const StmtList& list, uint64_t parent) {
    for (const Stmt& stmt : list) {
      const uint64_t kind = KindOf(stmt);
      Count(Mix(kind, parent));
      if (stmt.kind() == ATTR) Count(Mix(kNamed, HashText(stmt.name())));
      ForEachRootExpr(stmt, [this, kind](const Expr& expr) { VisitExprBelow(expr, kind); });
      ForEachChildList(stmt, [this, kind](const StmtList& nested) { VisitList(nested, kind); });
    }
  }

  void VisitExprBelow(const Expr& expr, uint64_t parent) {
    const uint64_t kind = Mix(kExpr, expr.op());
    Count(Mix(kind, parent));
    const uint64_t is_vector = expr.lanes() == 0 ? 0 : 1;
    Count(Mix(Mix(Mix(kTyped, expr.op()), expr.type()), is_vector));
    if (expr.op() == CALL) Count(Mix(kNamed, HashText(expr.name())));
    for (const Expr& arg : expr.args()) VisitExprBelow(arg, kind);
  }

  absl::flat_hash_map<uint64_t, uint32_t> counts_;
};

// 0, 1, 2, 3-4, 5-8, ...: a change within one size is none.
int Size(uint32_t count) {
  return count <= 1 ? static_cast<int>(count) : std::bit_width(count - 1);
}

std::vector<uint32_t> Differences(std::string_view pass, const Census& old_census,
                                  const Census& new_census) {
  const uint64_t seed = HashText(pass);
  std::vector<uint32_t> features;
  const auto compare = [&](uint64_t kind, uint32_t was, uint32_t is) {
    if (was == is) return;
    const uint64_t change = Mix(Mix(seed, kind), is > was ? 1 : 0);
    features.push_back(static_cast<uint32_t>(change >> 32));
    if (was == 0 || is == 0 || Size(was) != Size(is)) {
      const int size = (Size(was) + 1) * 64 + Size(is);
      features.push_back(static_cast<uint32_t>(Mix(change, static_cast<uint64_t>(size)) >> 32));
    }
  };
  for (const auto& [kind, count] : new_census.counts()) compare(kind, old_census.Of(kind), count);
  for (const auto& [kind, count] : old_census.counts()) {
    if (new_census.Of(kind) == 0) compare(kind, count, 0);
  }
  std::ranges::sort(features);
  features.erase(std::ranges::unique(features).begin(), features.end());
  if (features.size() > kMaxStepFeatures) features.resize(kMaxStepFeatures);
  return features;
}

}  // namespace

std::vector<uint32_t> StepFeatures(std::string_view pass, const Module& before,
                                   const Module& after) {
  return Differences(pass, Census(before), Census(after));
}

void AddStepFeatures(VariantObservation* variant) {
  std::optional<Census> before;
  for (StepObservation& step : *variant->mutable_steps()) {
    if (!step.has_lifted()) continue;
    step.clear_features();
    Census after(step.lifted());
    if (before.has_value()) {
      for (const uint32_t feature : Differences(step.pass(), *before, after)) {
        step.add_features(feature);
      }
    }
    before = std::move(after);
  }
}

}  // namespace irate
