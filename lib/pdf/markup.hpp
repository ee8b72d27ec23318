// A reader of the simple markup that poppler's programs write: tags, attributes, text, one after
// the other. It builds no tree and knows no document type.
#pragma once

#include <string>
#include <string_view>

namespace freshet::pdf {

/// Reads `text` from front to back. Views into it.
class markup_reader {
 public:
  explicit markup_reader(std::string_view text) : text_(text) {}

  /// Goes to the next tag or piece of text; false at the end.
  bool next();

  [[nodiscard]] bool is_text() const noexcept { return is_text_; }
  /// The name of a tag: "page", "/page".
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  /// The text between two tags, decoded.
  [[nodiscard]] std::string text() const;
  /// How many bytes it has.
  [[nodiscard]] std::size_t size() const noexcept { return inside_.size(); }
  /// An attribute of the tag, decoded; "" if it has none of that name.
  [[nodiscard]] std::string attribute(std::string_view name) const;
  /// The same as a number; 0 if it is none.
  [[nodiscard]] double number(std::string_view name) const;

 private:
  std::string_view text_, name_, inside_;
  bool is_text_ = false;
};

/// Text with its five special characters as references.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace freshet::pdf
