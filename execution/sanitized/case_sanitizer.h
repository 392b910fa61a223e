// A Case's generated code through everything that this folder checks.
//
//  1. Each form is read without running it (abi_check.h).
//  2. It runs on the Case's inputs, in several orders of its parallel tasks where it has any; the
//     form that was not optimised with every check, the other with checks of addresses.
//  3. Where the right call was clean, the wrong calls of the Case's signature are made.
//
// A violation's kind is "FAMILY.WHAT": FAMILY is "memory", "value", "contract", "abi" or
// "wrong-call". All of it depends on the Case and the code only.
#pragma once

#include <memory>

#include "execution/api/sanitizer.h"

namespace irate::sanitized {

std::unique_ptr<Sanitizer> MakeCaseSanitizer();

}  // namespace irate::sanitized
