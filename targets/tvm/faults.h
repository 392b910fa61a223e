// Seeded faults (docs/faults.md): what a pass of TVM returned, made wrong on purpose.
//
// The pass has run; its result is lifted, rewritten as the rule says, lowered and put in place of
// the functions that changed, so that later passes and code generation see the fault. Functions
// that did not change, and the attributes of those that did, stay TVM's own.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/rewrite/rule.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

class FaultInjection {
 public:
  // The faults that the Case switches on, by their rules in `text`; those of a sanitizer
  // (execution/api/sanitizer.h) are not of this kind. InvalidArgument: the text does not parse, or
  // has no rule of that name.
  static absl::StatusOr<FaultInjection> Create(const Case& test_case, const std::string& text);

  bool empty() const { return active_.empty(); }

  // What the faulty pass returns where the right one turns `input` into `result`. Does not return,
  // or throws, where the fault says so. `pass` is also "lower" and "codegen".
  Any After(const std::string& pass, int step, const Any& input, Any result);

  // What each fault did.
  void Report(VariantObservation* observation) const;

 private:
  struct Active {
    rewrite::Rule rule;
    FaultObservation seen;
  };

  static bool Replace(Active* fault, const Module& before, const Module& after, const Any& module,
                      Any* result);
  Any Act(Active* fault, const std::string& pass, int step, const Any& input, Any result);

  Module source_;
  std::vector<Active> active_;
};

// `module` with the functions that differ between `before` and `after` replaced by those of
// `after`. `before` is `module`, lifted. Throws tvm::ffi::Error.
Any ReplaceFunctions(const Any& module, const Module& before, const Module& after);

}  // namespace irate::tvm_target
