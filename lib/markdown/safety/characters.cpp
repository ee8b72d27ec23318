// One pass: runs of unseen characters are measured, directions counted line by line.
#include <base/unicode.hpp>
#include <markdown/safety/characters.hpp>
#include <markdown/safety/unseen_text.hpp>

namespace freshet::markdown {

namespace {

/// A run of so many says something: text of tag letters is one from a few on, a bit a character
/// makes a letter of eight.
constexpr std::size_t least_tags = 4, least_zero_width = 6, least_selectors = 4,
                      least_soft_hyphens = 4;

enum class unseen { none, tag, zero_width, selector, soft_hyphen };

unseen kind_of(char32_t point) noexcept {
  if (point >= 0xE0020 && point <= 0xE007F) return unseen::tag;
  if (point >= 0xE0100 && point <= 0xE01EF) return unseen::selector;
  if (point >= 0xFE00 && point <= 0xFE0F) return unseen::selector;
  if (point == 0xAD) return unseen::soft_hyphen;
  const bool zero_width =
      (point >= 0x200B && point <= 0x200F) || (point >= 0x2060 && point <= 0x2065) ||
      point == 0xFEFF || point == 0x34F || point == 0x17B4 || point == 0x17B5 ||
      (point >= 0x180B && point <= 0x180F) || (point >= 0xFFF0 && point <= 0xFFFB) ||
      (point >= 0x1BCA0 && point <= 0x1BCA3) || (point >= 0x1D173 && point <= 0x1D17A);
  // These are a blank, and as many as somebody likes.
  const bool filler = point == 0x115F || point == 0x1160 || point == 0x3164 || point == 0xFFA0;
  return zero_width || filler ? unseen::zero_width : unseen::none;
}

struct run_rule {
  std::size_t least = 0;
  std::string_view rule;
};

run_rule rule_of(unseen kind) noexcept {
  switch (kind) {
    case unseen::tag:
      return {least_tags, "tag_characters.1"};
    case unseen::zero_width:
      return {least_zero_width, "zero_width_run.1"};
    case unseen::selector:
      return {least_selectors, "variation_selectors.1"};
    case unseen::soft_hyphen:
      return {least_soft_hyphens, "soft_hyphen_run.1"};
    default:
      return {};
  }
}

class character_reader {
 public:
  character_reader(std::string_view text, mark_list& marks) : text_(text), into_(marks) {}
  void read();

 private:
  void read_direction(char32_t point, std::size_t position);
  void end_run(std::size_t at);
  void end_line(std::size_t at);

  std::string_view text_;
  mark_list& into_;
  unseen run_ = unseen::none;
  std::size_t run_begin_ = 0, run_length_ = 0;
  char32_t before_run_ = 0, last_ = 0;
  std::string tag_text_;
  std::size_t line_ = 0, embeddings_ = 0, isolates_ = 0;
  bool varied_ = false;  ///< not all of the run is one character
  bool overridden_ = false, unbalanced_ = false;
};

void character_reader::read() {
  for (std::size_t at = 0; at < text_.size();) {
    const auto from = at;
    const auto point = base::next_point(text_, at);
    if (at <= from) at = from + 1;
    const auto kind = kind_of(point);
    if (kind != run_) {
      end_run(from);
      run_ = kind;
      run_begin_ = from;
      before_run_ = last_;
    }
    if (kind != unseen::none) varied_ |= ++run_length_ > 1 && point != last_;
    if (kind == unseen::tag && tag_text_.size() < longest_excerpt) {
      tag_text_ += static_cast<char>(point - 0xE0000);
    }
    if (point == '\n') end_line(from);
    read_direction(point, from);
    last_ = point;
  }
  end_run(text_.size());
  end_line(text_.size());
}

void character_reader::read_direction(char32_t point, std::size_t position) {
  switch (point) {
    case 0x202D:
    case 0x202E:
      if (!overridden_) into_.add_around(mark_kind::bidi, "override.1", text_, position, position);
      overridden_ = true;
      ++embeddings_;
      break;
    case 0x202A:
    case 0x202B:
      ++embeddings_;
      break;
    case 0x202C:
      if (embeddings_ > 0) --embeddings_;
      break;
    case 0x2066:
    case 0x2067:
    case 0x2068:
      ++isolates_;
      break;
    case 0x2069:
      if (isolates_ > 0) --isolates_;
      break;
    default:
      break;
  }
}

void character_reader::end_run(std::size_t at) {
  const auto [least, rule] = rule_of(run_);
  // A black flag and letters of tags are the flag of a country's part.
  constexpr char32_t black_flag = 0x1F3F4;
  const bool flag = run_ == unseen::tag && before_run_ == black_flag && run_length_ <= 8;
  // The same without a width again and again is an editor's mistake, and says nothing.
  const bool one_letter = run_ == unseen::zero_width && !varied_;
  if (run_ != unseen::none && run_length_ >= least && !flag && !one_letter) {
    if (run_ == unseen::tag) {
      into_.add(mark_kind::invisible_characters, rule, tag_text_);
    } else {
      into_.add_around(mark_kind::invisible_characters, rule, text_, run_begin_, at);
    }
  }
  run_length_ = 0;
  varied_ = false;
  tag_text_.clear();
}

void character_reader::end_line(std::size_t at) {
  // Where a line ends, so does what it has opened; a mark is worth what is left open in numbers.
  constexpr std::size_t least_open = 2;
  if (!unbalanced_ && embeddings_ + isolates_ >= least_open) {
    into_.add_around(mark_kind::bidi, "unbalanced.1", text_, line_, at);
    unbalanced_ = true;
  }
  embeddings_ = isolates_ = 0;
  line_ = at + 1;
}

}  // namespace

void mark_characters(std::string_view text, mark_list& marks) {
  if (!may_hold_unseen(text)) return;
  character_reader(text, marks).read();
}

}  // namespace freshet::markdown
