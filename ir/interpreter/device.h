// A launch while it runs: the threads of one block, each with a frame of its own.
//
// Threads take turns: each runs until it waits for the others or ends. A barrier lets them go on
// when all of them have come to it in the same iterations of the loops around it; anything else is
// barrier divergence.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/interpreter/program.h"
#include "ir/interpreter/race.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {

struct Thread {
  Frame frame;
  uint32_t pc = 0;
  int64_t index[kThreadDims] = {};
  RaceDetector::Position global;  // among accesses to global memory
  RaceDetector::Position shared;  // among those to the block's memory
  // How often each shared allocation was made.
  std::map<uint32_t, uint32_t> allocations;
  enum class State : uint8_t { kReady, kConverging, kAtBarrier, kReducing, kDone };
  State state = State::kReady;
};

struct BlockRun {
  const CompiledFunction* function = nullptr;
  int64_t extents[kThreadDims] = {};
  std::vector<Thread> threads;
  Thread* current = nullptr;
  // Shared objects: what the k-th execution of an allocation made.
  std::map<uint32_t, std::vector<uint32_t>> shared;
  uint32_t doubt_level = 0;  // where the launch began
};

}  // namespace irate::interp
