// What the tokenizer hands to the tree builder, one at a time in the same object.
#pragma once

#include <cstdint>
#include <html/document.hpp>
#include <html/tag.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace freshet::html {

enum class token_type : std::uint8_t {
  end_of_file,
  text,  ///< characters without NUL, as many as stand together
  nul,   ///< NUL characters, which the tree builder drops or replaces
  start_tag,
  end_tag,
  comment,
  doctype,
};

/// Views live as long as the page's arena. Only what belongs to the type is meaningful.
struct token {
  token_type type = token_type::end_of_file;
  tag_id tag = tag_id::other;
  bool self_closing = false;
  bool force_quirks = false;                          ///< of a doctype
  bool has_public_id = false, has_system_id = false;  ///< of a doctype
  std::string_view name;                              ///< of a tag or a doctype, lower case
  std::string_view text;                              ///< of text, NULs or a comment
  std::string_view public_id, system_id;              ///< of a doctype
  std::vector<attribute> attributes;                  ///< of a start tag

  /// The value of an attribute; nothing if the tag does not have it.
  [[nodiscard]] std::optional<std::string_view> value_of(std::string_view attribute_name) const {
    for (const attribute& one : attributes) {
      if (one.name == attribute_name) return one.value;
    }
    return std::nullopt;
  }
};

}  // namespace freshet::html
