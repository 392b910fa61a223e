// Which parallel task the calling thread is running.
#pragma once

#include <cstdint>

namespace irate::contract {

struct TaskContext {
  // Counts launches of the run; 0 outside of any launch.
  uint32_t launch = 0;
  int32_t task = -1;
  // Counts barriers passed by this task.
  uint32_t interval = 0;
  // Addresses in [private_begin, private_end) are the task's own stack.
  uintptr_t private_begin = 0;
  uintptr_t private_end = 0;
};

inline thread_local TaskContext current_task;
inline TaskContext& CurrentTask() { return current_task; }

}  // namespace irate::contract
