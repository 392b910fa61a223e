#include "generators/variants.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "generators/choice.h"

namespace irate {
namespace {

constexpr char kDefault[] = R"({"kind":"llvm"})";

void AddTarget(std::string options, Case* test_case) {
  TargetSpec* spec = test_case->add_targets();
  spec->set_target("tvm");
  spec->set_options(std::move(options));
}

}  // namespace

std::vector<std::string> TvmVariantOptions(const std::vector<std::string>& levels) {
  std::vector<std::string> result;
  for (const int level : {0, 1, 2, 3}) {
    result.push_back(fmt::format(R"({{"kind":"llvm","opt-level":{}}})", level));
  }
  for (const int width : {128, 256, 512}) {
    result.push_back(fmt::format(R"({{"kind":"llvm","vector-width":{}}})", width));
  }
  for (const std::string& level : levels) {
    result.push_back(fmt::format(R"({{"kind":"llvm","mcpu":"{}"}})", level));
    result.push_back(fmt::format(R"({{"kind":"llvm","mcpu":"{}","opt-level":0}})", level));
  }
  return result;
}

void AddVariants(uint64_t seed, const std::vector<std::string>& levels, Case* test_case) {
  if (test_case->targets_size() != 0) return;
  ChoiceSource choice(seed);
  std::vector<std::string> options = TvmVariantOptions(levels);
  AddTarget(kDefault, test_case);
  const int64_t more = choice.Range(1, 2);
  for (int64_t i = 0; i < more && !options.empty(); ++i) {
    const int64_t at = choice.Range(0, static_cast<int64_t>(options.size()) - 1);
    AddTarget(options[static_cast<size_t>(at)], test_case);
    options.erase(options.begin() + at);
  }
}

}  // namespace irate
