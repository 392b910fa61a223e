// Schedules: what a person who tunes a program writes, over the programs that the families make.
//
// A schedule is a trace of primitives (ir/schedule.h). It is drawn from a model of the program that
// follows the steps (generators/schedule_model.h), so that later steps speak of what earlier ones
// made. The compiler may refuse a step; preconditions that it documents and does not check are kept
// here.
#pragma once

#include "generators/choice.h"
#include "generators/features.h"
#include "ir/irate.pb.h"

namespace irate {

// A trace for the entry function, of primitives whose features are in `allowed`; no steps if the
// function is not one of blocks throughout.
Schedule DrawSchedule(ChoiceSource& choices, const Case& test_case, const FeatureSet& allowed);

// The features that the steps show.
FeatureSet ScheduleFeatures(const Schedule& schedule);

}  // namespace irate
