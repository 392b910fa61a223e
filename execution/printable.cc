#include "execution/printable.h"

#include <algorithm>

namespace irate {

std::string Printable(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return (c < ' ' || c > '~') && c != '\n' && c != '\t'; }, '?');
  return result;
}

}  // namespace irate
