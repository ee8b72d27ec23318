// A query in the words of the search engines that share one syntax: words, "phrases", -exclusions.
// What an engine takes for an operator of its own is quoted, so that a caller's words stay words.
#pragma once

#include <query/text_query.hpp>
#include <string>
#include <string_view>

namespace freshet::sources {

/// What an engine understands beside plain words.
struct query_syntax {
  bool phrases = true;     ///< else a phrase is sent as its words
  bool exclusions = true;  ///< else they are left out
  /// A word with one of these characters is quoted: it would be an operator.
  std::string_view special;
};

/// `query` as that engine writes it. Words that are AND, OR or NOT are quoted too.
[[nodiscard]] std::string write_query(const query::text_query& query, const query_syntax& syntax);

/// `query` for engines that take AND and NOT: every word and phrase is demanded, in as many words,
/// and what is excluded comes last. Words with a character of `special` are quoted.
[[nodiscard]] std::string write_boolean_query(const query::text_query& query,
                                              std::string_view special);

}  // namespace freshet::sources
