// irate-worker: holds one compiler under test for the harness, which starts it and talks to it over
// the socket that it hands down (execution/zygote.h, docs/workers.md).
#include "tools/worker_main.h"

int main(int argc, char** argv) { return irate::RunWorkerMain(argc, argv); }
