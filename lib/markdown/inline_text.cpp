// Collecting inline content. Marks are kept beside the text until the block ends, because whether a
// delimiter works depends on the character that follows it.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/inline_text.hpp>

namespace freshet::markdown {

namespace {

/// Stands for a hard break inside text_; cannot occur in a page's text.
constexpr char break_char = '\x01';

bool is_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/// What CommonMark takes for punctuation; of what is beyond ASCII, the usual marks.
bool is_punctuation_before(std::string_view text) {
  if (text.empty()) return false;
  const char c = text.back();
  if (static_cast<unsigned char>(c) < 0x80) return is_ascii_punctuation(c);
  if (text.size() < 3) return false;
  const auto last = text.substr(text.size() - 3);
  return last.starts_with("\xE2\x80") || last.starts_with("\xE3\x80") ||
         last.starts_with("\xEF\xBC") || last.starts_with("\xEF\xBD");
}

bool is_punctuation_after(std::string_view text) {
  if (text.empty()) return false;
  if (static_cast<unsigned char>(text[0]) < 0x80) return is_ascii_punctuation(text[0]);
  return text.starts_with("\xE2\x80") || text.starts_with("\xE3\x80") ||
         text.starts_with("\xEF\xBC") || text.starts_with("\xEF\xBD") ||
         text.starts_with("\xC2\xAB") || text.starts_with("\xC2\xBB");
}

bool is_space_before(std::string_view text) {
  return text.empty() || is_space(text.back()) || text.back() == break_char ||
         text.ends_with("\xC2\xA0") || text.ends_with("\xE3\x80\x80");
}

bool is_space_after(std::string_view text) {
  return text.empty() || is_space(text[0]) || text[0] == break_char ||
         text.starts_with("\xC2\xA0") || text.starts_with("\xE3\x80\x80");
}

const char* tag_of(span_kind kind, bool opens) noexcept {
  switch (kind) {
    case span_kind::emphasis:
      return opens ? "<em>" : "</em>";
    case span_kind::strong:
      return opens ? "<strong>" : "</strong>";
    default:
      return opens ? "<del>" : "</del>";
  }
}

}  // namespace

void inline_text::before_content() {
  if (space_ && !text_.empty() && text_.back() != break_char && text_.back() != ' ') text_ += ' ';
  space_ = false;
  for (auto& span : open_) {
    if (span.mark != unwritten || span.ignored) continue;
    span.mark = marks_.size();
    if (span.kind == span_kind::link && !text_.empty() && text_.back() == '!') {
      // "!" right before a link would make it a picture.
      text_.insert(text_.size() - 1, 1, '\\');
      for (auto one = marks_.rbegin(); one != marks_.rend() && one->at + 1 >= text_.size(); ++one) {
        ++one->at;
      }
    }
    marks_.push_back({text_.size(), span.kind, true, unwritten, {}});
  }
}

void inline_text::add_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_space(c)) {
      space_ = true;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20) continue;
    const bool at_start = text_.empty() || text_.back() == break_char;
    const char before = at_start ? '\n' : space_ ? ' ' : text_.back();
    before_content();
    char after = i + 1 < text.size() ? text[i + 1] : '\0';
    if (is_space(after)) after = ' ';
    append_escaped(text_, c, before, after, text.substr(i), where_);
  }
}

void inline_text::add_markdown(std::string_view markdown) {
  if (markdown.empty()) return;
  before_content();
  text_ += markdown;
}

void inline_text::add_break() {
  space_ = false;
  if (text_.empty()) return;
  text_ += break_char;
}

bool inline_text::ends_with_break() const noexcept {
  return !text_.empty() && text_.back() == break_char;
}

void inline_text::open(span_kind kind, std::string close_with) {
  open_span fresh{kind, std::move(close_with)};
  // Bold in bold is bold; a link in a link cannot be.
  fresh.ignored = std::any_of(open_.begin(), open_.end(),
                              [&](const open_span& one) { return one.kind == kind; });
  open_.push_back(std::move(fresh));
}

void inline_text::end_span(open_span& span) {
  if (span.mark == unwritten || span.ignored) return;
  mark end{text_.size(), span.kind, false, span.mark, span.close_with};
  // A break at the end of a span belongs behind it.
  while (end.at > marks_[span.mark].at && text_[end.at - 1] == break_char) --end.at;
  marks_[span.mark].mate = marks_.size();
  if (end.at == marks_[span.mark].at) end.dropped = marks_[span.mark].dropped = true;
  marks_.push_back(std::move(end));
  span.mark = unwritten;
}

