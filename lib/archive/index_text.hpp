// Between lib/query and FTS5: an item's words as the text that is indexed, and a query as an FTS5
// expression over it. The index divides at spaces only, so it holds exactly the words of lib/query.
#pragma once

#include <freshet/item.hpp>
#include <query/text_query.hpp>
#include <string>
#include <string_view>

namespace freshet::archive {

/// The tokenizer's clause of CREATE VIRTUAL TABLE.
[[nodiscard]] std::string_view index_tokenizer() noexcept;

/// The words of an item, fields apart, with a mark of its language.
[[nodiscard]] std::string index_text(const item& what);

/// The MATCH expression of a query and a language; "" if there is nothing to match.
[[nodiscard]] std::string index_query(const query::text_query* q, std::string_view lang);

}  // namespace freshet::archive
