// The command line of the worker programs; each of them adds what it is built with.
#pragma once

namespace irate {

// An exit code. See execution/zygote.h.
int RunWorkerMain(int argc, char** argv);

}  // namespace irate
