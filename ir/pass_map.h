// The pass map of a compiler: which passes it has, at which stage of lowering each may stand, which
// arguments and options it takes and what it promises. A JSON file that a person reads and
// corrects, docs/pass_map.md; for TVM targets/tvm/pass_map.json.
//
// A sequence is *strict* where the map allows it: then every failure is the compiler's. Check()
// says so, step by step:
//
//  1. The walk starts at the first stage. A step must be a pass of the map with one of the listed
//     argument lists, and the stage must lie in [from, until] of the pass.
//  2. Every pass that it must come `after` has run, none of those that it must `not_after` has; a
//     pass that stands `once` has not run before.
//  3. A pass with `leaves` moves the walk to that stage, never back.
//  4. At the end the walk stands at the last stage, and every `required` pass has run.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_field.h"
#include "ir/irate.pb.h"

namespace irate {

using PassConfig = google::protobuf::RepeatedPtrField<Attribute>;

struct StageRule {
  std::string name;
  std::string reached_by;          // for people
  std::vector<std::string> holds;  // properties (ir/properties.h) of every module from here on
};

struct PassRule {
  std::string name;
  int from = 0;  // indices into PassMap::stages()
  int until = 0;
  int leaves = -1;                      // the stage after it; -1: the stage it found
  std::vector<std::vector<Expr>> args;  // lists to choose from; one empty list for none
  std::vector<std::string> after;       // passes that must have run
  std::vector<std::string> not_after;   // passes that must not have run
  std::vector<std::string> promises;    // properties of its result
  std::vector<std::string> refuses;     // parts of messages with which it declines by design
  bool required = false;                // without it a program may not get through
  bool once = false;
  bool idempotent = false;  // a second time in a row it changes nothing
  bool device = false;      // does its work on device programs only
  bool wild = false;        // only in wild mode; stages say nothing
  std::string note;
};

// One step of the compiler's own pipeline.
struct PipelineStep {
  PassStep step;
  std::string if_option;      // only where this option is on
  std::string unless_option;  // only where this option is off
};

struct OptionRule {
  std::string name;  // "tirx.UnrollLoop.auto_max_step": a field of an option that is an object
  std::vector<Expr> values;  // CONST or STRING
  bool wild = false;         // only in wild mode
  std::string note;
};

struct LeftOut {
  std::string name;
  std::string why;
};

class PassMap {
 public:
  // `file` is for messages: "FILE:LINE: pass NAME: what is wrong". InvalidArgument for text that is
  // no JSON, unknown or missing fields, names that do not exist or exist twice, a stage range that
  // is empty, and a pipeline that Check() refuses.
  static absl::StatusOr<PassMap> Parse(std::string_view json, const std::string& file);

  const std::string& target() const { return target_; }
  const std::vector<StageRule>& stages() const { return stages_; }
  const std::vector<PassRule>& passes() const { return passes_; }
  const std::vector<OptionRule>& options() const { return options_; }
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  const std::vector<LeftOut>& options_left_out() const { return options_left_out_; }

  // Null if the map has no such pass.
  const PassRule* Find(const std::string& pass) const;
  int IndexOf(const std::string& pass) const;  // into passes(); -1

  // The compiler's own pipeline under these options, `config` included.
  PassSequence Pipeline(const PassConfig& config) const;

  // OK for a strict sequence; otherwise InvalidArgument with the step and the rule that it breaks.
  // The sequence's mode is not looked at.
  absl::Status Check(const PassSequence& passes) const;

 private:
  friend class PassMapParser;

  std::string target_;
  std::vector<StageRule> stages_;
  std::vector<PassRule> passes_;
  std::vector<PipelineStep> pipeline_;
  std::vector<OptionRule> options_;
  std::vector<LeftOut> left_out_;
  std::vector<LeftOut> options_left_out_;
  std::unordered_map<std::string, int> index_;
};

// A walk through the stages, step by step: what Check() is made of.
class StageWalk {
 public:
  explicit StageWalk(const PassMap& map) : map_(map), seen_(map.passes().size(), false) {}

  // Whether `step` may stand here: cheap, for generators.
  bool Allows(const PassStep& step) const;
  // Why it may not; OK otherwise.
  absl::Status MayStand(const PassStep& step) const;
  // Goes on behind `step`, whether or not it may stand here.
  void Take(const PassStep& step);
  // Why the walk may not end here.
  absl::Status MayEnd() const;

  int stage() const { return stage_; }
  // What the map promises of the module behind the last step: the properties of the stage, those of
  // the pass, and "idempotent" where the pass is. Empty behind a pass of wild mode only.
  std::vector<std::string> Promises(const PassStep& step) const;

 private:
  bool Seen(const std::string& pass) const;

  const PassMap& map_;
  std::vector<bool> seen_;  // by index of pass
  int stage_ = 0;
};

// The promise of a pass that changes nothing a second time in a row.
inline constexpr char kIdempotent[] = "idempotent";

// Whether the option is in `config` and neither false nor 0.
bool IsOn(const PassConfig& config, std::string_view option);

}  // namespace irate
