// The characters that mean something in GFM, each with the context in which they do.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/writing/escape.hpp>
#include <markdown/writing/points.hpp>
#include <unordered_set>

namespace freshet::markdown {

namespace {

bool is_text_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == break_char;
}

char32_t point_before(std::string_view text, std::size_t index) noexcept {
  std::size_t from = index - 1;
  while (from > 0 && index - from < 4 && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) {
    --from;
  }
  return base::next_point(text, from);
}

char32_t point_after(std::string_view text, std::size_t index) noexcept {
  return base::next_point(text, index);
}

// What CommonMark takes for white space or punctuation right before or behind `index`; the ends of
// the text are white space.
bool is_space_before(std::string_view text, std::size_t index) noexcept {
  if (index == 0 || is_text_space(text[index - 1])) return true;
  return static_cast<unsigned char>(text[index - 1]) >= 0x80 &&
         is_space_point(point_before(text, index));
}

bool is_space_after(std::string_view text, std::size_t index) noexcept {
  if (index >= text.size() || is_text_space(text[index])) return true;
  return static_cast<unsigned char>(text[index]) >= 0x80 &&
         is_space_point(point_after(text, index));
}

bool is_punctuation_before(std::string_view text, std::size_t index) noexcept {
  if (index == 0) return false;
  if (static_cast<unsigned char>(text[index - 1]) < 0x80)
    return is_ascii_punctuation(text[index - 1]);
  return is_punctuation_point(point_before(text, index));
}

bool is_punctuation_after(std::string_view text, std::size_t index) noexcept {
  if (index >= text.size()) return false;
  if (static_cast<unsigned char>(text[index]) < 0x80) return is_ascii_punctuation(text[index]);
  return is_punctuation_point(point_after(text, index));
}

/// Whether "&..." reads as a character reference.
bool begins_reference(std::string_view text) {
  constexpr std::size_t longest = 32;
  const auto end = text.substr(0, longest).find(';');
  if (end == std::string_view::npos || end < 2) return false;
  const auto name = text.substr(1, end - 1);
  if (name[0] == '#') {
    return name.find_first_not_of("0123456789abcdefABCDEFxX", 1) == std::string_view::npos;
  }
  if (!std::ranges::all_of(name, [](char c) { return base::is_letter(c) || base::is_digit(c); })) {
    return false;
  }
  const auto whole = text.substr(0, end + 1);
  return html::decode_entities(whole) != whole;
}

constexpr std::size_t longest_seen_address = 2000;  // what is longer is taken for one

/// Whether "(..." behind a bracket reads as the address of a link.
bool begins_address(std::string_view text) noexcept {
  const auto head = text.substr(0, longest_seen_address);
  const auto end = head.find(')');
  if (end == std::string_view::npos && head.size() == text.size()) return false;
  const auto inside = base::trim(head.substr(1, end == std::string_view::npos ? end : end - 1));
  const bool spaced = inside.find_first_of(" \x01") != std::string_view::npos;
  return !spaced || inside.find_first_of("\"'(<") != std::string_view::npos;
}

/// Whether "<..." reads as a tag, a comment or an address, were there a ">" behind it.
bool begins_tag(std::string_view text) noexcept {
  if (text.size() < 2) return false;
  if (text[1] == '!' || text[1] == '?') return true;
  std::size_t at = text[1] == '/' ? 2 : 1;
  if (at >= text.size() || !base::is_letter(text[at])) return false;
  while (at < text.size() &&
         (base::is_letter(text[at]) || base::is_digit(text[at]) || text[at] == '-'))
    ++at;
  if (at >= text.size()) return false;
  return is_text_space(text[at]) ||
         std::string_view(">/:@.+_").find(text[at]) != std::string_view::npos;
}

/// How many of a character stand together at the most.
std::size_t longest_run(std::string_view text, char c) noexcept {
  std::size_t longest = 0, run = 0;
  for (const char one : text) {
    run = one == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

class escaper {
 public:
  explicit escaper(const block_text& block)
      : block_(block), text_(block.text), plain_(block.plain), chosen_(plain_.size(), false) {}
  std::vector<std::uint32_t> run();

 private:
  [[nodiscard]] flanks flanks_of(std::size_t index, std::size_t end) const;
  struct delimiter_run {
    std::size_t first, count;  ///< in plain_
    bool opens, closes;
  };
  [[nodiscard]] bool mark_at(std::size_t at) const;
  [[nodiscard]] bool same_mark_at(std::size_t index, char sign) const;
  [[nodiscard]] delimiter_run run_at(std::size_t first) const;
  void judge_delimiters(char sign);
  void judge_ticks();
  void judge_brackets();
  bool judge_pair(std::size_t open, std::size_t close, bool in_link);
  void judge_others();
  [[nodiscard]] char sign_at(std::size_t index) const { return text_[plain_[index]]; }

  const block_text& block_;
  std::string_view text_;
  std::span<const std::uint32_t> plain_;
  std::vector<bool> chosen_;
};

bool escaper::mark_at(std::size_t at) const {
  const auto found = std::ranges::lower_bound(block_.marks, at, {}, &written_mark::at);
  return found != block_.marks.end() && found->at == at;
}

bool escaper::same_mark_at(std::size_t index, char sign) const {
  auto found = std::ranges::lower_bound(block_.marks, index, {}, &written_mark::at);
  for (; found != block_.marks.end() && found->at == index; ++found) {
    if (found->sign == sign) return true;
  }
  return false;
}

/// The flanking rules for what stands between two places of the text.
flanks escaper::flanks_of(std::size_t index, std::size_t end) const {
  return flanks_between(text_, index, end, mark_at(index), mark_at(end));
}

/// The run of equal delimiters that begins at plain_[first], with CommonMark's flanking rules.
escaper::delimiter_run escaper::run_at(std::size_t first) const {
  const char sign = sign_at(first);
  std::size_t count = 1;
  const std::size_t at = plain_[first];
  while (first + count < plain_.size() && plain_[first + count] == at + count &&
         sign_at(first + count) == sign && !mark_at(at + count)) {
    ++count;
  }
  const std::size_t end = at + count;
  const auto near = flanks_of(at, end);
  bool opens = near.left, closes = near.right;
  if (sign == '_') {
    opens = near.left && (!near.right || near.punctuation_before);
    closes = near.right && (!near.left || near.punctuation_after);
  } else if (sign == '*') {
    // cmark-gfm looks through tildes.
    const auto far = flanks_of(before_tildes(text_, at), behind_tildes(text_, end));
    opens |= far.left;
    closes |= far.right;
  }
  if (sign == '~' && count > 2) opens = closes = false;
  if (same_mark_at(at, sign) || same_mark_at(end, sign)) opens = closes = true;
  return {first, count, opens, closes};
}

/// "*", "_" and "~" mean something in pairs. Next to real ones every run that could be half of a
/// pair is escaped; elsewhere those that could open one that something closes.
void escaper::judge_delimiters(char sign) {
  std::vector<delimiter_run> runs;
  std::size_t last_closing = 0;
  for (std::size_t i = 0; i < plain_.size();) {
    if (sign_at(i) != sign) {
      ++i;
      continue;
    }
    runs.push_back(run_at(i));
    i += runs.back().count;
    if (runs.back().closes) last_closing = runs.size();
  }
  if (runs.empty()) return;
  const bool real =
      std::ranges::any_of(block_.marks, [&](const auto& one) { return one.sign == sign; });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool pairs =
        real ? runs[i].opens || runs[i].closes : runs[i].opens && i + 1 < last_closing;
    if (!pairs) continue;
    for (std::size_t k = 0; k < runs[i].count; ++k) chosen_[runs[i].first + k] = true;
  }
}

/// Code spans are closed by as many ticks as open them.
void escaper::judge_ticks() {
  std::unordered_set<std::size_t> lengths;
  for (std::size_t end = plain_.size(); end > 0;) {
    if (sign_at(end - 1) != '`') {
      --end;
      continue;
    }
    std::size_t first = end - 1;
    while (first > 0 && sign_at(first - 1) == '`' && plain_[first - 1] + 1 == plain_[first]) {
      --first;
    }
    const bool pairs = !lengths.insert(end - first).second || block_.has_code || block_.is_part;
    for (std::size_t i = first; pairs && i < end; ++i) chosen_[i] = true;
    end = first;
  }
}

/// False: they are no pair, the first one waits for another.
bool escaper::judge_pair(std::size_t open, std::size_t close, bool in_link) {
  const std::size_t from = plain_[open], to = plain_[close];
  const auto after = text_.substr(to + 1);
  const auto inside = text_.substr(from + 1, to - from - 1);
  const bool linked = after.starts_with('(') && !mark_at(to + 1);
  // What may be an address is read anew behind every bracket.
  if (linked && block_.counted != nullptr) {
    block_.counted->spend(std::min(after.size(), longest_seen_address) / 4);
  }
  if (linked && (in_link || begins_address(after))) {
    chosen_[close] = true;
    return false;
  }
  const bool number = !inside.empty() && std::ranges::all_of(inside, base::is_digit);
  const bool label = (block_.where.has_references && number) ||
                     (block_.where.has_notes && inside.starts_with('^'));
  const bool definition = from == 0 && block_.is_paragraph && after.starts_with(':');
  const bool box =
      from == 0 && (inside == " " || inside == "x" || inside == "X") && after.starts_with(' ');
  if (label || definition || box) chosen_[open] = true;
  return true;
}

/// Brackets mean something before an address, and inside the text of a link unless in pairs.
void escaper::judge_brackets() {
  std::vector<std::size_t> open, open_in_link;
  bool in_link = false;
  std::size_t mark = 0;
  const auto pass_marks = [&](std::size_t to) {
    for (; mark < block_.marks.size() && block_.marks[mark].at <= to; ++mark) {
      if (block_.marks[mark].sign != '[') continue;
      for (const auto one : open_in_link) chosen_[one] = true;
      open_in_link.clear();
      in_link = block_.marks[mark].opens;
    }
  };
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    const char sign = sign_at(i);
    if (sign != '[' && sign != ']') continue;
    pass_marks(plain_[i]);
    auto& stack = in_link ? open_in_link : open;
    if (sign == '[') {
      stack.push_back(i);
    } else if (stack.empty()) {
      if (in_link) chosen_[i] = true;
    } else {
      if (judge_pair(stack.back(), i, in_link)) stack.pop_back();
    }
  }
  pass_marks(text_.size());
}

void escaper::judge_others() {
  const auto last_closing = text_.rfind('>');
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    const std::size_t at = plain_[i];
    const auto rest = text_.substr(at);
    const bool marked = mark_at(at + 1);
    switch (text_[at]) {
      case '\\':
        chosen_[i] =
            marked || (rest.size() > 1 && (is_ascii_punctuation(rest[1]) || rest[1] == break_char));
        break;
      case '<': {
        const bool line_start = at == 0 || text_[at - 1] == break_char;
        chosen_[i] =
            (begins_tag(rest) && last_closing != std::string_view::npos && last_closing > at) ||
            (line_start && rest.size() > 1 &&
             (base::is_letter(rest[1]) || rest[1] == '/' || rest[1] == '!' || rest[1] == '?'));
        break;
      }
      case '&':
        chosen_[i] = begins_reference(rest);
        break;
      case '|':
        chosen_[i] = block_.where.in_table;
        break;
      case '!':
        chosen_[i] = (marked && same_mark_at(at + 1, '[')) || rest.starts_with("![^");
        break;
      default:
        break;
    }
  }
}

