// From a wrong answer to a recorded finding.
//
//  1. Reduces the question (reduce.h).
//  2. Looks for the function to blame: one that the asked function builds on, and that is wrong on
//     the same expressions or a part of them, is reduced and reported instead. A rule of the
//     rewriting simplifier shows under a proof, a bound and an iterator map; it is one cause.
//  3. Confirms in a fresh worker; what does not show there is not recorded.
//  4. Writes the folder: question.txtpb (the message AnalysisQuestion as text), reproducer.py,
//     finding.json as of any other finding, log.txt. The reproducer is run.
#pragma once

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "triage/analysis/reduce.h"
#include "triage/reproducer.h"

namespace irate::analysis {

struct TriageSettings {
  ReduceLimits limits;
  ReproducerOptions reproducer;
  std::set<std::string> known;
  std::string directory;  // of findings; empty: nothing is recorded
  std::string version;    // of the compiler
};

struct Triaged {
  enum class Outcome { kNew, kSeen, kKnown, kNotReproduced };
  Outcome outcome = Outcome::kNew;
  Finding finding;
  AnalysisQuestion question;
  std::string path;
  bool reproducer_verified = false;
};

absl::StatusOr<Triaged> Triage(const AnalysisQuestion& question, const Wrong& wrong,
                               const TriageSettings& settings, Session* session);

// The reduced question and mismatch of the function to blame.
absl::StatusOr<Reduced> Blame(const Reduced& reduced, const ReduceLimits& limits, Session* session);

// A question as text and back. InvalidArgument says what is wrong with the text.
std::string QuestionToText(const AnalysisQuestion& question);
absl::StatusOr<AnalysisQuestion> QuestionFromText(const std::string& text);

}  // namespace irate::analysis
