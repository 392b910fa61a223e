// Loops bound to hardware threads over the elements of a shape: which axes become blocks, threads
// and plain loops, and the predicate where they are more than there are elements.
//
//   DeviceLaunch launch(context, shape, options);   // the indices are in scope
//   ... statements that use launch.indices(), one instance per thread ...
//   std::vector<Stmt> stmts = launch.Close(std::move(body));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

struct LaunchOptions {
  bool needs_threads = false;   // at least one thread index
  bool may_be_virtual = false;  // virtual threads too
};

// An index of the threads of a block.
struct ThreadIndex {
  uint32_t variable = 0;
  int64_t extent = 1;
};

// One to three extents; 1 to 12 elements each, mostly.
std::vector<Extent> DrawDeviceShape(Context& context);

class DeviceLaunch {
 public:
  DeviceLaunch(Context& context, const std::vector<Extent>& shape, const LaunchOptions& options);
  DeviceLaunch(const DeviceLaunch&) = delete;
  DeviceLaunch& operator=(const DeviceLaunch&) = delete;

  // Of the shape's axes, for this thread; beyond an extent where is_partial().
  const std::vector<Expr>& indices() const { return indices_; }
  const std::vector<ThreadIndex>& threads() const { return threads_; }
  bool is_partial() const { return !guards_.empty(); }
  // That all indices are inside the shape; only where is_partial().
  Expr InsideCondition() const;
  void AssumeInside();
  // `stmt` where the indices are inside.
  Stmt Guard(Stmt stmt) const;

  // Leaves the scope.
  std::vector<Stmt> Close(std::vector<Stmt> body);

 private:
  struct Loop {
    uint32_t variable = 0;
    Extent extent;
    std::string tag;
  };
  void PlanAxis(const Extent& extent, size_t place, const LaunchOptions& options, bool must);
  uint32_t AddLoop(const char* prefix, const Extent& extent, std::string tag);
  bool OneAllowed() const;

  Context& context_;
  std::vector<Loop> loops_;
  std::vector<ThreadIndex> threads_;
  std::vector<Expr> indices_;
  std::vector<Expr> guards_;
  int64_t thread_count_ = 1;
  size_t axis_mark_ = 0;
  size_t enclosing_mark_ = 0;
  size_t block_dims_ = 0;
};

}  // namespace irate
