// The `q` grammar and its meaning. A query is read once, an item is folded once for each call of
// matches(), and every term is then looked for among the item's words. It knows no ranking.
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/unicode.hpp>
#include <base/word_views.hpp>
#include <query/text_query.hpp>
#include <span>

namespace freshet::query {
namespace {

/// Quotes that open and close a phrase: what keyboards and word processors make of ".
constexpr char32_t quotes[] = {U'"', U'\u201C', U'\u201D', U'\u201E', U'\uFF02'};
constexpr char32_t minuses[] = {U'-', U'\u2212', U'\uFF0D'};

bool is_one_of(std::span<const char32_t> set, char32_t point) noexcept {
  return std::ranges::find(set, point) != set.end();
}

bool is_space(char32_t point) noexcept {
  return point == ' ' || (point >= '\t' && point <= '\r') || point == 0xA0 || point == 0x3000 ||
         point == 0x2028 || point == 0x2029 || (point >= 0x2000 && point <= 0x200A) ||
         point == 0x1680 || point == 0x202F || point == 0x205F || point == 0x85;
}

/// Reads terms from the front of a text.
class term_reader {
 public:
  explicit term_reader(std::string_view text) : text_(text) {}

  /// The next term, or null at the end or at an unclosed quote.
  bool next(term& out) {
    while (at_ < text_.size() && is_space(peek())) skip();
    if (at_ >= text_.size()) return false;
    out = {};
    if (is_one_of(minuses, peek())) {
      skip();
      out.excluded = true;
    }
    if (at_ < text_.size() && is_one_of(quotes, peek())) {
      out.phrase = true;
      skip();
      return read_phrase(out);
    }
    const std::size_t from = at_;
    // A quote inside a word (5" pipes) is punctuation of it.
    while (at_ < text_.size() && !is_space(peek())) skip();
    out.text = text_.substr(from, at_ - from);
    return true;
  }

  [[nodiscard]] bool unclosed() const noexcept { return unclosed_; }

 private:
  [[nodiscard]] char32_t peek() const noexcept {
    std::size_t at = at_;
    return base::next_point(text_, at);
  }
  void skip() noexcept { static_cast<void>(base::next_point(text_, at_)); }

  bool read_phrase(term& out) {
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_one_of(quotes, peek())) skip();
    if (at_ >= text_.size()) {
      unclosed_ = true;
      return false;
    }
    out.text = text_.substr(from, at_ - from);
    skip();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool unclosed_ = false;
};

/// Gives each text of an item that is searched to `visit`.
template <class Visit>
class field_visitor {
 public:
  field_visitor(const item& any, const Visit& visit) : visit_(visit) {
    const item_common& of = common(any);
    add(of.title);
    add(of.text);
    for (const std::string& tag : of.tags) add(tag);
    add(of.author.handle);
    add(of.author.display_name);
    for (const std::string& link : of.links) add(link);
    std::visit([&](const auto& one) { add_own_fields(one); }, any);
  }

 private:
  void add(const std::string& text) {
    if (!text.empty()) visit_(text);
  }

  void add_own_fields(const item_common&) {}
  void add_own_fields(const user& one) {
    add(one.handle);
    add(one.display_name);
  }
  void add_own_fields(const video& one) {
    add(one.music.title);
    add(one.music.author);
  }
  void add_own_fields(const forum_post& one) {
    add(one.community);
    add(one.link_url);
  }
  void add_own_fields(const web_result& one) { add(one.site_name); }
  void add_own_fields(const article& one) { add(one.site.name); }

  const Visit& visit_;
};

/// Which terms of a query stand in the fields that it is shown.
class term_finder {
 public:
  explicit term_finder(const std::vector<term>& terms)
      : terms_(terms), found_(terms.size(), false) {}

  void look_into(const std::string& text) {
    const auto folded = base::fold(text);
    bool is_divided = false;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto& wanted = terms_[i].words;
      // A word is a piece of the text: most fields are not divided at all.
      if (found_[i]) continue;
      if (!wanted.empty() && folded.find(wanted.front()) == std::string::npos) continue;
      if (!is_divided) base::divide_words(folded, words_);
      is_divided = true;
      found_[i] =
          std::search(words_.begin(), words_.end(), wanted.begin(), wanted.end()) != words_.end();
    }
  }

  [[nodiscard]] bool has(std::size_t term) const { return found_[term]; }

 private:
  const std::vector<term>& terms_;
  std::vector<bool> found_;
  std::vector<std::string_view> words_;  ///< of the field that was divided last
};

bool must_check(const term& one, match_rules rules) noexcept {
  if (one.excluded) return rules.exclusions;
  return one.phrase ? rules.phrases : rules.words;
}

}  // namespace

result<text_query> parse_text_query(std::string_view q) {
  if (!base::is_utf8(q))
    return base::invalid_parameter("/q", "invalid_format", "it is not valid UTF-8");
  if (base::length(q) > max_query_length) {
    return base::invalid_parameter(
        "/q", "out_of_bounds",
        "it is longer than " + std::to_string(max_query_length) + " characters");
  }
  text_query parsed;
  parsed.raw = q;
  term_reader reader(q);
  bool only_exclusions = true;
  for (term one; reader.next(one);) {
    one.words = base::words(base::fold(one.text));
    if (one.words.empty()) continue;  // "-", "&", "++": nothing that a text could hold or lack
    only_exclusions = only_exclusions && one.excluded;
    parsed.terms.push_back(std::move(one));
  }
  if (reader.unclosed()) {
    return base::invalid_parameter("/q", "invalid_format",
                                   "a quote is not closed; write \"a phrase\"");
  }
  if (parsed.terms.empty()) {
    return base::invalid_parameter("/q", "out_of_bounds",
                                   "it holds no word; it takes 1 to 512 characters");
  }
  if (only_exclusions) {
    return base::invalid_parameter("/q", "invalid_format",
                                   "it only excludes; name at least one word to look for");
  }
  return parsed;
}

bool matches(const text_query& query, const item& candidate, match_rules rules) {
  const bool idle =
      std::ranges::none_of(query.terms, [&](const term& one) { return must_check(one, rules); });
  if (idle) return true;
  term_finder finder(query.terms);
  const auto look = [&finder](const std::string& text) { finder.look_into(text); };
  field_visitor(candidate, look);
  for (std::size_t i = 0; i < query.terms.size(); ++i) {
    const auto& one = query.terms[i];
    if (must_check(one, rules) && finder.has(i) == one.excluded) return false;
  }
  return true;
}

std::vector<std::vector<std::string>> searched_words(const item& candidate) {
  std::vector<std::vector<std::string>> fields;
  const auto add = [&fields](const std::string& text) {
    fields.push_back(base::words(base::fold(text)));
  };
  field_visitor(candidate, add);
  return fields;
}

}  // namespace freshet::query