std::vector<std::uint32_t> escaper::run() {
  if (plain_.empty()) return {};
  bool present[128] = {};
  for (const auto at : plain_) present[static_cast<unsigned char>(text_[at]) & 0x7F] = true;
  for (const char sign : {'*', '_', '~'}) {
    if (present[static_cast<unsigned char>(sign)]) judge_delimiters(sign);
  }
  if (present[static_cast<unsigned char>('`')]) judge_ticks();
  if (present[static_cast<unsigned char>('[')] || present[static_cast<unsigned char>(']')]) {
    judge_brackets();
  }
  judge_others();
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    if (chosen_[i]) places.push_back(plain_[i]);
  }
  return places;
}

}  // namespace

std::vector<std::uint32_t> places_to_escape(const block_text& block) {
  return escaper(block).run();
}

bool is_ascii_punctuation(char c) noexcept {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::size_t before_tildes(std::string_view text, std::size_t index) noexcept {
  while (index > 0 && text[index - 1] == '~') --index;
  return index;
}

std::size_t behind_tildes(std::string_view text, std::size_t index) noexcept {
  while (index < text.size() && text[index] == '~') ++index;
  return index;
}

flanks flanks_between(std::string_view text, std::size_t index, std::size_t end, bool mark_before,
                      bool mark_after) noexcept {
  const bool space_before = !mark_before && is_space_before(text, index);
  const bool space_after = !mark_after && is_space_after(text, end);
  const bool punctuation_before = mark_before || is_punctuation_before(text, index);
  const bool punctuation_after = mark_after || is_punctuation_after(text, end);
  return {!space_after && (!punctuation_after || space_before || punctuation_before),
          !space_before && (!punctuation_before || space_after || punctuation_after),
          punctuation_before, punctuation_after};
}

std::size_t line_start_escape(std::string_view line, bool after_text) {
  constexpr std::size_t longest_number = 9, longest_heading = 6;
  constexpr std::size_t none = std::string_view::npos;
  if (line.empty()) return none;
  const char c = line[0];
  const auto ends_or_space = [&](std::size_t at) {
    return at >= line.size() || is_text_space(line[at]);
  };
  if (c == '>') return 0;
  if (c == '#') {
    const auto count = std::min(line.find_first_not_of('#'), line.size());
    return count <= longest_heading && ends_or_space(count) ? 0 : none;
  }
  if (c == '-' || c == '=' || c == '*' || c == '_') {
    // An underline of what stands before it, or a rule.
    const bool row = line.find_first_not_of(std::string{c, ' '}) == none;
    const bool rule = c != '=' && std::ranges::count(line, c) >= 3;
    if (row && (rule || (after_text && (c == '-' || c == '=')))) return 0;
  }
  if (c == '-' || c == '+' || c == '*') {
    // An item; an empty one ends no paragraph.
    if (ends_or_space(1) && !(after_text && line.size() == 1)) return 0;
  }
  // The line under a table's head.
  if (after_text && (c == '-' || c == '|' || c == ':') && line.find_first_not_of("-|: ") == none &&
      line.find('-') != none) {
    return 0;
  }
  if (line.starts_with("~~~")) return 0;
  if (line.starts_with("```")) {
    return line.find('`', line.find_first_not_of('`')) == none ? 0 : none;
  }
  if (base::is_digit(c)) {
    std::size_t at = 0;
    while (at < line.size() && base::is_digit(line[at])) ++at;
    if (at > longest_number || at >= line.size()) return none;
    if ((line[at] != '.' && line[at] != ')') || !ends_or_space(at + 1)) return none;
    // Only a list that begins with 1 ends a paragraph.
    if (after_text && (line.substr(0, at) != "1" || at + 1 >= line.size())) return none;
    return at;
  }
  return none;
}

std::string image_text(std::string_view text, escape_context where) {
  const std::string flat = base::collapse_spaces(text);
  std::vector<std::uint32_t> plain;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (markup_signs.find(flat[i]) != std::string_view::npos)
      plain.push_back(static_cast<std::uint32_t>(i));
  }
  if (plain.empty()) return flat;
  // It stands between brackets as the text of a link does.
  const written_mark marks[] = {{0, '[', true}, {flat.size(), '[', false}};
  const auto places = places_to_escape({flat, plain, marks, false, false, where, true});
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (next < places.size() && places[next] == i) {
      out += '\\';
      ++next;
    }
    out += flat[i];
  }
  return out;
}

