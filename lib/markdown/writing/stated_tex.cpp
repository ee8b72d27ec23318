// Words are runs of letters outside of commands; they are looked for among the letters that are
// seen, of which pages often make an element each.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <bitset>
#include <functional>
#include <iterator>
#include <markdown/writing/stated_tex.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using html::tag_id;

/// Of the words that are not seen: names of labels and colors come to less, a sentence does not.
constexpr std::size_t most_unseen_bytes = 19;
/// Of letters beyond those that are seen, where some are: short words are no words here.
constexpr std::size_t most_more_letters = 40;

bool is_letter(char c) noexcept {
  return base::is_letter(c) || (static_cast<unsigned char>(c) & 0x80u) != 0;
}

std::string seen_letters_of(std::string_view text) {
  std::string letters;
  std::ranges::copy_if(text, std::back_inserter(letters), is_letter);
  return base::to_lower_ascii(letters);
}

/// The runs of four bytes in some letters, as far as it takes to say that one is not there.
class letter_runs {
 public:
  static constexpr std::size_t length = 4;
  explicit letter_runs(std::string_view letters) {
    for (std::size_t at = 0; at + length <= letters.size(); ++at) {
      has_.set(place_of(letters.substr(at, length)));
    }
  }
  [[nodiscard]] bool may_hold(std::string_view word) const {
    for (std::size_t at = 0; at + length <= word.size(); ++at) {
      if (!has_.test(place_of(word.substr(at, length)))) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t places = std::size_t{1} << 14u;
  static std::size_t place_of(std::string_view run) noexcept {
    return std::hash<std::string_view>()(run) % places;
  }
  std::bitset<places> has_;
};

/// What stands in braces behind these is no text.
bool is_naming(std::string_view command) noexcept {
  constexpr std::string_view names[] = {"begin",       "end",       "label", "color", "textcolor",
                                        "colorbox",    "ref",       "eqref", "tag",   "hspace",
                                        "vspace",      "class",     "cssId", "style", "require",
                                        "definecolor", "newcommand"};
  return std::ranges::find(names, command) != std::end(names);
}

/// What stands in braces, of those that begin TeX, where that is a name: neither long nor of words.
std::size_t name_size(std::string_view tex) noexcept {
  constexpr std::size_t longest = 40;
  const auto end = std::min(tex.find('}'), tex.size());
  return end <= longest && tex.substr(0, end).find(' ') == tex.npos ? end : 0;
}

/// Takes the first run of letters off TeX that is no command; "" at its end.
std::string_view take_word(std::string_view& tex) noexcept {
  while (!tex.empty()) {
    if (tex.front() == '\\') {
      tex.remove_prefix(1);
      const auto end = std::ranges::find_if_not(tex, base::is_letter) - tex.begin();
      const auto command = tex.substr(0, static_cast<std::size_t>(end));
      tex.remove_prefix(std::min(std::max(command.size(), std::size_t{1}), tex.size()));
      if (is_naming(command) && tex.starts_with('{')) {
        tex.remove_prefix(name_size(tex));
      }
      continue;
    }
    const auto end = std::ranges::find_if_not(tex, is_letter) - tex.begin();
    const auto word = tex.substr(0, static_cast<std::size_t>(end));
    tex.remove_prefix(std::max(word.size(), std::size_t{1}));
    if (!word.empty()) return word;
  }
  return {};
}

/// What the elements of a formula show.
std::string seen_text(const html::document& page, node_id math) {
  std::string text;
  for (auto at = math; at != none;) {
    const auto& one = page.at(at);
    const bool is_unseen = one.tag == tag_id::annotation || one.tag == tag_id::annotation_xml ||
                           one.tag == tag_id::mphantom;
    if (one.type == html::node_type::text) text += one.text;
    at = is_unseen ? page.next_skipping_children(at, math) : page.next_in_order(at, math);
  }
  return text;
}

}  // namespace

bool says_more(std::string_view tex, std::string_view seen) {
  std::string words;
  std::size_t letters = 0;
  for (auto rest = tex;;) {
    const auto word = take_word(rest);
    if (word.empty()) break;
    letters += word.size();
    if (word.size() >= letter_runs::length) words.append(base::to_lower_ascii(word)).append(" ");
  }
  if (words.size() <= most_unseen_bytes && letters <= most_more_letters) return false;
  const auto known = seen_letters_of(seen);
  if (!known.empty() && letters > known.size() + most_more_letters) return true;
  const letter_runs runs(known);
  std::size_t unseen = 0;
  for (std::string_view rest = words; !rest.empty();) {
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size() + 1);
    if (!runs.may_hold(word)) unseen += word.size();
  }
  return unseen > most_unseen_bytes;
}

bool hides_words(std::string_view tex) {
  constexpr std::string_view hiding[] = {"%",     "phantom", "\\color", "\\style", "\\class",
                                         "\\def", "command", "\\let",   "\\cssId"};
  const bool may_hide =
      std::ranges::any_of(hiding, [&](auto each) { return tex.find(each) != tex.npos; });
  return may_hide && says_more(tex, {});
}

std::string stated_tex(const html::document& page, node_id math) {
  std::string tex;
  for (auto at = math; at != none && tex.empty(); at = page.next_in_order(at, math)) {
    if (!page.is_element(at, tag_id::annotation)) continue;
    const auto encoding = base::to_lower_ascii(page.attribute_of(at, "encoding"));
    if (encoding.find("tex") == encoding.npos) continue;
    for (auto in = at; in != none; in = page.next_in_order(in, at)) {
      if (page.at(in).type == html::node_type::text) tex += page.at(in).text;
    }
    tex = base::trim(tex);
  }
  for (const auto attribute : {"data-latex", "alttext"}) {
    if (tex.empty()) tex = base::trim(page.attribute_of(math, attribute));
  }
  return says_more(tex, seen_text(page, math)) ? std::string() : tex;
}

std::string without_markup(std::string_view tex) {
  std::string out;
  out.reserve(tex.size());
  for (std::size_t i = 0; i < tex.size(); ++i) {
    out += tex[i];
    if (i + 1 == tex.size()) break;
    const char next = tex[i + 1];
    // A space means nothing in a formula.
    const bool opens =
        tex[i] == '<' && (base::is_letter(next) || next == '/' || next == '!' || next == '?');
    const bool links = tex[i] == ']' && (next == '(' || next == '[' || next == ':');
    if (opens || links) out += ' ';
  }
  return out;
}

}  // namespace freshet::markdown
