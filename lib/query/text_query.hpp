// The `q` grammar: words are ANDed, "a phrase" is exact, -word and -"phrase" exclude. Sources
// translate it into their own syntax; what they cannot say is kept by matches() on what they gave.
#pragma once

#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::query {

inline constexpr std::size_t max_query_length = 512;  // code points, of the contract

/// One word or phrase.
struct term {
  std::string text;                ///< as written, without quotes and minus
  std::vector<std::string> words;  ///< folded; contiguous for a phrase
  bool phrase = false;
  bool excluded = false;
};

/// A parsed `q`. Empty terms: matches everything.
struct text_query {
  std::string raw;
  std::vector<term> terms;
};

/// Reads `q`. A token without a letter, digit or emoji ("-", "&") is dropped; "#tide" is the word
/// tide. Error: invalid_request with a parameter_error at "/q" (no word at all, too
/// long, only exclusions, an unclosed quote, ill-formed UTF-8).
[[nodiscard]] result<text_query> parse_text_query(std::string_view q);

/// What must be checked on our side; a source that keeps a promise by itself spares it.
struct match_rules {
  bool words = true;
  bool phrases = true;
  bool exclusions = true;
};

/// Whether an item keeps the promise. Searched, folded and each by itself, are title, text, tags,
/// the author's handle and name, links, and by object a user's handle and name, a video's music, a
/// forum post's community and link, and the name of a web result's or an article's site.
[[nodiscard]] bool matches(const text_query& query, const item& candidate, match_rules rules = {});

/// What matches() looks in: the folded words of each field that is searched. A term is found where
/// its words are a run of one field. An index over these words gives what matches() would.
[[nodiscard]] std::vector<std::vector<std::string>> searched_words(const item& candidate);

}  // namespace freshet::query
