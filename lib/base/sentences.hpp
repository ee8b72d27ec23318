// Where sentences begin and end, in any language: passages are made of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace freshet::base {

/// Bytes of a text, the end not included.
struct text_range {
  std::size_t begin = 0, end = 0;
};

/// A sentence that is longer is divided, between words where it has spaces.
inline constexpr std::size_t max_sentence_bytes = 1000;

/// Divides texts, one after another; for one thread. Throws std::bad_alloc.
class sentence_divider {
 public:
  sentence_divider();
  ~sentence_divider();
  sentence_divider(const sentence_divider&) = delete;
  sentence_divider& operator=(const sentence_divider&) = delete;

  /// Adds the sentences of text.substr(within.begin, within.end - within.begin), valid UTF-8, to
  /// `out`: those of UAX 29, without the white space around them. A full stop within a word
  /// ("example.org/?Q=1") ends none.
  void divide(std::string_view text, text_range within, std::vector<text_range>& out);

 private:
  struct rules;
  std::unique_ptr<rules> rules_;
};

/// Adds a range of valid UTF-8 without the white space around it, divided where it is longer than
/// max_sentence_bytes.
void add_divided(std::string_view text, text_range range, std::vector<text_range>& out);

}  // namespace freshet::base
