// Between blocks and inside of them only a few bytes mean anything; the others are stepped over by
// a table.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/sheet_rules.hpp>
#include <markdown/tree/sheet_text.hpp>
#include <markdown/tree/ways_to_hide.hpp>

namespace freshet::markdown {

namespace {

constexpr std::size_t deepest_block = 16;

/// Where a comment ends that begins at `position`; npos if it does not end.
std::size_t end_of_comment(std::string_view text, std::size_t position) noexcept {
  const auto end = text.find("*/", position + 2);
  return end == text.npos ? end : end + 2;
}

/// The next byte that means something between blocks: most often the one that opens the next.
std::size_t next_mark(std::string_view sheet, std::size_t position) noexcept {
  static constexpr byte_set marks("/;{}");
  constexpr std::size_t longest = 256;
  const auto near = sheet.substr(position, longest);
  const auto opening = near.find('{');
  const auto before = near.substr(0, opening);
  const bool plain = opening != near.npos && !holds_byte(before, '/') && !holds_byte(before, ';') &&
                     !holds_byte(before, '}');
  return plain ? position + opening : marks.next_in(sheet, position);
}

/// Whether a value of a shorthand can be one that hides: "-9999px" or "0/0 a".
bool may_hide_in_shorthand(std::string_view value) noexcept {
  return value.find_first_of("-0.") != value.npos;
}

void add_to_summary(const declaration& one, block_summary& summary) {
  summary.declares |= bit_of(one.of);
  if (one.of == property::color || one.of == property::text_fill) {
    summary.color = one.value;
  } else if (one.of == property::background) {
    summary.ground = one.value;
  } else if (may_hide(one)) {
    summary.hides |= bit_of(one.of);
  }
}

/// Takes a declaration by its name and value into a summary.
class summary_maker {
 public:
  explicit summary_maker(block_summary& into) noexcept : into_(into) {}

  void add(std::string_view name, std::string_view value) {
    static constexpr byte_set spaces(" \t\r\n\f");
    while (!name.empty() && spaces.has(name.front())) name.remove_prefix(1);
    if (name.empty() || !may_name_property(name.front())) return;
    while (spaces.has(name.back())) name.remove_suffix(1);
    const auto known = property_named(name);
    if (!known) return;
    const auto mark = value.find('!');
    into_.important = into_.important || mark != value.npos;
    const auto said = base::trim(value.substr(0, mark));
    if (*known != property::count) {
      if (!said.empty()) add_to_summary({*known, false, said}, into_);
      return;
    }
    into_.declares |= properties_of_shorthand(name);
    if (!may_hide_in_shorthand(said)) return;
    parts_.clear();
    read_declarations({name.data(), static_cast<std::size_t>(value.end() - name.data())}, parts_);
    for (const auto& part : parts_) add_to_summary(part, into_);
  }

 private:
  block_summary& into_;
  std::vector<declaration> parts_;
};

/// Reads the declarations from `position` up to the "}" that closes them, whose place is the
/// answer. A
/// ";" in parentheses ends nothing; to end there finds too much at most. What is nested is not
/// read.
std::size_t summarize(std::string_view text, std::size_t position, const byte_set& marks,
                      block_summary& summary) {
  summary_maker made(summary);
  auto begin = position, colon = text.npos;
  const auto end_at = [&](std::size_t end) {
    if (colon != text.npos) {
      made.add(text.substr(begin, colon - begin), text.substr(colon + 1, end - colon - 1));
    }
    begin = end + 1;
    colon = text.npos;
  };
  for (; (position = marks.next_in(text, position)) < text.size(); ++position) {
    const char c = text[position];
    if (c == ':') {
      colon = std::min(colon, position);
    } else if (c == ';' || c == '}') {
      end_at(position);
      if (c == '}') return position;
    } else if (c == '{') {
      return end_of_block(text, std::min(end_of_block(text, position + 1) + 1, text.size()));
    } else if (c == '/') {
      if (text.substr(position, 2) != "/*") continue;
      const auto end = end_of_comment(text, position);
      if (end == text.npos) return text.size();
      if (base::trim(text.substr(begin, position - begin)).empty()) begin = end;
      position = end - 1;
    } else {
      position = std::min(text.find(c, position + 1), text.size());
    }
  }
  end_at(text.size());
  return text.size();
}

}  // namespace

block_summary summary_of(std::string_view declarations) {
  // Braces close nothing here.
  static constexpr byte_set marks("\"'/:;");
  block_summary made;
  summarize(declarations, 0, marks, made);
  return made;
}

void sheet_rules::read(std::string_view sheet, std::string_view media) {
  struct block {
    screen_set on;
  };
  std::vector<block> open{{screens_of(media)}};
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = next_mark(sheet, at)) < sheet.size(); ++at) {
    const char c = sheet[at];
    if (c == '/') {
      if (sheet.substr(at, 2) != "/*") continue;
      const auto end = end_of_comment(sheet, at);
      if (end == sheet.npos) return;
      // Never the same white space twice: a sheet may be nothing else but comments.
      begin = std::min(sheet.find_first_not_of(" \t\r\n\f", begin), at);
      if (begin == at) begin = end;
      at = end - 1;
    } else if (c == ';') {
      has_imports_ |= base::trim(sheet.substr(begin, at - begin)).starts_with("@import");
      begin = at + 1;
    } else if (c == '}') {
      if (open.size() > 1) open.pop_back();
      begin = at + 1;
    } else {
      const auto prelude = base::trim(sheet.substr(begin, at - begin));
      begin = at + 1;
      if (prelude.starts_with('@')) {
        const auto on = screens_in(prelude);
        if (on && open.size() < deepest_block) {
          open.push_back({static_cast<screen_set>(*on & open.back().on)});
          continue;
        }
      }
      const bool is_rule = !prelude.starts_with('@');
      const auto end =
          is_rule ? read_rule(sheet, begin, prelude, open.back().on) : end_of_block(sheet, begin);
      at = end;
      begin = end + 1;
      if (at >= sheet.size()) return;
    }
  }
}

/// Sheets ask the same again and again.
std::optional<screen_set> sheet_rules::screens_in(std::string_view prelude) {
  const auto [found, added] = known_.try_emplace(prelude);
  if (added) found->second = screens_inside(prelude, all_screens);
  return found->second;
}

/// Answers where the rule's block ends.
std::size_t sheet_rules::read_rule(std::string_view sheet, std::size_t begin,
                                   std::string_view selectors, screen_set screens) {
  sheet_rule made{selectors, {}, screens, {}};
  static constexpr byte_set marks("\"'/{}:;");
  const auto end = summarize(sheet, begin, marks, made.says);
  if (screens == 0 || made.says.declares == 0 || rules_.size() >= most_rules) return end;
  made.body = sheet.substr(begin, end - begin);
  constexpr std::size_t usual_rules = 256;
  if (rules_.empty()) rules_.reserve(usual_rules);
  has_media_ = has_media_ || screens != all_screens;
  rules_.push_back(made);
  return end;
}

}  // namespace freshet::markdown
