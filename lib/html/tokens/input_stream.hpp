// The input as the tokenizer sees it: newlines normalised, cut to the largest size, with the
// padding that scanning needs. It decodes nothing: the bytes are UTF-8 already, or pass as they
// are.
#pragma once

#include <html/arena.hpp>
#include <html/limits.hpp>
#include <string_view>

namespace freshet::html {

struct input_stream {
  std::string_view text;  ///< in the arena; a NUL and more padding follow it
  bool has_nul = false;   ///< the text itself holds a NUL
};

[[nodiscard]] input_stream make_input(std::string_view utf8, text_arena& arena,
                                      reached_limits& limits);

}  // namespace freshet::html
