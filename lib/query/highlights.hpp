// Which sentences of a text answer a query best: BM25 over the sentences of that one text, so that
// what is found depends on nothing else. Phrases of the query count as words of their own, a
// heading's words for the sentences below it. It knows no tokens: who asks says what a passage
// costs.
#pragma once

#include <base/sentences.hpp>
#include <base/work.hpp>
#include <cstdint>
#include <functional>
#include <query/text_query.hpp>
#include <string_view>
#include <vector>

namespace freshet::query {

/// BM25 as Lucene has it: how soon a word's repetition says no more, and how much length counts.
inline constexpr double bm25_k1 = 1.2, bm25_b = 0.75;
/// What a word in a heading counts for a sentence below it, beside one of its own.
inline constexpr double heading_share = 0.5;
/// What is behind so many sentences of one text is not looked at.
inline constexpr std::size_t max_sentences = 50'000;
/// So many passages of one text at most.
inline constexpr std::size_t max_passages = 100;

/// What passages are taken of. Borrowed for the time of a call.
struct passage_text {
  std::string_view text;     ///< valid UTF-8
  std::string_view title;    ///< the heading of all
  bool is_markdown = false;  ///< it has blocks and headings; else every line is a block
};

struct passage {
  base::text_range where;  ///< in passage_text::text
  double score = 0;        ///< above 0
};

/// The passages that answer a query best, the best first, equal ones in the order of the text. They
/// do not overlap, none is there twice, and their costs sum up to `budget` at most. A sentence with
/// an excluded term is none. Counts its work where there is a meter; throws what that throws.
[[nodiscard]] std::vector<passage> best_passages(
    const text_query& query, const passage_text& source, std::int64_t budget,
    const std::function<std::int64_t(std::string_view)>& cost, base::meter* counted = nullptr);

}  // namespace freshet::query
