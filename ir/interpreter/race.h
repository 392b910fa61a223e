// Conflicts between iterations of parallel and vectorized loops.
//
// The iterations that run form a tree: a node is one iteration of one run of a parallel loop, its
// parent is the iteration around that run. Two accesses may happen at the same time if, where their
// paths from the root part, they are in different iterations of the same run. A granule remembers
// its last writer, a reader, and the outermost run of which two iterations read it.
//
// The threads of a block are iterations of one run as well; a barrier ends it and begins the next.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/interpreter/memory.h"

namespace irate::interp {

class RaceDetector {
 public:
  RaceDetector() { nodes_.push_back({}); }  // 0: outside of parallel loops

  bool active() const { return current_ != 0; }

  // One run of a parallel loop, in the current iteration.
  void EnterLoop();
  void NextIteration();
  void LeaveLoop();
  // How many loops are open, and back to that many after a run that stopped inside of more.
  size_t depth() const { return loops_.size(); }
  void Unwind(size_t depth) {
    while (loops_.size() > depth) LeaveLoop();
  }

  // Where in the tree a thread is.
  struct Position;
  // A run of threads in the current iteration, and a thread's first position in it.
  uint32_t NewRun() { return ++runs_; }
  void StartThread(uint32_t run, Position* position);
  // Goes on elsewhere; `position` is left with where it was.
  void Swap(Position* position);
  // The thread is in the next run; false if it is inside of a loop of its own.
  bool Advance(uint32_t run, Position* position);

  // Whether the access conflicts with an earlier one; notes it otherwise. Only while active() or on
  // objects that have stamps.
  bool OnRead(Stamp* stamp);
  bool OnWrite(Stamp* stamp);

 private:
  friend struct Position;
  struct Node {
    uint32_t parent = 0;
    uint32_t run = 0;  // which run of a loop it is an iteration of
    uint32_t depth = 0;
  };
  struct Loop {
    uint32_t outer = 0;  // the iteration around it
    uint32_t run = 0;
  };

  // The run of which the two are different iterations; 0 if they are ordered.
  uint32_t Parting(uint32_t a, uint32_t b) const;
  bool IsInside(uint32_t run) const;

  std::vector<Node> nodes_;
  std::vector<Loop> loops_;
  uint32_t current_ = 0;
  uint32_t runs_ = 0;
};

struct RaceDetector::Position {
  std::vector<Loop> loops;
  uint32_t current = 0;
  size_t depth = 0;  // of loops, where the thread is in none of its own
};

}  // namespace irate::interp