std::string fence_for(std::string_view text, char c) {
  return std::string(std::max<std::size_t>(3, longest_run(text, c) + 1), c);
}

std::string code_span(std::string_view text, bool in_table) {
  const std::string ticks(longest_run(text, '`') + 1, '`');
  std::string inner;
  for (const char c : text) {
    if (in_table && c == '|') inner += '\\';
    inner += c;
  }
  const bool pad = !text.empty() && (text.front() == '`' || text.back() == '`');
  return ticks + (pad ? " " : "") + inner + (pad ? " " : "") + ticks;
}

std::string link_title(std::string_view title, bool in_table) {
  if (title.empty()) return {};
  std::string out = " \"";
  for (std::size_t i = 0; i < title.size(); ++i) {
    const char c = title[i];
    if (c == '`') {
      // A backslash would not keep it from ending a code span that begins before the link.
      out += "&#96;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '&' && begins_reference(title.substr(i))) {
      out += "&amp;";
    } else {
      if (c == '"' || c == '\\' || (c == '|' && in_table)) out += '\\';
      out += c;
    }
  }
  return out + '"';
}

std::string link_destination(std::string_view url, bool in_table) {
  if (url.find_first_of(" \n\t()<>|\\&") == std::string_view::npos) return std::string(url);
  int depth = 0;
  bool balanced = true;
  for (const char c : url) {
    if (c == '(') ++depth;
    if (c == ')') balanced &= --depth >= 0;
  }
  balanced &= depth == 0;
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i) {
    const char c = url[i];
    if (c == ' ' || c == '\n' || c == '\t') {
      out += "%20";
    } else if (!balanced && (c == '(' || c == ')')) {
      out += c == '(' ? "%28" : "%29";
    } else if (c == '<' || c == '>') {
      out += c == '<' ? "%3C" : "%3E";
    } else if (in_table && c == '|') {
      out += "%7C";
    } else if (c == '\\') {
      out += "%5C";
    } else if (c == '&' && begins_reference(url.substr(i))) {
      out += "\\&";  // "&colon;" would be read as what it stands for
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace freshet::markdown
