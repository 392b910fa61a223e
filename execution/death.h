// From the remains of a worker to a Failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "execution/shared_page.h"
#include "ir/observation.pb.h"

namespace irate {

struct Death {
  // Why the harness gave the worker up: Unavailable (it closed its socket), DataLoss (its answer is
  // no answer), DeadlineExceeded, ResourceExhausted.
  absl::Status cause;
  // As from waitpid; unset if its zygote is lost too.
  std::optional<int> wait_status;
  bool killed_by_us = false;
  std::vector<std::string> frames;
  std::string_view log;
};

// Stage, step and pass are where `page` says that the worker was. Kinds, the first that applies:
//   SANITIZER       AddressSanitizer reported
//   OUT_OF_MEMORY   an allocation was refused, or the harness's limit was reached
//   SIGNAL          a fatal signal; `message` says what kind of access, or quotes what an aborting
//                   process printed last
//   HANG            the deadline passed
//   INTERNAL_ERROR  the process called exit; `error_kind` is "Exit"
//   HARNESS         killed from outside, or an answer out of step
Failure DescribeDeath(const Death& death, const SharedPage& page);

// Stage, step and pass alone.
void SetPlace(const Progress& progress, Failure* failure);

}  // namespace irate
