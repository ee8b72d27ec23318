// Marks are few and short, whatever a page holds: a report that can be filled up is no report, so
// that no rule takes more than its share of it.
#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <markdown/safety/characters.hpp>
#include <markdown/safety/instructions.hpp>
#include <markdown/safety/marks.hpp>
#include <markdown/safety/unseen_text.hpp>

namespace freshet::markdown {

namespace {

/// Bytes before a place that its excerpt shows, too.
constexpr std::size_t shown_before = 40;

bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// At most so many bytes, never cutting a character in two.
std::string_view cut(std::string_view text, std::size_t most) noexcept {
  if (text.size() <= most) return text;
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

}  // namespace

void mark_list::add(std::string_view kind, std::string_view rule, std::string_view excerpt) {
  if (marks_.size() >= most_marks) return;
  const auto same = std::ranges::count_if(
      marks_, [&](const safety_mark& one) { return one.kind == kind && one.rule == rule; });
  if (static_cast<std::size_t>(same) >= most_marks_of_a_rule) return;
  // Before it is cleaned it may be longer: unseen characters are left out of it.
  constexpr std::size_t most_raw = 4 * longest_excerpt;
  auto seen = base::collapse_spaces(base::repair_utf8(without_unseen(cut(excerpt, most_raw))));
  seen = cut(seen, longest_excerpt);
  const bool known = std::ranges::any_of(marks_, [&](const safety_mark& one) {
    return one.kind == kind && one.rule == rule && one.excerpt == seen;
  });
  if (!known) marks_.push_back({std::string(kind), std::string(rule), std::move(seen)});
}

void mark_list::add_around(std::string_view kind, std::string_view rule, std::string_view text,
                           std::size_t begin, std::size_t end) {
  auto from = begin > shown_before ? begin - shown_before : 0;
  while (from < begin && continues(text[from])) ++from;
  // From the beginning of a word, and of the line.
  if (const auto line = text.substr(from, begin - from).rfind('\n');
      line != std::string_view::npos) {
    from += line + 1;
  } else if (from > 0) {
    const auto space = text.substr(from, begin - from).find(' ');
    if (space != std::string_view::npos) from += space + 1;
  }
  const auto to = std::min(text.find('\n', std::min(end, text.size())), text.size());
  add(kind, rule, text.substr(from, std::max(to, begin) - from));
}

bool mark_text(std::string_view text, mark_list& marks) {
  mark_characters(text, marks);
  const auto found = find_instructions(text, most_marks);
  for (const auto& one : found) {
    marks.add_around(mark_kind::instruction_like, one.rule, text, one.begin, one.end);
  }
  return !found.empty();
}

void mark_hidden(std::string_view words, mark_list& marks) {
  for (const auto& one : find_instructions(words, most_marks)) {
    marks.add_around(mark_kind::hidden_text, one.rule, words, one.begin, one.end);
  }
}

namespace {

/// One of many short texts: most are words.
void mark_short(std::string_view text, mark_list& marks) {
  constexpr std::size_t least_of_an_instruction = 10;
  if (text.size() >= least_of_an_instruction) mark_text(text, marks);
}

/// The texts of a JSON value, in their order; names are the caller's.
void mark_value(std::string_view json, mark_list& marks) {
  if (json.empty()) return;
  const auto read = base::parse_json(json);
  if (!read) return;
  std::vector<const base::json::value*> open{&*read};
  while (!open.empty()) {
    const auto& one = *open.back();
    open.pop_back();
    if (one.is_string()) mark_short(base::view_of(one), marks);
    const auto before = open.size();
    for (const auto& each : base::array_of(one)) open.push_back(&each);
    for (const auto& each : base::object_of(one)) open.push_back(&each.value());
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
  }
}

/// What items of one kind alone say.
template <class Item>
void mark_own(const Item& one, mark_list& marks) {
  if constexpr (requires { one.display_name; }) mark_text(one.display_name, marks);
  if constexpr (requires { one.site_name; }) mark_text(one.site_name, marks);
  if constexpr (requires { one.category; }) mark_text(one.category, marks);
  if constexpr (requires { one.authors; }) {
    for (const auto& each : one.authors) mark_text(each.display_name, marks);
  }
  if constexpr (requires { one.value; }) mark_value(one.value.text, marks);
}

}  // namespace

void mark_item(item& what) {
  if (std::holds_alternative<document>(what)) return;
  auto& shared = common(what);
  mark_list found;
  mark_text(shared.title, found);
  mark_text(shared.text, found);
  mark_text(shared.author.display_name, found);
  for (const auto& one : shared.media) mark_text(one.alt, found);
  for (const auto& one : shared.tags) mark_short(one, found);
  std::visit([&](const auto& one) { mark_own(one, found); }, what);
  shared.safety = found.take();
}

std::size_t strip_instructions(std::string& markdown, std::vector<std::size_t>& blocks) {
  const auto found = find_instructions(markdown, markdown.size());
  if (found.empty()) return 0;
  std::string kept;
  kept.reserve(markdown.size());
  std::vector<std::size_t> starts;
  std::size_t at = 0, lines = 0, block = 0;
  const auto copy_to = [&](std::size_t end) {
    for (; block < blocks.size() && blocks[block] < end; ++block) {
      const auto start = kept.size() + (blocks[block] - at);
      if (starts.empty() || starts.back() != start) starts.push_back(start);
    }
    kept.append(markdown, at, end - at);
  };
  for (const auto& one : found) {
    if (one.end <= at) continue;  // in a line that is gone
    const auto before = markdown.rfind('\n', one.begin);
    const auto begin = std::max(at, before == std::string::npos ? 0 : before + 1);
    auto end = std::min(markdown.find('\n', one.end - 1), markdown.size() - 1) + 1;
    // A paragraph goes with the empty line behind it.
    const bool alone = begin < 2 || markdown[begin - 2] == '\n';
    if (alone && end < markdown.size() && markdown[end] == '\n') ++end;
    copy_to(begin);
    // A block that begins with a line that goes begins where the next line stands, if it has one.
    bool began = false;
    for (; block < blocks.size() && blocks[block] < end; ++block) began = true;
    at = end;
    const bool goes_on = !alone && at < markdown.size() && markdown[at] != '\n';
    if (began && goes_on) starts.push_back(kept.size());
    ++lines;
  }
  copy_to(markdown.size());
  while (kept.ends_with("\n\n") || kept == "\n") kept.pop_back();
  markdown = std::move(kept);
  std::erase_if(starts, [&](std::size_t start) { return start >= markdown.size(); });
  blocks = std::move(starts);
  return lines;
}

}  // namespace freshet::markdown
