#include "ir/index_map.h"

#include <charconv>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

constexpr int kMaxInputs = 32;

std::string PrintTerm(const IndexTerm& term) {
  if (term.input < 0) return fmt::format("{}", term.scale);
  std::string text = fmt::format("i{}", term.input);
  if (term.divisor != 1) text += fmt::format(" // {}", term.divisor);
  if (term.modulus != 0) text += fmt::format(" % {}", term.modulus);
  if (term.scale != 1) text += fmt::format(" * {}", term.scale);
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool Take(std::string_view token) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool TakeNumber(int64_t* value) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *value);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }

  bool AtEnd() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return rest_.empty();
  }

  absl::Status Expected(std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("expected {} before \"{}\" in an index map", what, rest_));
  }

 private:
  std::string_view rest_;
};

absl::StatusOr<IndexTerm> ReadTerm(Reader* reader, int inputs) {
  IndexTerm term;
  int64_t value = 0;
  if (!reader->Take("i")) {
    if (!reader->TakeNumber(&term.scale)) return reader->Expected("an input or a number");
    return term;
  }
  if (!reader->TakeNumber(&value) || value < 0 || value >= inputs) {
    return reader->Expected("the number of an input");
  }
  term.input = static_cast<int>(value);
  if (reader->Take("//") && (!reader->TakeNumber(&term.divisor) || term.divisor < 1)) {
    return reader->Expected("a positive divisor");
  }
  if (reader->Take("%") && (!reader->TakeNumber(&term.modulus) || term.modulus < 1)) {
    return reader->Expected("a positive modulus");
  }
  if (reader->Take("*") && !reader->TakeNumber(&term.scale)) {
    return reader->Expected("a number");
  }
  return term;
}

}  // namespace

std::string PrintIndexMapOutputs(const IndexMap& map) {
  std::string text;
  for (const std::vector<IndexTerm>& output : map.outputs) {
    if (!text.empty()) text += ", ";
    for (size_t i = 0; i < output.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : " + ", PrintTerm(output[i]));
    }
  }
  return text;
}

std::string PrintIndexMap(const IndexMap& map) {
  std::string text;
  for (int i = 0; i < map.inputs; ++i) text += fmt::format("{}i{}", i == 0 ? "" : ", ", i);
  return fmt::format("{} -> {}", text, PrintIndexMapOutputs(map));
}

absl::StatusOr<IndexMap> ParseIndexMap(std::string_view text) {
  Reader reader(text);
  IndexMap map;
  do {
    int64_t number = 0;
    if (!reader.Take("i") || !reader.TakeNumber(&number) || number != map.inputs ||
        number >= kMaxInputs) {
      return reader.Expected(fmt::format("i{}", map.inputs));
    }
    ++map.inputs;
  } while (reader.Take(","));
  if (!reader.Take("->")) return reader.Expected("\"->\"");
  do {
    std::vector<IndexTerm> output;
    do {
      IRATE_ASSIGN_OR_RETURN(IndexTerm term, ReadTerm(&reader, map.inputs));
      output.push_back(term);
    } while (reader.Take("+"));
    map.outputs.push_back(std::move(output));
  } while (reader.Take(","));
  if (!reader.AtEnd()) return reader.Expected("the end");
  return map;
}

}  // namespace irate
