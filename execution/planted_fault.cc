#include "execution/planted_fault.h"

#include <signal.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace irate {
namespace {

// `volatile` keeps the compiler from seeing, and removing, what is wrong here.
// NOLINTBEGIN(clang-analyzer-*): it is wrong on purpose

[[gnu::noinline]] int OverflowStack(volatile int* depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return *depth < 0 ? 0 : OverflowStack(depth) + frame[0];
}

void ExhaustMemory() {
  constexpr size_t kBlock = size_t{4} << 20;
  std::vector<std::unique_ptr<std::vector<char>>> blocks;
  volatile bool more = true;
  while (more) blocks.push_back(std::make_unique<std::vector<char>>(kBlock, 'x'));
}

void OverflowHeap() {
  const auto block = std::make_unique<char[]>(16);
  volatile int index = 16;
  volatile char* bytes = block.get();
  bytes[index] = 1;
}

struct ThrowInDestructor {
  // A destructor is noexcept, so std::terminate is called.
  ~ThrowInDestructor() { Throw(); }
  [[gnu::noinline]] static void Throw() { throw std::runtime_error("planted"); }
};

}  // namespace

void CommitFault(FaultRequest::Kind kind) {
  volatile int state = 0;
  switch (kind) {
    case FaultRequest::SEGV: {
      int* volatile nowhere = nullptr;
      *nowhere = 1;
      break;
    }
    case FaultRequest::NULL_CALL: {
      void (*volatile nowhere)() = nullptr;
      nowhere();
      break;
    }
    case FaultRequest::ABORT:
      std::abort();
    case FaultRequest::UNCAUGHT_EXCEPTION: {
      const ThrowInDestructor thrower;
      break;
    }
    case FaultRequest::STACK_OVERFLOW:
      OverflowStack(&state);
      break;
    case FaultRequest::HEAP_OVERFLOW:
      OverflowHeap();
      break;
    case FaultRequest::EXIT:
      std::exit(3);
    case FaultRequest::KILLED:
      raise(SIGKILL);
      break;
    case FaultRequest::HANG:
      while (state == 0) {
      }
      break;
    case FaultRequest::OUT_OF_MEMORY:
      ExhaustMemory();
      break;
    default:
      break;
  }
}

// NOLINTEND(clang-analyzer-*)
}  // namespace irate
