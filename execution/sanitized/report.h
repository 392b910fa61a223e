// One thing that generated code did wrong, with the place and the memory in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "execution/contract/report.h"

namespace irate::sanitized {

enum class ReportKind {
  kOutOfBounds,       // beside a buffer: in its red zone, a gap between its rows, a guard page
  kUseAfterFree,      // in a freed workspace
  kWildAccess,        // at an address that belongs to nothing
  kMisaligned,        // an address that is no multiple of what the code promised
  kSignedOverflow,    // nsw
  kUnsignedOverflow,  // nuw
  kShiftOutOfRange,
  kDivisionByZero,
  kDivisionOverflow,  // the least integer by -1
  kFloatToInteger,    // out of the integer's range
  kTruncation,        // trunc nsw or nuw that loses bits
  kUninitialised,     // memory that was never written, or undef, decides or reaches a result
  kNoaliasOverlap,    // two noalias parameters name the same memory
  kUnreachable,       // control came to where it cannot
  kRace,              // between parallel tasks
  kContract,          // `clause` of the agreement with the runtime
  kSignal,            // another fatal signal
  kSilentWrongCall,   // a wrong call on purpose that returned success
  kOrderDependence,   // results differ between orders of parallel tasks
};

// "out-of-bounds", ...
std::string_view ReportKindName(ReportKind kind);

struct Report {
  ReportKind kind = ReportKind::kContract;
  // The clause of a kContract report: "workspace-alignment".
  std::string clause;
  // The function of the LLVM module; "" outside of it.
  std::string function;
  // The instruction in words: "store float to C[i] (in for_body_i)".
  std::string statement;
  // "file:line" where the module's debug info has a line.
  std::string source;

  // The memory, where the report is about memory. Name and kind ("argument", "workspace", "stack",
  // ...) of the nearest buffer; "" if there is none.
  std::string buffer;
  std::string buffer_kind;
  int64_t buffer_bytes = 0;
  int64_t offset = 0;  // of the first byte accessed, from the buffer's first byte
  int64_t index = 0;   // the same in elements of the buffer
  int64_t size = 0;    // bytes accessed
  bool is_write = false;
  int64_t bytes_before = 0;  // distance to the buffer, where the access starts before it
  int64_t bytes_after = 0;   // and where it starts after it: 0 is adjacent
  int signal = 0;            // of kSignal and of accesses that faulted

  // Everything above in one sentence.
  std::string text;
};

// Whether the report is about an access to memory that must not be accessed.
bool IsMemoryError(ReportKind kind);

}  // namespace irate::sanitized
