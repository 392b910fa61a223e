// Program text inside other formats. What is not UTF-8 becomes U+FFFD, so that the result is valid.
#pragma once

#include <string>
#include <string_view>

namespace irate {

// For element content and quoted attributes of HTML and XML; control characters but newline and tab
// become U+FFFD, which XML 1.0 has no other way to hold.
std::string EscapeMarkup(std::string_view text);

// A Markdown code block whose fence is longer than any in the text.
std::string MarkdownCode(std::string_view language, std::string_view text);
// One line in a table cell or a heading.
std::string MarkdownLine(std::string_view text);

}  // namespace irate
