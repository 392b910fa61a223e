#include "generators/affine.h"

#include <cstdlib>

namespace irate {
namespace {

void AddTerm(AffineForm* form, uint32_t variable, int64_t coefficient) {
  for (auto it = form->terms.begin(); it != form->terms.end(); ++it) {
    if (it->first != variable) continue;
    it->second += coefficient;
    if (it->second == 0) form->terms.erase(it);
    return;
  }
  form->terms.emplace_back(variable, coefficient);
}

}  // namespace

AffineForm OpaqueForm(const Interval& interval) {
  AffineForm form;
  form.lo = interval.lo;
  form.hi = interval.hi;
  return form;
}

bool AddScaled(AffineForm* form, const AffineForm& other, int64_t factor) {
  if (std::abs(factor) > kAffineMax || std::abs(other.lo) > kAffineMax ||
      std::abs(other.hi) > kAffineMax) {
    return false;
  }
  __extension__ using Wide = __int128;
  const auto fits = [](Wide value) { return value <= kAffineMax && value >= -kAffineMax; };
  const Wide lo = static_cast<Wide>(factor >= 0 ? other.lo : other.hi) * factor + form->lo;
  const Wide hi = static_cast<Wide>(factor >= 0 ? other.hi : other.lo) * factor + form->hi;
  if (!fits(lo) || !fits(hi)) return false;
  for (const auto& [variable, coefficient] : other.terms) {
    if (!fits(static_cast<Wide>(coefficient) * factor)) return false;
  }
  if (factor == 0) return true;
  form->lo = static_cast<int64_t>(lo);
  form->hi = static_cast<int64_t>(hi);
  for (const auto& [variable, coefficient] : other.terms) {
    AddTerm(form, variable, coefficient * factor);
  }
  return true;
}

}  // namespace irate
