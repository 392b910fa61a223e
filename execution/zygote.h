// The first life of irate-worker: it loads a compiler once and forks workers that have it loaded.
//
//  1. Loads the target and runs a small Case through its passes.
//  2. Says Hello on the control socket.
//  3. Serves ZygoteRequests: forks workers, reaps them, names their code addresses.
//  4. When the harness closes the control socket, or dies, kills every worker and ends.
//
// Nothing that a fork breaks is started here: no thread, no generated code.
#pragma once

#include "execution/api/target.h"
#include "execution/unique_fd.h"

namespace irate {

// Returns the exit status of the process. In a worker it does not return.
int RunZygote(Target& target, UniqueFd control);

}  // namespace irate
