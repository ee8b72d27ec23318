// Any text as `q` and as `since`: a query holds terms of folded words, a text holds each of its own
// terms and fails whatever excludes it, and each refusal names its one parameter.
#include <base/unicode.hpp>
#include <cstdint>
#include <fuzz/target.hpp>
#include <query/since.hpp>
#include <query/text_query.hpp>

namespace {

using namespace freshet;

void require_refusal(const error& why, std::string_view pointer) {
  fuzz::require(why.code() == errc::invalid_request && why.parameters.size() == 1);
  fuzz::require(why.parameters.front().pointer == pointer);
  fuzz::require(base::is_utf8(why.detail()));
}

void read_query(std::string_view text, const post& among) {
  const auto parsed = query::parse_text_query(text);
  if (!parsed) return require_refusal(parsed.error(), "/q");
  fuzz::require(!parsed->terms.empty());
  static_cast<void>(query::matches(*parsed, among));
  for (const auto& one : parsed->terms) {
    fuzz::require(!one.words.empty() && base::is_utf8(one.text));
    query::text_query alone;
    alone.terms.push_back(one);
    post holds;
    holds.text = one.text;
    fuzz::require(query::matches(alone, holds) != one.excluded);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  // What is searched stands behind the query, in a line of its own.
  const auto end = bytes.find('\n');
  post among;
  if (end != std::string_view::npos) among.text = base::repair_utf8(bytes.substr(end + 1));
  read_query(bytes.substr(0, end), among);
  const auto since = query::parse_since(bytes);
  if (!since) {
    require_refusal(since.error(), "/since");
  } else {
    fuzz::require(*since > std::chrono::seconds(0) && *since <= std::chrono::hours(24 * 3650));
  }
  return 0;
}
