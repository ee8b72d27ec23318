// The inline content of one block while it is collected: text, code, links, emphasis. Spaces at the
// edges of emphasis and links move outside, empty ones vanish, and every delimiter is checked
// against CommonMark's flanking rules before it is written.
#pragma once

#include <base/work.hpp>
#include <cstdint>
#include <markdown/writing/escape.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

enum class span_kind : std::uint8_t { emphasis, strong, strike, link };

class inline_text {
 public:
  void set_context(escape_context where) noexcept { where_ = where; }
  /// Counts the work on what is collected, if there is a meter.
  void count_on(base::meter* counted) noexcept { counted_ = counted; }

  /// Text of the page: white space collapses, markup is escaped.
  void add_text(std::string_view text);
  /// Markdown as it is: a code span, an image, a formula, a tag.
  void add_markdown(std::string_view markdown);
  void add_break();
  void add_space() noexcept { space_ = !text_.empty() || space_; }

  void open(span_kind kind, std::string close_with = {});
  void close(span_kind kind);

  /// What was added last is the end of a link.
  void end_linked() noexcept { linked_end_ = text_.size(); }
  /// What was added so far if that still is so, and no space follows; else "".
  [[nodiscard]] std::string_view linked_end() const noexcept {
    return !space_ && linked_end_ == text_.size() ? std::string_view(text_) : std::string_view();
  }

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  [[nodiscard]] bool ends_with_break() const noexcept;
  /// Takes back the breaks at the end.
  void drop_breaks() noexcept;
  /// The block's markdown, escaped for the start of its lines; what is open goes on in the next
  /// block. With `one_line`, breaks are what `line_break` says.
  [[nodiscard]] std::string take(std::string_view line_break, bool escape_lines);

 private:
  struct open_span {
    span_kind kind;
    std::string close_with;
    std::size_t mark = unwritten;
    bool ignored = false;
  };
  struct mark {
    std::size_t at;  ///< in text_
    span_kind kind;
    bool opens;
    std::size_t mate;
    std::string text;  ///< of the end of a link
    bool dropped = false;
    const char* instead = nullptr;  ///< an HTML tag where a delimiter would not work
    bool underscore = false;
  };
  static constexpr std::size_t unwritten = static_cast<std::size_t>(-1);

  void before_content();
  void spend(std::uint64_t steps) const {
    if (counted_ != nullptr) counted_->spend(steps);
  }
  void end_span(open_span& span);
  void trim_spans();
  void merge_adjacent();
  void choose_delimiters();
  [[nodiscard]] bool flanks(std::size_t index, bool opens) const;
  [[nodiscard]] std::vector<std::uint32_t> escapes(bool escape_lines) const;
  [[nodiscard]] std::string join(std::string_view line_break, bool escape_lines) const;

  std::string text_;  ///< a break is break_char; text of the page is not escaped yet
  std::vector<std::uint32_t> plain_;  ///< where bytes stand that may have to be
  bool has_code_ = false;
  std::vector<mark> marks_;
  std::vector<open_span> open_;
  escape_context where_;
  base::meter* counted_ = nullptr;
  bool unmarked_ = false;  ///< a span is open whose beginning has no mark yet
  bool space_ = false;
  std::size_t linked_end_ = unwritten;
};

}  // namespace freshet::markdown
