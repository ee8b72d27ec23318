// Collecting inline content. Marks are kept beside the text until the block ends, because whether a
// delimiter works depends on the character that follows it.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <markdown/writing/inline_text.hpp>

namespace freshet::markdown {

namespace {

bool is_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/// Bytes that text is collected in runs of: neither white space nor anything that may be markup.
constexpr auto ordinary = [] {
  std::array<bool, 256> made{};
  for (std::size_t c = 0x21; c < made.size(); ++c) {
    made[c] = markup_signs.find(static_cast<char>(c)) == std::string_view::npos;
  }
  return made;
}();

bool is_ordinary(char c) noexcept { return ordinary[static_cast<unsigned char>(c)]; }

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
  if (!unmarked_) return;
  unmarked_ = false;
  for (auto& span : open_) {
    if (span.mark != unwritten || span.ignored) continue;
    span.mark = marks_.size();
    marks_.push_back({text_.size(), span.kind, true, unwritten, {}});
  }
}

void inline_text::add_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_space(c)) {
      space_ = true;
      ++i;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20) {
      ++i;
      continue;
    }
    before_content();
    std::size_t end = i;
    while (end < text.size() && is_ordinary(text[end])) ++end;
    if (end == i) {
      plain_.push_back(static_cast<std::uint32_t>(text_.size()));
      ++end;
    }
    text_ += text.substr(i, end - i);
    i = end;
  }
}

