// Proof, before anything is fuzzed, that a fault of the compiler would be noticed: faults are
// planted in a worker that holds the real compiler, and each must be reported for what it is.
#pragma once

#include <string>
#include <vector>

#include "execution/worker_client.h"

namespace irate {

struct DoctorCheck {
  std::string name;
  bool passed = false;
  std::string detail;  // what was seen, one line
};

struct DoctorReport {
  std::string target;
  std::string target_version;
  double start_ms = 0;       // executing the worker until it is ready
  double respawn_ms = 0;     // a new worker from the zygote, ended and forked
  double round_trip_us = 0;  // of an empty request
  std::vector<DoctorCheck> checks;

  // Every check passed: the target may be fuzzed.
  bool ok() const;
  // The check of this name; null if it was not reached.
  const DoctorCheck* Find(const std::string& name) const;
  // A table for people.
  std::string ToText() const;
};

// The checks, in order (a target that does not start has only the first):
//   start           the worker runs, the compiler loads
//   threads         the zygote has one thread
//   sound           a right program has the right result, after each pass and when it is run
//   crash           SIGSEGV and SIGABRT are signals, with a stack
//   stack-overflow  is told from other crashes
//   hang            is ended at the deadline
//   memory          growth is ended at the limit
//   out-of-bounds   a built function that writes one element past its buffer dies at it
//   miscompile      a module that was changed by one operator differs as lifted and when it is run
DoctorReport RunDoctor(const WorkerOptions& options);

}  // namespace irate
