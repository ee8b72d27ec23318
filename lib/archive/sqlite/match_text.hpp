// From lib/query to FTS5: a query as an expression over the words that are indexed. The index
// divides at spaces only, so it holds exactly the words of lib/query.
#pragma once

#include <query/text_query.hpp>
#include <string>
#include <string_view>

namespace freshet::archive {

/// The tokenizer's clause of CREATE VIRTUAL TABLE.
[[nodiscard]] std::string_view index_tokenizer() noexcept;
/// The MATCH expression of a query and a language; "" if there is nothing to match.
[[nodiscard]] std::string index_query(const query::text_query* q, std::string_view lang);

}  // namespace freshet::archive