void inline_text::add_markdown(std::string_view markdown) {
  if (markdown.empty()) return;
  before_content();
  has_code_ |= markdown.find('`') != std::string_view::npos;
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

void inline_text::drop_breaks() noexcept {
  while (ends_with_break()) text_.pop_back();
}

void inline_text::open(span_kind kind, std::string close_with) {
  open_span fresh{kind, std::move(close_with)};
  // Bold in bold is bold; a link in a link cannot be.
  fresh.ignored =
      std::ranges::any_of(open_, [&](const open_span& one) { return one.kind == kind; });
  spend(1 + open_.size() / 4);
  open_.push_back(std::move(fresh));
  unmarked_ = true;
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

/// No-break spaces at the edges of a span stand outside of it, as other spaces do.
void inline_text::trim_spans() {
  constexpr std::string_view no_break = "\xC2\xA0";
  for (auto& begin : marks_) {
    if (!begin.opens || begin.dropped || begin.mate == unwritten) continue;
    auto& end = marks_[begin.mate];
    const std::string_view text = text_;
    while (begin.at < end.at && text.substr(begin.at, end.at - begin.at).starts_with(no_break)) {
      begin.at += no_break.size();
    }
    while (begin.at < end.at) {
      const auto inside = text.substr(begin.at, end.at - begin.at);
      if (inside.ends_with(no_break)) {
        end.at -= no_break.size();
      } else if (inside.ends_with(' ')) {
        --end.at;
      } else {
        break;
      }
    }
    if (begin.at == end.at) begin.dropped = end.dropped = true;
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

/// Whether the delimiter of marks_[index] flanks what it should: `opens` what follows it, else what
/// stands before it. Other marks at the same place are punctuation, those of its own sign are one
/// run with it. Both with tildes and looking through them, as cmark-gfm does.
bool inline_text::flanks(std::size_t index, bool opens) const {
  const auto at = marks_[index].at;
  const auto is_other = [&](std::size_t other, bool& stop) {
    const auto& one = marks_[other];
    stop = one.at != at;
    if (stop || one.dropped) return false;
    return one.kind == span_kind::link || one.kind == span_kind::strike ||
           marks_[index].kind == span_kind::strike || one.instead != nullptr;
  };
  bool mark_before = false, mark_after = false, stop = false;
  for (std::size_t i = index; i > 0 && !stop && !mark_before; --i)
    mark_before = is_other(i - 1, stop);
  stop = false;
  for (std::size_t i = index + 1; i < marks_.size() && !stop && !mark_after; ++i) {
    mark_after = is_other(i, stop);
  }
  const auto fits = [&](std::size_t before, std::size_t behind) {
    const auto sides = flanks_between(text_, before, behind, mark_before, mark_after);
    return opens ? sides.left : sides.right;
  };
  if (!fits(at, at)) return false;
  const auto before = before_tildes(text_, at), behind = behind_tildes(text_, at);
  spend((behind - before) / 4);
  return fits(before, behind);
}

void inline_text::choose_delimiters() {
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    auto& begin = marks_[i];
    if (!begin.opens || begin.dropped || begin.mate == unwritten) continue;
    if (begin.kind == span_kind::link) continue;
    auto& end = marks_[begin.mate];
    if (!flanks(i, true) || !flanks(begin.mate, false)) {
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

std::vector<std::uint32_t> inline_text::escapes(bool escape_lines) const {
  std::vector<written_mark> marks;
  if (!plain_.empty()) {
    for (const auto& one : marks_) {
      if (one.dropped) continue;
      const char sign = one.kind == span_kind::link     ? '['
                        : one.instead != nullptr        ? '<'
                        : one.kind == span_kind::strike ? '~'
                        : one.underscore                ? '_'
                                                        : '*';
      marks.push_back({one.at, sign, one.opens});
    }
  }
  auto places =
      places_to_escape({text_, plain_, marks, has_code_, escape_lines, where_, false, counted_});
  if (!escape_lines) return places;
  const std::string_view text = text_;
  std::vector<std::uint32_t> starts;
  std::size_t next = 0;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find(break_char, from), text.size());
    while (next < marks_.size() && (marks_[next].at < from || marks_[next].dropped)) ++next;
    // A line that begins with a delimiter begins with no marker.
    if (next >= marks_.size() || marks_[next].at != from) {
      const auto escape = line_start_escape(text.substr(from, end - from), from != 0);
      if (escape != std::string_view::npos) {
        starts.push_back(static_cast<std::uint32_t>(from + escape));
      }
    }
    from = end + 1;
  }
  if (starts.empty()) return places;
  std::vector<std::uint32_t> all;
  std::set_union(places.begin(), places.end(), starts.begin(), starts.end(),
                 std::back_inserter(all));
  return all;
}

std::string inline_text::join(std::string_view line_break, bool escape_lines) const {
  const auto places = escapes(escape_lines);
  std::string out;
  out.reserve(text_.size() + places.size() + 4 * marks_.size());
  const auto write_mark = [&](const mark& one) {
    if (one.dropped) return;
    if (one.kind == span_kind::link) {
      out += one.opens ? "[" : one.text;
    } else if (one.instead != nullptr) {
      out += one.instead;
    } else if (one.kind == span_kind::emphasis) {
      out += one.underscore ? "_" : "*";
    } else {
      out += one.kind == span_kind::strong ? "**" : "~~";
    }
  };
  // From one place where something happens to the next.
  std::size_t at = 0, next_mark = 0, next_place = 0;
  while (true) {
    while (next_mark < marks_.size() && marks_[next_mark].at <= at) write_mark(marks_[next_mark++]);
    if (next_place < places.size() && places[next_place] == at) {
      out += '\\';
      ++next_place;
    }
    if (at >= text_.size()) break;
    std::size_t to = text_.size();
    if (next_mark < marks_.size()) to = std::min(to, marks_[next_mark].at);
    if (next_place < places.size()) to = std::min<std::size_t>(to, places[next_place]);
    if (text_[at] == break_char) {
      out += line_break;
      ++at;
      continue;
    }
    const auto* const found =
        static_cast<const char*>(std::memchr(text_.data() + at, break_char, to - at));
    if (found != nullptr) to = static_cast<std::size_t>(found - text_.data());
    out.append(text_, at, to - at);
    at = to;
  }
  return out;
}

std::string inline_text::take(std::string_view line_break, bool escape_lines) {
  drop_breaks();
  for (std::size_t i = open_.size(); i > 0; --i) end_span(open_[i - 1]);
  unmarked_ = !open_.empty();
  spend(1 + text_.size() / 4 + marks_.size() + open_.size() / 4);
  for (auto& one : marks_) one.at = std::min(one.at, text_.size());
  trim_spans();
  merge_adjacent();
  choose_delimiters();
  std::string out = join(line_break, escape_lines);
  text_.clear();
  plain_.clear();
  has_code_ = false;
  marks_.clear();
  space_ = false;
  linked_end_ = unwritten;
  return out;
}

}  // namespace freshet::markdown
