// The request loop of a worker: everything that happens between the fork and its end.
#pragma once

#include "execution/api/target.h"
#include "execution/channel.h"
#include "execution/shared_page.h"

namespace irate {

// Serves requests until the harness closes the socket or the stream is out of step; the reason in
// the latter case. Keeps `page` up to date. Symbolize cuts stacks at this function.
absl::Status ServeRequests(Target& target, Channel& channel, SharedPage* page);

// One small Case through every step that needs no thread, so that what a compiler sets up on first
// use is set up before the fork and not once in each worker. The result does not matter.
void WarmUp(Target& target);

}  // namespace irate
