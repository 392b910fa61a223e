// The signature of a Case's entry function for wrong calls.
#pragma once

#include "execution/sanitized/wrong_calls.h"
#include "ir/irate.pb.h"

namespace irate::sanitized {

Signature SignatureOf(const Function& function);

}  // namespace irate::sanitized
