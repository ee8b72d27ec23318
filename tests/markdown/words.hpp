// Words for the pages that the tests of markdown are made of, and looking for them in the answer.
#pragma once

#include <string>
#include <string_view>

namespace freshet::test {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::string times(std::string_view unit, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += unit;
  return out;
}

}  // namespace freshet::test
