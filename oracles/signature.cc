#include <cctype>
#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "oracles/oracle.h"

namespace irate {
namespace {

// A folder name that stays well under the file systems' 255 bytes.
constexpr size_t kMaxPart = 72;

// FNV-1a: equal on every machine, which std::hash is not.
uint32_t Hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

bool IsSafe(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
}

// Letters, digits, '.', '_'; a run of anything else is one '-'. Where that or a cut loses more than
// white space, a hash of the whole keeps two texts apart.
std::string FileNamePart(std::string_view text) {
  std::string result;
  bool lost = false;
  for (const char c : text) {
    if (IsSafe(c)) {
      result.push_back(c);
      continue;
    }
    if (c != ' ' && c != '-') lost = true;
    if (!result.empty() && result.back() != '-') result.push_back('-');
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  if (result.size() > kMaxPart) {
    result.resize(kMaxPart);
    lost = true;
  }
  return lost ? fmt::format("{}-{:08x}", result, Hash(text)) : result;
}

}  // namespace

std::string MakeSignature(const Finding& finding) {
  const std::string culprit = absl::StrReplaceAll(
      absl::StrReplaceAll(finding.culprit(), {{".transform.", "."}}), {{"::", "."}});
  const std::string shape = absl::StrReplaceAll(finding.shape(), {{"::", "."}});
  std::string signature;
  for (std::string_view part :
       {std::string_view(finding.oracle()), std::string_view(finding.target()),
        std::string_view(culprit), std::string_view(shape)}) {
    if (part.empty()) continue;
    if (!signature.empty()) signature.push_back('-');
    signature += FileNamePart(part);
  }
  return signature;
}

}  // namespace irate
