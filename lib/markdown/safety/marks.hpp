// The safety report of an item: what was found in it that is not meant for its readers, as a
// bounded list of marks. It reports and claims no safety.
#pragma once

#include <freshet/item.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

namespace mark_kind {
inline constexpr std::string_view hidden_text = "hidden_text",
                                  invisible_characters = "invisible_characters", bidi = "bidi",
                                  instruction_like = "instruction_like",
                                  remote_image = "remote_image";
}  // namespace mark_kind

/// Marks of an item, and how often a report has the same rule.
inline constexpr std::size_t most_marks = 16, most_marks_of_a_rule = 4;
/// Bytes of an excerpt.
inline constexpr std::size_t longest_excerpt = 160;

/// Collects marks within these bounds, each excerpt once.
class mark_list {
 public:
  /// The excerpt is cut to its bound, without line ends and characters that nobody sees.
  void add(std::string_view kind, std::string_view rule, std::string_view excerpt);
  /// The same with the words around bytes [begin, end) of a text.
  void add_around(std::string_view kind, std::string_view rule, std::string_view text,
                  std::size_t begin, std::size_t end);
  [[nodiscard]] bool empty() const noexcept { return marks_.empty(); }
  [[nodiscard]] const std::vector<safety_mark>& all() const noexcept { return marks_; }
  [[nodiscard]] std::vector<safety_mark> take() noexcept { return std::move(marks_); }

 private:
  std::vector<safety_mark> marks_;
};

/// Marks a text as it is shown: instructions, unseen characters, directions. True if it reads like
/// an instruction.
bool mark_text(std::string_view text, mark_list& marks);

/// Marks what reads like an instruction in words that a page hides.
void mark_hidden(std::string_view words, mark_list& marks);

/// Marks an item of any platform by its title, text, names, tags, the alt texts of its media, and
/// the texts of a value. A document that convert() made is marked already.
void mark_item(item& what);

/// A markdown text without the lines (paragraphs, items of lists, rows of tables) that read like an
/// instruction; `blocks`, where its blocks begin, go with it. Answers how many lines went.
std::size_t strip_instructions(std::string& markdown, std::vector<std::size_t>& blocks);

}  // namespace freshet::markdown
