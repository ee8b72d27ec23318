// "Preprocessing the input stream": one copy, in which CR LF and CR become LF.
#include <cstring>
#include <html/tokens/input_stream.hpp>
#include <html/tokens/scan.hpp>

namespace freshet::html {

input_stream make_input(std::string_view utf8, text_arena& arena, reached_limits& limits) {
  if (utf8.size() > max_input_bytes) {
    utf8 = utf8.substr(0, max_input_bytes);
    limits.note(limit::input);
  }
  char* const begin = arena.take(utf8.size() + scan_padding);
  char* to = begin;
  while (!utf8.empty()) {
    const auto* const found = static_cast<const char*>(std::memchr(utf8.data(), '\r', utf8.size()));
    const auto plain =
        found == nullptr ? utf8.size() : static_cast<std::size_t>(found - utf8.data());
    std::memcpy(to, utf8.data(), plain);
    to += plain;
    utf8.remove_prefix(plain);
    if (utf8.empty()) break;
    *to++ = '\n';
    utf8.remove_prefix(utf8.size() > 1 && utf8[1] == '\n' ? 2 : 1);
  }
  std::memset(to, 0, scan_padding);
  const auto size = static_cast<std::size_t>(to - begin);
  return {{begin, size}, size > 0 && std::memchr(begin, '\0', size) != nullptr};
}

}  // namespace freshet::html
