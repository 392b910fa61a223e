// From what was recorded to what a person reads. Internal.
#pragma once

#include <string>
#include <vector>

#include "execution/contract/region.h"
#include "execution/contract/report.h"
#include "execution/sanitized/event.h"
#include "execution/sanitized/fault_guard.h"
#include "execution/sanitized/jit.h"
#include "execution/sanitized/report.h"
#include "execution/sanitized/sites.h"

namespace irate::sanitized {

class Explainer {
 public:
  Explainer(const JitImage& image, SiteDescriber& sites, const contract::RegionMap& regions)
      : image_(image), sites_(sites), regions_(regions) {}

  Report Explain(const Event& event);
  Report Explain(const contract::ContractReport& report);
  // A signal that ended the run. `in_flight` is the address of an access whose check itself
  // faulted.
  Report ExplainFault(const GuardOutcome& outcome);
  // `count` elements of an argument hold values that come from `origin`; the first is number
  // `element` at `address`.
  Report ExplainOutput(const Origin& origin, uintptr_t address, int64_t element, int64_t count);

  Site SiteOf(const void* pc, bool exact = false);

 private:
  void FillPlace(Report& report, const Site& site);
  // Name and distances of the memory at `address`. False if it belongs to nothing known.
  bool FillMemory(Report& report, uintptr_t address);
  std::string RegionName(const contract::Region& region);
  std::string DescribeOrigin(const Origin& origin);
  ReportKind KindOfOrigin(const Origin& origin);

  const JitImage& image_;
  SiteDescriber& sites_;
  const contract::RegionMap& regions_;
};

}  // namespace irate::sanitized
