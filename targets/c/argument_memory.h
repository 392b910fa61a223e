// The arguments of one run of a printed program, in memory that a child process shares.
//
// Each buffer ends as close before an inaccessible page as its alignment lets it, and an
// inaccessible page stands before it too; the bytes between its end and that page hold a pattern
// that is checked after the run.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "ir/inputs.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate::c_target {

class ArgumentMemory {
 public:
  // The arguments that `inputs` describes for `function`. Errors as MakeArguments;
  // ResourceExhausted if there is no memory.
  static absl::StatusOr<ArgumentMemory> Create(const Function& function, const Inputs& inputs);
  ArgumentMemory(ArgumentMemory&&) noexcept;
  ArgumentMemory& operator=(ArgumentMemory&&) = delete;
  ~ArgumentMemory();

  // For irate_entry: parameters, then dimension variables.
  void** pointers() { return pointers_.data(); }
  // The buffer parameters as they are now, in order.
  std::vector<Tensor> Buffers() const;
  // The position of the first buffer parameter whose surroundings were written to; -1 if none.
  int FirstDamaged() const;

 private:
  struct Region;
  ArgumentMemory();

  std::vector<Region> regions_;
  std::vector<void*> pointers_;
};

}  // namespace irate::c_target
