#include "execution/sanitized/explain.h"

#include <signal.h>

#include <cstdlib>
#include <cstring>

#include "execution/sanitized/arithmetic.h"
#include "execution/sanitized/check_runtime.h"
#include "fmt/format.h"

namespace irate::sanitized {
namespace {

// An address this far from any buffer is not said to be near one.
constexpr uintptr_t kNear = uintptr_t{1} << 32;

void FillDistances(Report& report, uintptr_t address, uintptr_t begin, uintptr_t end,
                   int element_bytes) {
  report.buffer_bytes = static_cast<int64_t>(end - begin);
  report.offset = static_cast<int64_t>(address - begin);
  const int64_t unit = std::max(element_bytes, 1);
  // Rounds down, so that the byte before element 0 is in element -1.
  report.index = report.offset >= 0 ? report.offset / unit : -((unit - 1 - report.offset) / unit);
  report.bytes_before = address < begin ? static_cast<int64_t>(begin - address) : 0;
  report.bytes_after = address >= end ? static_cast<int64_t>(address - end) : 0;
}

std::string Where(const Report& report) {
  if (report.buffer.empty()) return "memory that belongs to no buffer";
  std::string text = fmt::format("{}[{}]", report.buffer, report.index);
  if (report.buffer_kind == "workspace" || report.buffer_kind == "stack") {
    text = fmt::format("{} {}", report.buffer_kind, text);
  }
  text += fmt::format(", at offset {} of {} bytes", report.offset, report.buffer_bytes);
  if (report.bytes_before > 0) text += fmt::format(", {} before its start", report.bytes_before);
  if (report.bytes_after > 0 || report.offset == report.buffer_bytes) {
    text += fmt::format(", {} after its end", report.bytes_after);
  }
  return text;
}

std::string Place(const Report& report) {
  if (report.function.empty()) return "";
  std::string text = fmt::format("; {}: {}", report.function, report.statement);
  if (!report.source.empty()) text += fmt::format(" ({})", report.source);
  return text;
}

std::string AccessWords(const Report& report) {
  return fmt::format("{} of {} byte{} {}", report.is_write ? "a write" : "a read", report.size,
                     report.size == 1 ? "" : "s", report.is_write ? "to" : "from");
}

}  // namespace

Site Explainer::SiteOf(const void* pc, bool exact) {
  const auto address = reinterpret_cast<uintptr_t>(pc);
  // A return address may already belong to the next instruction.
  return sites_.Describe(image_.SiteOf(exact ? address : address - 1));
}

void Explainer::FillPlace(Report& report, const Site& site) {
  report.function = site.function;
  report.statement = site.statement;
  if (!site.block.empty() && !site.statement.empty()) {
    report.statement += fmt::format(" (in {})", site.block);
  }
  report.source = site.source;
}

std::string Explainer::RegionName(const contract::Region& region) {
  if (region.kind == contract::RegionKind::kWorkspace && region.caller != nullptr) {
    const Site site = SiteOf(region.caller);
    if (!site.value.empty()) return site.value;
  }
  return region.name;
}

bool Explainer::FillMemory(Report& report, uintptr_t address) {
  if (const std::optional<contract::Region> region = regions_.Find(address)) {
    report.buffer = RegionName(*region);
    report.buffer_kind = contract::RegionKindName(region->kind);
    FillDistances(report, address, region->begin, region->end, region->element_bytes);
    return true;
  }
  return false;
}

Report Explainer::Explain(const Event& event) {
  Report report;
  report.kind = event.kind;
  report.size = static_cast<int64_t>(event.size);
  report.is_write = event.access == AccessKind::kStore;
  FillPlace(report, SiteOf(event.pc, event.exact_pc));
  const bool about_memory = event.address != 0;
  if (about_memory && !FillMemory(report, event.address) && event.object_size > 0) {
    report.buffer = event.object[0] == 0 ? event.object_kind : event.object;
    report.buffer_kind = event.object_kind;
    FillDistances(report, event.address, event.object_begin, event.object_begin + event.object_size,
                  static_cast<int>(event.size));
  }
  switch (event.kind) {
    case ReportKind::kOutOfBounds:
    case ReportKind::kUseAfterFree: {
      const bool inside = !report.buffer.empty() && report.bytes_before == 0 &&
                          report.offset + report.size <= report.buffer_bytes;
      const char* what = report.kind == ReportKind::kUseAfterFree ? "after it was freed"
                         : inside                                 ? "between its elements"
                                                                  : "out of bounds";
      if (report.buffer.empty()) report.kind = ReportKind::kWildAccess;
      report.text = fmt::format("{} {} {}{}", AccessWords(report), Where(report),
                                report.buffer.empty() ? "" : what, Place(report));
      break;
    }
    case ReportKind::kMisaligned: {
      const char* claim = event.access == AccessKind::kAssume      ? "an assumption"
                          : event.access == AccessKind::kParameter ? "a parameter"
                          : report.is_write                        ? "a store"
                                                                   : "a load";
      report.text =
          fmt::format("{} relies on a multiple of {}, but the address of {} has remainder {}{}",
                      claim, event.left, Where(report),
                      event.address % static_cast<uintptr_t>(event.left), Place(report));
      break;
    }
    case ReportKind::kNoaliasOverlap:
      report.text =
          fmt::format("parameters {} and {} are declared noalias and both point into {}{}",
                      event.left, event.right, report.buffer, Place(report));
      break;
    case ReportKind::kRace:
      report.text = fmt::format("a race: task {} {} {}, which task {} {} with no barrier between{}",
                                event.task, report.is_write ? "writes" : "reads", Where(report),
                                event.race->other_task, event.race->other_wrote ? "wrote" : "read",
                                Place(report));
      break;
    case ReportKind::kUninitialised:
      report.kind = KindOfOrigin(*event.origin);
      report.text = fmt::format("{} decides at {}: {}", DescribeOrigin(*event.origin),
                                report.function, report.statement);
      break;
    default:
      report.text = fmt::format(
          "{}{}", DescribeArithmetic(event.arithmetic, event.left, event.right), Place(report));
  }
  return report;
}

ReportKind Explainer::KindOfOrigin(const Origin& origin) {
  return origin.kind == Origin::Kind::kArithmetic ? KindOf(DecodeCheck(origin.arithmetic))
                                                  : ReportKind::kUninitialised;
}

std::string Explainer::DescribeOrigin(const Origin& origin) {
  const Site site = SiteOf(origin.pc);
  switch (origin.kind) {
    case Origin::Kind::kStack:
      return fmt::format("a value of stack {}, which was never written,",
                         origin.name == nullptr ? "memory" : origin.name);
    case Origin::Kind::kWorkspace:
      return fmt::format("a value of workspace {}, which was never written,",
                         site.value.empty() ? "memory" : site.value);
    case Origin::Kind::kArgument: {
      const std::optional<contract::Region> region = regions_.Find(origin.address);
      return fmt::format("a value of {}, which the caller never wrote,",
                         region ? region->name : "an argument");
    }
    case Origin::Kind::kStaleArgument:
      return "an argument slot that was not written for this call";
    case Origin::Kind::kArithmetic:
      return fmt::format("{} ({}: {}), and the value",
                         DescribeArithmetic(origin.arithmetic, origin.left, origin.right),
                         site.function, site.statement);
    case Origin::Kind::kUnknown:
      break;
  }
  return "an undefined value";
}

Report Explainer::ExplainOutput(const Origin& origin, uintptr_t address, int64_t element,
                                int64_t count) {
  Report report;
  report.kind = KindOfOrigin(origin);
  FillPlace(report, SiteOf(origin.pc));
  FillMemory(report, address);
  report.index = element;
  report.text = fmt::format("{} reached {} element{} of {}, first {}[{}]", DescribeOrigin(origin),
                            count, count == 1 ? "" : "s", report.buffer, report.buffer, element);
  return report;
}

Report Explainer::Explain(const contract::ContractReport& broken) {
  Report report;
  report.kind = ReportKind::kContract;
  report.clause = contract::ClauseName(broken.clause);
  report.index = broken.value;
  if (broken.caller != nullptr) {
    const Site site = SiteOf(broken.caller);
    FillPlace(report, site);
    if (report.clause.starts_with("workspace")) {
      report.buffer = site.value;
      report.buffer_kind = "workspace";
    }
  }
  report.text = fmt::format("{}: {}{}{}", report.clause, broken.text,
                            report.buffer.empty() ? "" : fmt::format(" (it is {})", report.buffer),
                            Place(report));
  return report;
}

Report Explainer::ExplainFault(const GuardOutcome& outcome) {
  Report report;
  report.signal = outcome.signal;
  report.kind = ReportKind::kSignal;
  uintptr_t address = outcome.address;
  const void* pc = reinterpret_cast<const void*>(outcome.pc);
  const bool in_code = image_.Contains(outcome.pc);
  report.is_write = outcome.is_write;
  const AccessInFlight& access = InFlight();
  const bool checking = !in_code && access.size > 0;
  if (checking) {
    address = access.address;
    pc = access.pc;
    report.is_write = access.write;
    report.size = static_cast<int64_t>(access.size);
  }
  FillPlace(report, SiteOf(pc, /*exact=*/in_code));
  const bool memory = outcome.signal == SIGSEGV || outcome.signal == SIGBUS;
  if (!memory) {
    report.text = fmt::format("{} in generated code{}", strsignal(outcome.signal), Place(report));
    return report;
  }
  const char* access_words = report.is_write ? "a write to" : "a read from";
  if (outcome.address_unknown && !checking) {
    report.kind = ReportKind::kWildAccess;
    report.text =
        fmt::format("{}an address that no memory can have{}", "an access to ", Place(report));
    return report;
  }
  if (FillMemory(report, address)) {
    report.kind = ReportKind::kOutOfBounds;
    report.text =
        fmt::format("{} {}, in its guard pages{}", access_words, Where(report), Place(report));
    return report;
  }
  report.kind = ReportKind::kWildAccess;
  // The nearest buffer is a hint at the cause: an index that is far off.
  const contract::Region* nearest = nullptr;
  uintptr_t distance = kNear;
  const std::vector<contract::Region> all = regions_.All();
  for (const contract::Region& region : all) {
    if (region.kind != contract::RegionKind::kArgument &&
        region.kind != contract::RegionKind::kWorkspace) {
      continue;
    }
    const uintptr_t away = address < region.begin  ? region.begin - address
                           : address >= region.end ? address - region.end
                                                   : 0;
    if (away < distance) {
      distance = away;
      nearest = &region;
    }
  }
  if (nearest == nullptr) {
    report.text =
        fmt::format("{} {:#x}, which belongs to no memory{}", access_words, address, Place(report));
    return report;
  }
  report.buffer = RegionName(*nearest);
  report.buffer_kind = contract::RegionKindName(nearest->kind);
  FillDistances(report, address, nearest->begin, nearest->end, nearest->element_bytes);
  report.text = fmt::format("{} {:#x}, which belongs to no memory; the nearest buffer is {}{}",
                            access_words, address, Where(report), Place(report));
  return report;
}

}  // namespace irate::sanitized
