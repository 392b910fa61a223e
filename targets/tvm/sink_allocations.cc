#include "targets/tvm/sink_allocations.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/visit.h"

namespace irate::tvm_target {
namespace {

using Stmts = google::protobuf::RepeatedPtrField<Stmt>;

// Whether each iteration of the loop has a buffer of its own.
bool Owns(const Stmt& loop, const std::string& scope) {
  switch (loop.loop_kind()) {
    case PARALLEL:
    case VECTORIZED:
      return true;
    case THREAD_BINDING:
      // Threads of a block share its memory.
      if (scope.starts_with("shared")) return loop.thread_tag().starts_with("blockIdx");
      return !scope.empty() && scope != "global";
    default:
      return false;
  }
}

// Loops from the outermost to a statement.
using Path = std::vector<Stmt*>;

class Sinker {
 public:
  explicit Sinker(Function* function) : function_(*function) {}

  void Run() {
    Path path;
    Collect(function_.mutable_body(), &path);
    for (const auto& [buffer, owner] : owners_) Sink(buffer, owner);
    // Repeated fields hold pointers, so the loops stay where they are.
    for (const auto& [loop, buffer] : sunk_) {
      Stmt* added = loop->add_body();
      added->set_kind(ALLOC);
      added->set_id(buffer);
      for (int i = loop->body_size() - 1; i > 0; --i) loop->mutable_body()->SwapElements(i, i - 1);
    }
  }

 private:
  struct Owner {
    Stmt* block = nullptr;
    size_t depth = 0;  // loops around it
  };

  void Use(uint32_t buffer, const Path& path) {
    const auto [entry, is_new] = common_.try_emplace(buffer, path);
    if (is_new) return;
    Path& common = entry->second;
    const auto [end, other] = std::ranges::mismatch(common, path);
    common.erase(end, common.end());
  }

  void UseIn(const Expr& root, const Path& path) {
    VisitExpr(root, [&](const Expr& expr) {
      if (expr.op() == LOAD || expr.op() == BUFFER_DATA) Use(expr.id(), path);
    });
  }

  void Collect(Stmts* stmts, Path* path) {
    for (Stmt& stmt : *stmts) {
      if (stmt.kind() == STORE) Use(stmt.id(), *path);
      ForEachRootExpr(stmt, [&](const Expr& root) { UseIn(root, *path); });
      if (stmt.kind() == BLOCK) {
        for (const uint32_t buffer : stmt.block().alloc_buffers()) {
          owners_[buffer] = {&stmt, path->size()};
        }
        for (const MatchBuffer& match : stmt.block().match_buffers()) {
          Use(match.source().buffer(), *path);
        }
        Collect(stmt.mutable_block()->mutable_init(), path);
      }
      if (stmt.kind() == FOR) path->push_back(&stmt);
      Collect(stmt.mutable_body(), path);
      if (stmt.kind() == FOR) path->pop_back();
      Collect(stmt.mutable_orelse(), path);
    }
  }

  void Sink(uint32_t buffer, const Owner& owner) {
    const auto used = common_.find(buffer);
    if (used == common_.end()) return;
    const Path& path = used->second;
    for (size_t i = path.size(); i > owner.depth; --i) {
      Stmt* loop = path[i - 1];
      if (!Owns(*loop, function_.buffers(static_cast<int>(buffer)).scope())) continue;
      auto* buffers = owner.block->mutable_block()->mutable_alloc_buffers();
      buffers->erase(std::remove(buffers->begin(), buffers->end(), buffer), buffers->end());
      sunk_.push_back({loop, buffer});
      return;
    }
  }

  Function& function_;
  std::map<uint32_t, Owner> owners_;
  std::map<uint32_t, Path> common_;
  std::vector<std::pair<Stmt*, uint32_t>> sunk_;
};

}  // namespace

void SinkAllocations(Module* module) {
  for (Function& function : *module->mutable_functions()) Sinker(&function).Run();
}

}  // namespace irate::tvm_target
