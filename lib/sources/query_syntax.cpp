// Writing a parsed `q` back as text for an engine. It checks nothing and drops only what the engine
// can not say; the pipeline keeps those promises by filtering.
#include <algorithm>
#include <sources/query_syntax.hpp>

namespace freshet::sources {

namespace {

bool is_operator(std::string_view word) { return word == "AND" || word == "OR" || word == "NOT"; }

std::string without_quotes(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '"', ' ');
  return out;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n") == text.npos; }

}  // namespace

std::string write_query(const query::text_query& query, const query_syntax& syntax) {
  std::string out;
  for (const auto& term : query.terms) {
    if (term.excluded && !syntax.exclusions) continue;
    const auto text = without_quotes(term.text);
    if (is_blank(text)) continue;
    const bool quoted = syntax.phrases && (term.phrase || is_operator(text) ||
                                           text.find_first_of(syntax.special) != std::string::npos);
    if (!out.empty()) out += ' ';
    if (term.excluded) out += '-';
    out += quoted ? "\"" + text + "\"" : text;
  }
  return out;
}

std::string write_boolean_query(const query::text_query& query, std::string_view special) {
  std::string out;
  for (const bool excluded : {false, true}) {
    for (const auto& term : query.terms) {
      const auto text = without_quotes(term.text);
      if (term.excluded != excluded || is_blank(text)) continue;
      const bool quoted =
          term.phrase || is_operator(text) || text.find_first_of(special) != std::string::npos;
      if (!out.empty()) out += " AND ";
      if (excluded) out += "NOT ";
      out += quoted ? "\"" + text + "\"" : text;
    }
  }
  return out;
}

}  // namespace freshet::sources
