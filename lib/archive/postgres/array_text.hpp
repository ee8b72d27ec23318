// From lib/query to PostgreSQL: the words that are indexed, and what a query asks of them.
#pragma once

#include <postgres/postgres.hpp>
#include <query/text_query.hpp>
#include <string>
#include <string_view>

namespace freshet::archive {

/// The text that is stored of index_text(): a word that is too long for the index is replaced by
/// its digest.
[[nodiscard]] std::string stored_words(std::string_view words);

/// What a query and a language want of an item's words.
struct word_wishes {
  postgres::pg_array words;     ///< all of them
  postgres::pg_array phrases;   ///< with a space before and behind
  postgres::pg_array runs;      ///< both likewise: to be found without the index
  postgres::pg_array unwanted;  ///< likewise
};
[[nodiscard]] word_wishes wishes_of(const query::text_query* q, std::string_view lang);

}  // namespace freshet::archive
