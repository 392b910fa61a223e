// A call with wrong arguments, made on purpose, was not refused: it returned success, or did
// damage. Culprit: what makes the checks, the packed API. Shape: what was wrong and what came of
// it: "alignment.accepted", "rank.out-of-bounds".
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

std::string Culprit(std::string_view) { return "packed-api"; }

class WrongCallOracle : public Oracle {
 public:
  std::string_view Name() const override { return "wrong-call"; }
  std::string_view Description() const override {
    return "a call with wrong arguments is not refused by the function's own checks";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "wrong-call", test_case, observation, variant, Culprit);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeWrongCallOracle() { return std::make_unique<WrongCallOracle>(); }

}  // namespace irate
