#include "fuzzers/novelty.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>

#include "ir/visit.h"

namespace irate {
namespace {

// FNV-1a: equal on every machine.
class Hash {
 public:
  Hash& Add(std::string_view text) {
    for (const char c : text) Mix(static_cast<uint8_t>(c));
    Mix(0);
    return *this;
  }
  Hash& Add(uint64_t number) {
    for (int i = 0; i < 8; ++i) Mix(static_cast<uint8_t>(number >> (8 * i)));
    return *this;
  }
  uint32_t Value() const { return static_cast<uint32_t>(state_ ^ (state_ >> 32)); }

 private:
  void Mix(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001b3; }
  uint64_t state_ = 0xcbf29ce484222325;
};

// What a feature is about, so that features of different kinds do not meet.
enum class About : uint64_t { kOutcome, kPair, kSize, kNodes, kProgram, kTarget, kFailure };

Hash Start(About about, std::string_view pass) {
  Hash hash;
  hash.Add(static_cast<uint64_t>(about)).Add(pass);
  return hash;
}

using Census = std::map<std::pair<int, std::string>, int64_t>;

enum NodeClass { kOperator, kStatement, kLoop, kType, kIntrinsic };

Census Count(const Module& module) {
  Census census;
  for (const Function& function : module.functions()) {
    VisitStmts(function, [&census](const Stmt& stmt) {
      ++census[{kStatement, StmtKind_Name(stmt.kind())}];
      if (stmt.kind() == FOR) ++census[{kLoop, LoopKind_Name(stmt.loop_kind())}];
    });
    VisitExprs(function, [&census](const Expr& expr) {
      ++census[{kOperator, Op_Name(expr.op())}];
      ++census[{kType, ScalarType_Name(expr.type()) + (expr.lanes() == 0 ? "" : "x")}];
      if (expr.op() == CALL) ++census[{kIntrinsic, expr.name()}];
    });
  }
  return census;
}

// Sign and magnitude in powers of two.
uint64_t Bucket(int64_t delta) {
  const auto magnitude = static_cast<uint64_t>(delta < 0 ? -delta : delta);
  return static_cast<uint64_t>(std::bit_width(magnitude)) * 2 + (delta < 0 ? 1 : 0);
}

class Collector {
 public:
  Collector(const Case& test_case, std::vector<uint32_t>* features)
      : case_(test_case), features_(*features) {}

  void Variant(const VariantObservation& variant) {
    const Module* before = &case_.module();
    const std::string& target = variant.spec().target();
    std::string_view changed_before;
    for (const StepObservation& step : variant.steps()) {
      Put(Start(About::kOutcome, step.pass()).Add(static_cast<uint64_t>(step.outcome())));
      for (const uint32_t feature : step.features()) {
        Put(Start(About::kTarget, step.pass()).Add(feature));
      }
      if (step.outcome() != StepObservation::CHANGED) continue;
      Put(Start(About::kPair, step.pass()).Add(changed_before));
      changed_before = step.pass();
      for (const std::string& feature : case_.features()) {
        Put(Start(About::kProgram, step.pass()).Add(feature));
      }
      if (!step.has_lifted()) continue;
      Difference(step.pass(), *before, step.lifted());
      before = &step.lifted();
    }
    const Failure& failure = variant.failure();
    Put(Start(About::kFailure, target)
            .Add(static_cast<uint64_t>(failure.kind()))
            .Add(static_cast<uint64_t>(failure.stage()))
            .Add(failure.pass()));
  }

 private:
  void Put(const Hash& hash) { features_.push_back(hash.Value()); }

  void Difference(std::string_view pass, const Module& before, const Module& after) {
    const Census old_census = Count(before);
    Census delta = Count(after);
    for (const auto& [kind, count] : old_census) delta[kind] -= count;
    int64_t size = 0;
    for (const auto& [kind, count] : delta) {
      if (kind.first == kOperator || kind.first == kStatement) size += count;
      if (count == 0) continue;
      Put(Start(About::kNodes, pass)
              .Add(static_cast<uint64_t>(kind.first))
              .Add(kind.second)
              .Add(Bucket(count)));
    }
    Put(Start(About::kSize, pass).Add(Bucket(size)));
  }

  const Case& case_;
  std::vector<uint32_t>& features_;
};

}  // namespace

std::vector<uint32_t> NoveltyFeatures(const Case& test_case, const Observation& observation) {
  std::vector<uint32_t> features;
  Collector collector(test_case, &features);
  for (const VariantObservation& variant : observation.variants()) collector.Variant(variant);
  std::ranges::sort(features);
  const auto rest = std::ranges::unique(features);
  features.erase(rest.begin(), rest.end());
  return features;
}

size_t SeenFeatures::Add(const std::vector<uint32_t>& features) {
  size_t added = 0;
  for (const uint32_t feature : features) added += seen_.insert(feature).second ? 1 : 0;
  return added;
}

}  // namespace irate
