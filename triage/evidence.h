// What a report shows beside the reproducer, as files of the finding's folder:
//
//   stack.txt      the stack in AddressSanitizer's format (triage/stack_text.h)
//   before.txt     the module before and after the culprit, in the compiler's own text; of wrong
//   after.txt      results of passes
//   tensors.json   [{"name", "columns", "expected": [..], "actual": [..], "wrong": [..]}], one for
//                  each output, at most 256 elements; of wrong results
#pragma once

#include <map>
#include <string>

#include "execution/worker_client.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// By file name. What cannot be had (the compiler cannot print the module) is left out.
std::map<std::string, std::string> Evidence(const Case& test_case, const Observation& observation,
                                            const Finding& finding, WorkerClient& worker);

}  // namespace irate
