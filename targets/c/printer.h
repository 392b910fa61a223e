// Case IR as standalone C: C17 with GNU statement expressions, for clang and gcc.
//
// The text keeps the program's structure, so that a person can read it beside the IR, and gives
// every operator its exact meaning (docs/targets/c.md). What it cannot print, it refuses by name.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "targets/c/prelude.h"

namespace irate {

// A translation unit with the entry
//
//   int irate_entry(void** args);
//
// `args` has a pointer for each parameter of functions[0] (a buffer's data, a scalar's value),
// followed by one to the value of each dimension variable (ir/dimensions.h). The result is 0.
// The module must be verified. Unimplemented names a construct that has no C.
absl::StatusOr<std::string> PrintC(const Module& module);

namespace c_target {

// Several modules as one translation unit, each with an entry of its own.
class TranslationUnit {
 public:
  // `checked`: see Prelude.
  explicit TranslationUnit(bool checked) : prelude_(checked) {}

  // Adds `module` with the entry `entry`. A module that is refused leaves nothing behind that
  // matters to the others.
  absl::Status Add(const Module& module, std::string_view entry);
  std::string Source() const;

 private:
  Prelude prelude_;
  std::string text_;
};

}  // namespace c_target
}  // namespace irate
