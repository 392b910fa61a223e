#include "triage/escape.h"

#include <algorithm>
#include <cstdint>

#include "fmt/format.h"

namespace irate {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of a well-formed character at the front (RFC 3629); 0 if there is none.
size_t CharacterLength(std::string_view text) {
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || text.size() < length) return 0;
  uint32_t code = lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool noncharacter = code == 0xFFFE || code == 0xFFFF;  // not in XML
  return overlong || surrogate || noncharacter || code > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string EscapeMarkup(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    const unsigned char c = static_cast<unsigned char>(text[0]);
    if (length == 0 || (length == 1 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
      if (c != '\r') result += kReplacement;
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

std::string MarkdownCode(std::string_view language, std::string_view text) {
  size_t longest = 2;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && text[end] == '`') ++end;
    longest = std::max(longest, end - i);
    i = std::max(end, i + 1);
  }
  const std::string fence(longest + 1, '`');
  const bool ends = text.ends_with('\n');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text, ends ? "" : "\n", fence);
}

std::string MarkdownLine(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      result.push_back(' ');
    } else if (c == '|' || c == '<' || c == '`' || c == '*' || c == '\\' || c == '[') {
      result += {'\\', c};
    } else {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace irate
