// Writing a parsed `q` back as text for an engine. It checks nothing and drops only what the engine
// can not say; the pipeline keeps those promises by filtering.
#include <algorithm>
#include <sources/query_syntax.hpp>

namespace freshet::sources {

namespace {

bool is_operator(std::string_view word) { return word == "AND" || word == "OR" || word == "NOT"; }

std::string without_quotes(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '"', ' ');
  return out;
}

}  // namespace

std::string write_query(const query::text_query& query, const query_syntax& syntax) {
  std::string out;
  for (const auto& term : query.terms) {
    if (term.excluded && !syntax.exclusions) continue;
    const auto text = without_quotes(term.text);
    if (text.find_first_not_of(" \t\n") == std::string::npos) continue;
    const bool quoted = syntax.phrases && (term.phrase || is_operator(text) ||
                                           text.find_first_of(syntax.special) != std::string::npos);
    if (!out.empty()) out += ' ';
    if (term.excluded) out += '-';
    out += quoted ? "\"" + text + "\"" : text;
  }
  return out;
}

}  // namespace freshet::sources