void inline_text::close(span_kind kind) {
  for (std::size_t i = open_.size(); i > 0; --i) {
    if (open_[i - 1].kind != kind) continue;
    end_span(open_[i - 1]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    return;
  }
}

/// <b>a</b><b>b</b> is one bold text: "****" between them would not be read.
void inline_text::merge_adjacent() {
  for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
    auto& end = marks_[i];
    auto& begin = marks_[i + 1];
    if (end.opens || !begin.opens || end.dropped || begin.dropped) continue;
    if (end.kind != begin.kind || end.kind == span_kind::link || end.at != begin.at) continue;
    if (begin.mate == unwritten) continue;
    end.dropped = begin.dropped = true;
    marks_[end.mate].mate = begin.mate;
    marks_[begin.mate].mate = end.mate;
  }
}

bool inline_text::can_open(const mark& one) const {
  const auto before = std::string_view(text_).substr(0, one.at);
  const auto after = std::string_view(text_).substr(one.at);
  if (is_space_after(after)) return false;
  return !is_punctuation_after(after) || is_space_before(before) || is_punctuation_before(before);
}

bool inline_text::can_close(const mark& one) const {
  const auto before = std::string_view(text_).substr(0, one.at);
  const auto after = std::string_view(text_).substr(one.at);
  if (is_space_before(before)) return false;
  return !is_punctuation_before(before) || is_space_after(after) || is_punctuation_after(after);
}

void inline_text::choose_delimiters() {
  // What a delimiter touches may be another mark: those that write '[' or ']' count as punctuation,
  // which only helps, so they are left out of the test on purpose.
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    auto& begin = marks_[i];
    if (!begin.opens || begin.dropped || begin.mate == unwritten) continue;
    if (begin.kind == span_kind::link) continue;
    auto& end = marks_[begin.mate];
    if (!can_open(begin) || !can_close(end)) {
      begin.instead = tag_of(begin.kind, true);
      end.instead = tag_of(begin.kind, false);
      continue;
    }
    if (begin.kind != span_kind::emphasis) continue;
    const auto touches = [&](std::size_t other, std::size_t at, bool opens) {
      return other < marks_.size() && marks_[other].at == at && !marks_[other].dropped &&
             marks_[other].opens == opens && marks_[other].kind == span_kind::strong;
    };
    const bool strong_around =
        (i > 0 && touches(i - 1, begin.at, false)) || touches(begin.mate + 1, end.at, true);
    begin.underscore = end.underscore = strong_around;
  }
}

std::string inline_text::join(std::string_view line_break, bool escape_lines) const {
  std::string out;
  std::size_t next = 0;
  const auto write_marks = [&](std::size_t at) {
    for (; next < marks_.size() && marks_[next].at <= at; ++next) {
      const auto& one = marks_[next];
      if (one.dropped) continue;
      if (one.kind == span_kind::link) {
        out += one.opens ? "[" : one.text;
      } else if (one.instead != nullptr) {
        out += one.instead;
      } else if (one.kind == span_kind::emphasis) {
        out += one.underscore ? "_" : "*";
      } else {
        out += one.kind == span_kind::strong ? "**" : "~~";
      }
    }
  };
  const std::string_view text = text_;
  std::size_t escape_at = std::string_view::npos;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool line_start = i == 0 || text_[i - 1] == break_char;
    const std::size_t before = out.size();
    write_marks(i);
    // A line that begins with a delimiter begins with no marker.
    if (escape_lines && line_start && out.size() == before) {
      const auto line = text.substr(i, std::min(text.find(break_char, i), text.size()) - i);
      const auto escape = line_start_escape(line, i != 0);
      escape_at = escape == std::string_view::npos ? escape : i + escape;
    }
    if (i == escape_at) out += '\\';
    if (text_[i] == break_char) {
      out += line_break;
    } else {
      out += text_[i];
    }
  }
  write_marks(text_.size());
  return out;
}

std::string inline_text::take(std::string_view line_break, bool escape_lines) {
  while (!text_.empty() && text_.back() == break_char) text_.pop_back();
  for (std::size_t i = open_.size(); i > 0; --i) end_span(open_[i - 1]);
  for (auto& one : marks_) one.at = std::min(one.at, text_.size());
  merge_adjacent();
  choose_delimiters();
  std::string out = join(line_break, escape_lines);
  text_.clear();
  marks_.clear();
  space_ = false;
  return out;
}

}  // namespace freshet::markdown
