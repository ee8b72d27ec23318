// A query's words, quoted and joined.
#include <archive/index_text.hpp>
#include <archive/sqlite/match_text.hpp>

namespace freshet::archive {
namespace {

void append_term(std::string& out, const query::term& one) {
  out += '"';
  for (std::size_t i = 0; i < one.words.size(); ++i) {
    if (i != 0) out += ' ';
    out += one.words[i];
  }
  out += '"';
}

}  // namespace

std::string_view index_tokenizer() noexcept {
  // Every byte that is no space and may stand in a word: letters, digits, all beyond ASCII, and the
  // few signs that lib/query leaves inside of words.
  return "tokenize=\"ascii tokenchars '_.,;-'''\"";
}

std::string index_query(const query::text_query* q, std::string_view lang) {
  std::string wanted;
  std::string unwanted;
  const auto join = [](std::string& to, std::string_view with) {
    if (!to.empty()) to += with;
  };
  if (q != nullptr) {
    for (const auto& one : q->terms) {
      auto& to = one.excluded ? unwanted : wanted;
      join(to, one.excluded ? " OR " : " AND ");
      append_term(to, one);
    }
  }
  if (const auto mark = lang_word(lang); !mark.empty()) {
    join(wanted, " AND ");
    wanted += '"' + mark + '"';
  }
  if (wanted.empty() || unwanted.empty()) return wanted;
  return "(" + wanted + ") NOT (" + unwanted + ")";
}

}  // namespace freshet::archive
