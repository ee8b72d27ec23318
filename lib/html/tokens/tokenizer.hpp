// The tokenizer of the HTML standard (section 13.2.5), cut into runs instead of characters: its
// states are places in the code, but for those that the tree builder chooses. It builds nothing.
#pragma once

#include <array>
#include <html/arena.hpp>
#include <html/limits.hpp>
#include <html/tokens/input_stream.hpp>
#include <html/tokens/token.hpp>
#include <string>

namespace freshet::html {

/// Remembers the names of one tag's attributes, to find one that comes twice in constant time.
class attribute_names {
 public:
  void clear() noexcept;
  /// Whether `name` is new among `known`, of which all were given to this one by one.
  [[nodiscard]] bool add(const std::vector<attribute>& known, std::string_view name);

 private:
  /// Up to here looking through them is faster than hashing.
  static constexpr std::size_t few = 8;
  static constexpr std::size_t slots = 2 * max_attributes_per_element;
  struct entry {
    std::uint32_t round = 0, hash = 0, index = 0;
  };

  [[nodiscard]] bool insert(const std::vector<attribute>& known, std::string_view name,
                            std::size_t index);

  std::vector<entry> table_;
  std::uint32_t round_ = 0;
  bool hashed_ = false;
};

/// Reads one input from front to back, each byte a bounded number of times.
class tokenizer {
 public:
  /// The states in which the tree builder (or a test) may put it.
  enum class state : std::uint8_t { data, rcdata, rawtext, script_data, plaintext, cdata };

  tokenizer(const input_stream& input, text_arena& arena, reached_limits& limits);

  /// The next token. `foreign`: the adjusted current node is not an HTML element, so that <![CDATA[
  /// opens a section.
  void next(token& token, bool foreign);
  /// How what follows is read, until the end tag with the name of the last start tag, or of
  /// `outer`.
  void switch_to(state next, std::string_view outer = {}) noexcept {
    state_ = next;
    outer_tag_ = outer;
  }
  void set_last_start_tag(std::string_view name) noexcept { last_start_tag_ = name; }

 private:
  bool next_in_data(token& token, bool foreign);
  void next_in_raw(token& into);
  bool next_in_cdata(token& into);
  void read_text(token& into);
  bool read_markup(token& token, bool foreign);
  void finish_text(token& token, const char* begin, const char* end);

  // tokenizer_tag.cpp
  bool read_tag(token& token, const char* name, token_type type);
  void read_tag_name(token& token, const char* name);
  bool read_attributes(token& into);
  std::string_view read_attribute_name();
  bool read_attribute_value(std::string_view& into);
  std::string_view decode_value(const char* begin, const char* end);

  // tokenizer_raw.cpp
  [[nodiscard]] bool is_appropriate_end_tag(const char* at) const noexcept;
  [[nodiscard]] const char* end_of_raw_text(const char* at) const noexcept;
  [[nodiscard]] const char* end_of_script(const char* at) const noexcept;
  [[nodiscard]] std::string_view without_nul(std::string_view text);
  [[nodiscard]] std::string_view decoded(std::string_view text, bool in_attribute);

  // tokenizer_markup.cpp
  void read_comment(token& into);
  void read_bogus_comment(token& into);
  void read_doctype(token& into);
  void read_doctype_identifiers(token& into);
  bool read_quoted_identifier(std::string_view& out, bool& has, token& token);
  void read_bogus_doctype();
  [[nodiscard]] std::string_view lower_without_nul(std::string_view text);

  [[nodiscard]] std::string_view rest(const char* from) const noexcept {
    return {from, static_cast<std::size_t>(end_ - from)};
  }

  text_arena& arena_;
  reached_limits& limits_;
  const char* at_;
  const char* const end_;  ///< a NUL stands there
  const bool has_nul_;
  state state_ = state::data;
  std::string_view last_start_tag_;
  std::string_view outer_tag_;  ///< whose end tag ends what is read as text, too; "": none's
  std::string decoded_;         ///< text whose references are being replaced
  attribute_names names_;
};

/// What a byte may end, by the states of the standard that look for it.
enum char_class : std::uint8_t {
  space_class = 1,         ///< tab, line feed, form feed, space (no carriage return is left)
  tag_name_end = 2,        ///< space / > NUL
  attribute_name_end = 4,  ///< space / > = NUL
  unquoted_end = 8,        ///< space > & NUL
  upper_class = 16,        ///< A to Z
  letter_class = 32,       ///< A to Z, a to z
};

inline constexpr auto char_classes = [] {
  std::array<std::uint8_t, 256> made{};
  for (const char c : {'\t', '\n', '\f', ' '}) {
    made[static_cast<unsigned char>(c)] =
        space_class | tag_name_end | attribute_name_end | unquoted_end;
  }
  made[0] = tag_name_end | attribute_name_end | unquoted_end;
  made['/'] = tag_name_end | attribute_name_end;
  made['>'] = tag_name_end | attribute_name_end | unquoted_end;
  made['='] = attribute_name_end;
  made['&'] = unquoted_end;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) made[c] |= upper_class | letter_class;
  for (unsigned char c = 'a'; c <= 'z'; ++c) made[c] |= letter_class;
  return made;
}();

[[nodiscard]] inline bool is_class(char c, unsigned classes) noexcept {
  return (char_classes[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace freshet::html
