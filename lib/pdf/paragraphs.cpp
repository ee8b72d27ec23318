// A block's lines are parted where the type, the margin or an item's mark says so; what a column's
// or a page's end has parted is joined; headings are told by their size, or by being bold and
// short.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <pdf/paragraphs.hpp>
#include <set>
#include <utility>

namespace freshet::pdf {
namespace {

/// The weights of the judgement, in one place.
/// Sizes within this ratio are the same: small capitals and figures differ a little.
constexpr double same_size = 1.08;
/// A heading is larger than the text around it by this.
constexpr double heading_size = 1.15;
constexpr std::size_t longest_heading = 200;
/// A bold line of the text's own size is a heading if it is no longer than this.
constexpr std::size_t longest_bold_heading = 100;
/// A first line that is indented by this (of its size) begins a paragraph.
constexpr double indent = 0.8;
/// So does one after a gap of this, as a part of the line's height.
constexpr double gap = 0.8;
constexpr int deepest_heading = 6;
/// Numbers beyond are years and the like, not marks of items.
constexpr int largest_item = 199;

constexpr std::string_view bullets[] = {"•", "‣", "◦", "▪", "▫", "■", "□", "●",      "○",     "∙",
                                        "·", "–", "—", "-", "*", "➢", "✓", "\uF0B7", "\uF0A7"};
constexpr std::string_view soft_hyphen = "\u00AD";

bool is_bullet(std::string_view text) {
  return std::ranges::find(bullets, text) != std::end(bullets);
}

/// Whether `b` stands to the right of `a` on the same line.
bool is_beside(const box& a, const box& b) {
  const double shared = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return b.left >= a.right - 1 && shared > std::min(a.height(), b.height()) / 2;
}

void drop_soft_hyphens(std::string& from) {
  for (auto at = from.find(soft_hyphen); at != std::string::npos; at = from.find(soft_hyphen, at)) {
    from.erase(at, soft_hyphen.size());
  }
}

struct mark {
  paragraph_kind kind;
  int number = 0;
};

std::optional<mark> mark_of(const text_line& row) {
  if (row.words.size() < 2) return std::nullopt;
  const std::string_view first = row.words.front().text;
  if (is_bullet(first)) {
    return mark{paragraph_kind::bullet, 0};
  }
  if (first.size() < 2 || (first.back() != '.' && first.back() != ')')) return std::nullopt;
  const std::string_view digits =
      first.substr(first.front() == '(' ? 1 : 0, first.size() - (first.front() == '(' ? 2 : 1));
  const auto number = base::parse_number<int>(digits, 0, largest_item);
  if (!number) return std::nullopt;
  return mark{paragraph_kind::numbered, *number};
}

using letters_by_size = std::map<double, std::size_t>;

void count_letters(letters_by_size& letters, const std::vector<word>& words) {
  for (const word& each : words) letters[each.style.size] += each.text.size();
}

double most_frequent(const letters_by_size& letters) {
  const auto most = std::ranges::max_element(letters, {}, &letters_by_size::value_type::second);
  return most == letters.end() ? 0 : most->first;
}

/// The size of most letters.
double size_of(const std::vector<word>& words) {
  letters_by_size letters;
  count_letters(letters, words);
  return most_frequent(letters);
}

template <class Test>
bool all_of(const std::vector<word>& words, Test test) {
  return !words.empty() && std::ranges::all_of(words, test);
}

bool is_bold(const std::vector<word>& words) {
  return all_of(words, [](const word& each) { return each.style.bold; });
}

bool is_code(const text_line& row) {
  return all_of(row.words, [](const word& each) { return each.style.mono; });
}

bool is_same_size(double a, double b) { return a == b || (a < b * same_size && b < a * same_size); }

double body_size_of(const text_document& document, reading_meter& counted) {
  letters_by_size letters;
  for (const text_page& each : document.pages) {
    for (const text_block& part : each.blocks) {
      for (const text_line& row : part.lines) {
        counted.spend(1 + row.words.size());
        count_letters(letters, row.words);
      }
    }
  }
  letters.erase(0);
  return most_frequent(letters);
}

std::size_t length_of(const paragraph& of) {
  std::size_t total = 0;
  for (const word& each : of.words) total += each.text.size() + 1;
  return total;
}

/// A line of code with its spaces: as wide as its letters say.
word code_line(const text_line& row, double left) {
  word out = row.words.front();
  out.text.clear();
  double letters = 0, width = 0;
  for (const word& each : row.words) {
    letters += static_cast<double>(base::length(each.text));
    width += each.at.width();
  }
  const double letter = letters > 0 && width > 0 ? width / letters : 1;
  double at = left;
  constexpr double most_spaces = 200;
  for (const word& each : row.words) {
    const double spaces = std::clamp(std::round((each.at.left - at) / letter), 0.0, most_spaces);
    const std::size_t least = out.text.empty() ? 0 : 1;
    out.text.append(std::max(least, static_cast<std::size_t>(spaces)), ' ');
    out.text += each.text;
    at = each.at.right;
  }
  return out;
}

bool ends_in_letter(std::string_view text) {
  const auto c = static_cast<unsigned char>(text.empty() ? 0 : text.back());
  return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool begins_small(std::string_view text) {
  if (text.empty()) return false;
  const auto c = static_cast<unsigned char>(text.front());
  if (c < 0x80) return c >= 'a' && c <= 'z';
  std::size_t at = 0;
  const char32_t point = base::next_point(text, at);
  // Latin, Greek and Cyrillic in lower case, as far as these ranges have them in order.
  return (point >= 0xDF && point <= 0xFF) || (point >= 0x3B1 && point <= 0x3C9) ||
         (point >= 0x430 && point <= 0x45F);
}

/// Whether a word may begin a sentence: in ASCII, for others are not known to do so.
bool begins_large(std::string_view text) {
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

/// Takes the hyphen off a word at the end of a line if the next line goes on with it.
bool is_torn(std::string& last, const std::string& next) {
  if (last.ends_with(soft_hyphen)) {
    last.resize(last.size() - soft_hyphen.size());
    return true;
  }
  constexpr std::string_view hyphen = "\u2010";
  const std::size_t mark = last.ends_with('-') ? 1 : last.ends_with(hyphen) ? hyphen.size() : 0;
  if (mark == 0 || !begins_small(next)) return false;
  if (!ends_in_letter(std::string_view(last).substr(0, last.size() - mark))) return false;
  last.resize(last.size() - mark);
  return true;
}

void append_words(std::vector<word>& out, std::vector<word> more) {
  if (more.empty()) return;
  auto first = more.begin();
  if (!out.empty() && is_torn(out.back().text, first->text)) {
    out.back().text += first->text;
    ++first;
  }
  out.insert(out.end(), std::make_move_iterator(first), std::make_move_iterator(more.end()));
}

class paragraph_finder {
 public:
  paragraph_finder(const text_document& document, reading_meter& counted)
      : counted_(counted), body_(body_size_of(document, counted)) {
    for (const text_page& each : document.pages) {
      for (const text_block& part : each.blocks) {
        for (const text_line& row : part.lines) {
          counted_.spend(2 + row.words.size());
          if (!row.words.empty()) take(row, &row == &part.lines.front());
        }
      }
      fresh_page_ = true;
    }
  }

  std::vector<paragraph> finish() {
    if (lone_mark_) take_line(*lone_mark_, true);
    for (paragraph& each : found_) {
      counted_.spend(1 + each.words.size());
      for (word& one : each.words) drop_soft_hyphens(one.text);
    }
    find_headings();
    return std::move(found_);
  }

 private:
  /// A mark may come as a line of its own, beside the line that it belongs to.
  void take(const text_line& row, bool first_of_block) {
    const bool goes_with = lone_mark_ && is_beside(lone_mark_->at, row.at);
    if (lone_mark_ && !goes_with) take_line(*std::exchange(lone_mark_, std::nullopt), true);
    if (goes_with) {
      text_line whole = row;
      whole.words.insert(whole.words.begin(), lone_mark_->words.front());
      lone_mark_.reset();
      take_line(whole, first_of_block);
    } else if (row.words.size() == 1 && is_bullet(row.words.front().text)) {
      lone_mark_ = row;
    } else {
      take_line(row, first_of_block);
    }
  }

  void take_line(const text_line& row, bool first_of_block) {
    const double size = size_of(row.words);
    if (is_code(row)) {
      take_code(row, size);
    } else if (found_.empty() || begins(row, size, first_of_block)) {
      begin(row, size);
    } else {
      append_words(found_.back().words, row.words);
      found_.back().bold &= is_bold(row.words);
    }
    before_ = row.at;
    fresh_page_ = false;
  }

  void take_code(const text_line& row, double size) {
    const bool goes_on = !found_.empty() && found_.back().kind == paragraph_kind::code &&
                         is_same_size(found_.back().size, size);
    if (!goes_on) {
      found_.emplace_back();
      found_.back().kind = paragraph_kind::code;
      found_.back().size = size;
      code_left_ = row.at.left;
    }
    found_.back().words.push_back(code_line(row, std::min(code_left_, row.at.left)));
  }

  void begin(const text_line& row, double size) {
    paragraph fresh;
    fresh.size = size;
    fresh.bold = is_bold(row.words);
    fresh.words = row.words;
    const auto marked = mark_of(row);
    // A number before larger or bold type belongs to a heading.
    const bool heading = size > body_ * same_size || fresh.bold;
    if (marked && !(heading && marked->kind == paragraph_kind::numbered)) {
      fresh.kind = marked->kind;
      fresh.number = marked->number;
      fresh.words.erase(fresh.words.begin());
    }
    left_ = row.at.left;
    found_.push_back(std::move(fresh));
  }

  /// Whether a line begins a paragraph rather than going on with the last one.
  [[nodiscard]] bool begins(const text_line& row, double size, bool first_of_block) const {
    const paragraph& last = found_.back();
    if (last.kind == paragraph_kind::code || !is_same_size(last.size, size)) return true;
    if (mark_of(row) || last.words.empty()) return true;
    if (is_bold(row.words) != last.bold) return last.bold || first_of_block;
    if (is_beside(before_, row.at)) return false;                 // cells of a row
    const bool beside = fresh_page_ || row.at.top < before_.top;  // another page, another column
    const bool is_item = last.kind != paragraph_kind::text;
    if (beside) return !goes_on_after_break(last, row);
    if (row.at.top - before_.bottom > gap * row.at.height()) return true;
    if (first_of_block) {
      // An item's lines may come as blocks of their own: its mark stands apart from its text.
      if (is_item) return row.at.left <= left_ + 1;
      return ended(last) || begins_large(row.words.front().text);
    }
    if (is_item) return row.at.left < left_ - indent * size;
    return row.at.left > before_.left + indent * size && ended(last);
  }

  [[nodiscard]] static bool ended(const paragraph& last) {
    const std::string& text = last.words.back().text;
    constexpr std::string_view ends = ".!?:;\")]";
    return !text.empty() && ends.find(text.back()) != std::string_view::npos;
  }

  [[nodiscard]] bool goes_on_after_break(const paragraph& last, const text_line& row) const {
    if (last.words.back().text.empty() || last.bold || !is_same_size(last.size, body_))
      return false;
    const std::string& text = last.words.back().text;
    const bool torn = text.back() == '-' || text.ends_with(soft_hyphen);
    return begins_small(row.words.front().text) && (torn || !ended(last));
  }

  void find_headings() {
    std::set<double, std::greater<>> sizes;
    const auto is_large = [&](const paragraph& each) {
      return each.kind == paragraph_kind::text && body_ > 0 && each.size >= body_ * heading_size &&
             length_of(each) <= longest_heading;
    };
    for (const paragraph& each : found_) {
      if (is_large(each)) sizes.insert(each.size);
    }
    std::vector<double> steps;  // sizes that are all but the same share a level
    for (const double size : sizes) {
      if (steps.empty() || !is_same_size(steps.back(), size)) steps.push_back(size);
    }
    for (paragraph& each : found_) {
      counted_.spend(1 + each.words.size() + steps.size());
      const bool large = is_large(each);
      const bool bold = each.kind == paragraph_kind::text && each.bold && !each.words.empty() &&
                        length_of(each) <= longest_bold_heading && !ended(each) &&
                        is_same_size(each.size, body_);
      if (!large && !bold) continue;
      int level = 1;
      for (const double step : steps) {
        if (large && is_same_size(step, each.size)) break;
        ++level;
      }
      each.kind = paragraph_kind::heading;
      each.level = std::min(level, deepest_heading);
    }
  }

  reading_meter& counted_;
  double body_;
  std::vector<paragraph> found_;
  box before_;
  std::optional<text_line> lone_mark_;
  double left_ = 0, code_left_ = 0;
  bool fresh_page_ = false;
};

}  // namespace

std::vector<paragraph> find_paragraphs(const text_document& document, reading_meter& counted) {
  return paragraph_finder(document, counted).finish();
}

}  // namespace freshet::pdf
