// When two nested loops may change places.
#pragma once

#include "ir/irate.pb.h"

namespace irate::equivalent {

// `loop` is a loop around nothing but another. True if any two iterations of the pair that touch
// one element, one of them writing, have equal outer or equal inner variables: such iterations keep
// their order when the loops are exchanged. Conservative: true only if
//   * nothing in the function makes views, takes addresses or calls, so buffers do not overlap;
//   * the body has no return, assertion, barrier or view;
//   * each buffer that the body writes and does not allocate itself has a dimension in which all of
//   the
//     body's accesses have the same index, and that index is v + c, v - c or v * c (c != 0) for
//     one of the two variables v.
bool MayInterchange(const Function& function, const Stmt& loop);

}  // namespace irate::equivalent
