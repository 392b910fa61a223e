// Observations made by hand, as workers and the harness would report them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/observation.pb.h"

namespace irate::testing {

inline Tensor MakeTensor(const std::vector<int32_t>& values) {
  Tensor tensor;
  tensor.set_type(I32);
  tensor.add_shape(static_cast<int64_t>(values.size()));
  tensor.set_data(
      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int32_t)));
  return tensor;
}

inline Interpretation Defined(const std::vector<int32_t>& values, uint64_t steps = 100) {
  Interpretation result;
  result.set_status(Interpretation::DEFINED);
  result.set_steps(steps);
  *result.add_outputs()->mutable_tensor() = MakeTensor(values);
  return result;
}

inline Interpretation Undefined(const std::string& reason) {
  Interpretation result;
  result.set_status(Interpretation::UNDEFINED);
  result.set_reason(reason);
  result.set_place("function main, body[0]");
  return result;
}

inline Interpretation OutOfFuel(uint64_t steps) {
  Interpretation result;
  result.set_status(Interpretation::OUT_OF_FUEL);
  result.set_steps(steps);
  return result;
}

inline Interpretation Unsupported() {
  Interpretation result;
  result.set_status(Interpretation::UNSUPPORTED);
  return result;
}

// An Observation of one variant whose module is defined and computes `values`.
class ObservationBuilder {
 public:
  explicit ObservationBuilder(const std::vector<int32_t>& values) {
    *observation_.mutable_reference() = Defined(values);
    variant_ = observation_.add_variants();
    variant_->mutable_spec()->set_target("tvm");
    AddStep(-1, "", StepObservation::CHANGED);
    *variant_->mutable_steps(0)->mutable_interpretation() = Defined(values);
  }

  ObservationBuilder& Changed(const std::string& pass, const Interpretation& interpretation) {
    *AddStep(next_++, pass, StepObservation::CHANGED)->mutable_interpretation() = interpretation;
    return *this;
  }
  ObservationBuilder& NotLifted(const std::string& pass) {
    AddStep(next_++, pass, StepObservation::CHANGED)->set_lift_failure("tirx.SomethingNew");
    return *this;
  }
  ObservationBuilder& Unchanged(const std::string& pass) {
    AddStep(next_++, pass, StepObservation::UNCHANGED);
    return *this;
  }
  ObservationBuilder& Ran(const std::vector<int32_t>& values) {
    *variant_->add_outputs() = MakeTensor(values);
    return *this;
  }
  ObservationBuilder& Failed(Failure::Kind kind, Stage stage, const std::string& pass = "",
                             const std::string& message = "") {
    Failure* failure = variant_->mutable_failure();
    failure->set_kind(kind);
    failure->set_stage(stage);
    failure->set_pass(pass);
    failure->set_step(stage == STAGE_PASS ? next_ : -1);
    failure->set_message(message);
    if (stage == STAGE_PASS) AddStep(next_++, pass, StepObservation::FAILED);
    return *this;
  }
  ObservationBuilder& Signal(int signal, const std::vector<std::string>& frames) {
    variant_->mutable_failure()->set_signal(signal);
    for (const std::string& frame : frames) variant_->mutable_failure()->add_frames(frame);
    return *this;
  }

  Observation& get() { return observation_; }

 private:
  StepObservation* AddStep(int32_t index, const std::string& pass,
                           StepObservation::Outcome outcome) {
    StepObservation* step = variant_->add_steps();
    step->set_index(index);
    step->set_pass(pass);
    step->set_outcome(outcome);
    return step;
  }

  Observation observation_;
  VariantObservation* variant_ = nullptr;
  int32_t next_ = 0;
};

inline Case StrictCase() { return Case(); }

inline Case WildCase() {
  Case test_case;
  test_case.mutable_passes()->set_mode(WILD);
  return test_case;
}

}  // namespace irate::testing
