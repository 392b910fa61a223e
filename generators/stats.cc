#include "generators/stats.h"

#include <ctime>

#include <cctype>

#include "generators/features.h"
#include "ir/interpreter.h"
#include "ir/types.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

double ThreadSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// "index 17 of A3" and "index 4 of A1" are one reason.
std::string MaskNumbers(const std::string& text) {
  std::string masked;
  for (char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && !masked.empty() && masked.back() == '#') continue;
    masked.push_back(digit ? '#' : c);
  }
  return masked;
}

void CountOutputs(const Interpretation& interpretation, FamilyStats* stats) {
  for (const InterpretedTensor& output : interpretation.outputs()) {
    const Tensor& tensor = output.tensor();
    stats->elements += static_cast<int64_t>(tensor.data().size()) / ByteSize(tensor.type());
    for (char judged : output.judged()) stats->not_judged += judged == kNotJudged ? 1 : 0;
  }
}

void Add(const FamilyStats& more, FamilyStats* total) {
  total->cases += more.cases;
  total->dropped += more.dropped;
  total->elements += more.elements;
  total->not_judged += more.not_judged;
  total->steps += more.steps;
  total->bytes += more.bytes;
}

nlohmann::ordered_json FamilyToJson(const FamilyStats& stats) {
  const double cases = static_cast<double>(std::max<int64_t>(stats.cases, 1));
  return {{"cases", stats.cases},
          {"dropped_undefined", stats.dropped},
          {"drop_rate", stats.DropRate()},
          {"inconclusive_share", stats.InconclusiveShare()},
          {"mean_steps", static_cast<double>(stats.steps) / cases},
          {"mean_bytes", static_cast<double>(stats.bytes) / cases}};
}

}  // namespace

double FamilyStats::DropRate() const {
  return cases == 0 ? 0 : static_cast<double>(dropped) / static_cast<double>(cases);
}

double FamilyStats::InconclusiveShare() const {
  return elements == 0 ? 0 : static_cast<double>(not_judged) / static_cast<double>(elements);
}

double GeneratorStats::CasesPerSecond() const {
  return generate_seconds <= 0 ? 0 : static_cast<double>(total.cases) / generate_seconds;
}

GeneratorStats CollectGeneratorStats(uint64_t seed, int64_t count, const GenerateOptions& options) {
  GeneratorStats stats;
  for (const FeatureInfo& info : Features()) stats.features[std::string(info.name)] = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double start = ThreadSeconds();
    const Case test_case = GenerateCase(CaseSeed(seed, static_cast<uint64_t>(i)), options);
    const double generated = ThreadSeconds();
    const absl::StatusOr<Interpretation> result = Interpret(test_case.module(), test_case.inputs());
    stats.generate_seconds += generated - start;
    stats.interpret_seconds += ThreadSeconds() - generated;

    FamilyStats one;
    one.cases = 1;
    one.bytes = static_cast<int64_t>(test_case.ByteSizeLong());
    if (result.ok() && result->status() == Interpretation::DEFINED) {
      one.steps = result->steps();
      CountOutputs(*result, &one);
    } else {
      one.dropped = 1;
      const std::string reason =
          result.ok() ? Interpretation::Status_Name(result->status()) + ": " + result->reason()
                      : result.status().ToString();
      ++stats.drop_reasons[MaskNumbers(reason)];
    }
    Add(one, &stats.families[test_case.generator()]);
    Add(one, &stats.total);
    for (const std::string& feature : test_case.features()) ++stats.features[feature];
  }
  return stats;
}

nlohmann::ordered_json ToJson(const GeneratorStats& stats) {
  nlohmann::ordered_json json = FamilyToJson(stats.total);
  json["cases_per_s"] = stats.CasesPerSecond();
  nlohmann::ordered_json features = nlohmann::ordered_json::object();
  const double cases = static_cast<double>(std::max<int64_t>(stats.total.cases, 1));
  for (const FeatureInfo& info : Features()) {
    const std::string name(info.name);
    features[name] = static_cast<double>(stats.features.at(name)) / cases;
  }
  json["features"] = std::move(features);
  nlohmann::ordered_json families = nlohmann::ordered_json::object();
  for (const auto& [name, family] : stats.families) families[name] = FamilyToJson(family);
  json["families"] = std::move(families);
  json["drop_reasons"] = stats.drop_reasons;
  return json;
}

}  // namespace irate
