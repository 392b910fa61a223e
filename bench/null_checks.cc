#include "bench/null_checks.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "generators/equivalent/equivalent.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/verify.h"
#include "targets/c/compiler.h"
#include "targets/c/second_reference.h"

namespace irate {
namespace {

// One in so many rewritten Cases goes through the second reference too.
constexpr uint64_t kRewrittenShare = 4;

// What is wrong with `module`, which should do with the inputs of `original` what `reference` says;
// empty if nothing is.
std::string Disagreement(const Interpretation& reference, const Module& module,
                         const Case& original, bool* out_of_fuel) {
  // The entry's dimension variables may have other ids than in the original.
  const InterpretOptions options = {.mode = InterpretOptions::Mode::kPassResult,
                                    .signature = &original.module().functions(0)};
  const absl::StatusOr<Interpretation> result = Interpret(module, original.inputs(), options);
  if (!result.ok()) return result.status().ToString();
  *out_of_fuel = result->status() == Interpretation::OUT_OF_FUEL;
  if (*out_of_fuel) return "";
  if (result->status() != Interpretation::DEFINED) {
    return fmt::format("{}: {} at {}", Interpretation::Status_Name(result->status()),
                       result->reason(), result->place());
  }
  const std::optional<Difference> difference = Compare(reference, *result);
  return difference.has_value() ? difference->ToString() : "";
}

}  // namespace

absl::Status CheckSecondReference() {
  return c_target::CompilerVersion(SecondReferenceOptions().compiler).status();
}

NullChecks::NullChecks(const NullOptions& options)
    : options_(options), identity_(absl::UnimplementedError("no identity was asked for")) {
  if (options.make_identity) identity_ = options.make_identity();
}

NullReport NullChecks::Run(uint64_t first, uint64_t last) {
  NullReport report;
  std::vector<Entry> entries;
  std::vector<Entry> rewritten_entries;
  for (uint64_t index = first; index < last; ++index) {
    Entry entry{index, GenerateCase(CaseSeed(options_.seed, index), options_.generate), {}};
    ++report.cases;
    if (const absl::Status valid = VerifyCase(entry.test_case); !valid.ok()) {
      report.findings.push_back({index, "generated", std::string(valid.message()), {}});
      continue;
    }
    absl::StatusOr<Interpretation> reference =
        Interpret(entry.test_case.module(), entry.test_case.inputs());
    if (!reference.ok() || reference->status() != Interpretation::DEFINED) {
      ++report.dropped;
      continue;
    }
    entry.reference = *std::move(reference);
    if (options_.rewrites > 0) {
      std::optional<Entry> rewritten = CheckRewrites(entry, &report);
      if (rewritten.has_value() && index % kRewrittenShare == 0) {
        rewritten_entries.push_back(*std::move(rewritten));
      }
    }
    if (options_.make_identity) CheckIdentity(entry, &report);
    entries.push_back(std::move(entry));
  }
  if (options_.second_reference) {
    CheckSecond(entries, /*rewritten=*/false, &report);
    CheckSecond(rewritten_entries, /*rewritten=*/true, &report);
  }
  return report;
}

std::optional<NullChecks::Entry> NullChecks::CheckRewrites(const Entry& entry,
                                                           NullReport* report) const {
  std::vector<RewriteStep> steps;
  const uint64_t seed = CaseSeed(options_.seed ^ 0x5eed, entry.index);
  const int count = 1 + static_cast<int>(seed % static_cast<uint64_t>(options_.rewrites));
  Entry rewritten{entry.index, RewriteCase(entry.test_case, seed, count, &steps), entry.reference};
  if (steps.empty()) return std::nullopt;
  ++report->rewritten;
  for (const RewriteStep& step : steps) ++report->rules[step.rewrite];
  std::string detail;
  if (const absl::Status valid = VerifyCase(rewritten.test_case); !valid.ok()) {
    detail = fmt::format("not valid any more: {}", std::string(valid.message()));
  } else {
    bool out_of_fuel = false;
    detail =
        Disagreement(entry.reference, rewritten.test_case.module(), entry.test_case, &out_of_fuel);
    report->out_of_fuel += out_of_fuel ? 1 : 0;
  }
  if (detail.empty()) return rewritten;
  NullFinding& finding = report->findings.emplace_back();
  finding = {entry.index, "rewrite", detail, {}};
  for (const RewriteStep& step : steps) finding.steps.push_back(FormatStep(step));
  return std::nullopt;
}

void NullChecks::CheckSecond(const std::vector<Entry>& entries, bool rewritten,
                             NullReport* report) const {
  std::vector<const Case*> cases;
  for (const Entry& entry : entries) cases.push_back(&entry.test_case);
  SecondReferenceOptions options;
  options.pass_result = rewritten;
  const auto results = RunSecondReferences(cases, options);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (results[i].status().code() == absl::StatusCode::kUnimplemented) {
      ++report->refusals[std::string(results[i].status().message())];
      continue;
    }
    ++(rewritten ? report->compared_rewritten : report->compared);
    std::string detail;
    if (!results[i].ok()) {
      detail = results[i].status().ToString();
    } else if (const auto difference = Compare(entries[i].reference, *results[i])) {
      detail = difference->ToString();
    }
    if (!detail.empty()) {
      report->findings.push_back({entries[i].index,
                                  rewritten ? "second-reference-rewritten" : "second-reference",
                                  detail,
                                  {}});
    }
  }
}

void NullChecks::CheckIdentity(const Entry& entry, NullReport* report) const {
  if (!identity_.ok()) {
    ++report->refusals[std::string(identity_.status().message())];
    return;
  }
  const absl::StatusOr<std::vector<Module>> modules = (*identity_)(entry.test_case);
  if (modules.status().code() == absl::StatusCode::kUnimplemented) {
    ++report->refusals[std::string(modules.status().message())];
    return;
  }
  if (!modules.ok()) {
    report->findings.push_back({entry.index, "identity", modules.status().ToString(), {}});
    return;
  }
  for (const Module& module : *modules) {
    ++report->identities;
    bool out_of_fuel = false;
    const std::string detail = Disagreement(entry.reference, module, entry.test_case, &out_of_fuel);
    report->out_of_fuel += out_of_fuel ? 1 : 0;
    if (!detail.empty()) report->findings.push_back({entry.index, "identity", detail, {}});
  }
}

}  // namespace irate
