#include "ir/interpreter/race.h"

#include <algorithm>
#include <utility>

namespace irate::interp {

void RaceDetector::EnterLoop() {
  loops_.push_back({current_, ++runs_});
  NextIteration();
}

void RaceDetector::NextIteration() {
  const Loop& loop = loops_.back();
  nodes_.push_back({loop.outer, loop.run, nodes_[loop.outer].depth + 1});
  current_ = static_cast<uint32_t>(nodes_.size() - 1);
}

void RaceDetector::LeaveLoop() {
  current_ = loops_.back().outer;
  loops_.pop_back();
}

void RaceDetector::StartThread(uint32_t run, Position* position) {
  position->loops = loops_;
  position->loops.push_back({current_, run});
  position->depth = position->loops.size();
  nodes_.push_back({current_, run, nodes_[current_].depth + 1});
  position->current = static_cast<uint32_t>(nodes_.size() - 1);
}

void RaceDetector::Swap(Position* position) {
  std::swap(loops_, position->loops);
  std::swap(current_, position->current);
}

bool RaceDetector::Advance(uint32_t run, Position* position) {
  if (position->loops.size() != position->depth) return false;
  Loop& loop = position->loops.back();
  loop.run = run;
  nodes_.push_back({loop.outer, run, nodes_[loop.outer].depth + 1});
  position->current = static_cast<uint32_t>(nodes_.size() - 1);
  return true;
}

uint32_t RaceDetector::Parting(uint32_t a, uint32_t b) const {
  while (nodes_[a].depth > nodes_[b].depth) a = nodes_[a].parent;
  while (nodes_[b].depth > nodes_[a].depth) b = nodes_[b].parent;
  if (a == b) return 0;
  while (nodes_[a].parent != nodes_[b].parent) {
    a = nodes_[a].parent;
    b = nodes_[b].parent;
  }
  return nodes_[a].run == nodes_[b].run ? nodes_[a].run : 0;
}

bool RaceDetector::IsInside(uint32_t run) const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [run](const Loop& loop) { return loop.run == run; });
}

bool RaceDetector::OnRead(Stamp* stamp) {
  if (stamp->writer != current_ && Parting(stamp->writer, current_) != 0) return true;
  if (stamp->reader == current_) return false;
  const uint32_t run = Parting(stamp->reader, current_);
  // Runs are numbered as they begin: of those that we are inside of, the outermost is the lowest.
  if (run != 0 && (!IsInside(stamp->shared) || run < stamp->shared)) stamp->shared = run;
  stamp->reader = current_;
  return false;
}

bool RaceDetector::OnWrite(Stamp* stamp) {
  if (stamp->writer != current_ && Parting(stamp->writer, current_) != 0) return true;
  if (stamp->reader != current_ && Parting(stamp->reader, current_) != 0) return true;
  if (stamp->shared != 0 && IsInside(stamp->shared)) return true;
  stamp->writer = current_;
  return false;
}

}  // namespace irate::interp
