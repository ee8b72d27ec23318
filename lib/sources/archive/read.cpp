// The answer: items as lib/model wrote them, each with the source that it came from.
#include <base/json.hpp>
#include <model/json.hpp>
#include <sources/archive/archive.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::archive {

namespace {

constexpr std::size_t max_position = 19;

result<listing> read(const http::response& answer) {
  const auto json = read_json(answer);
  if (!json) return json.error();
  const auto& items = base::member(*json, "items");
  if (!items.is_array())
    return answer_error(errc::source_error, "the archive's answer has no items", answer);
  listing out;
  for (const auto& each : base::array_of(items)) {
    auto one = model::read_item(each);
    if (!one) return one.error();
    out.items.push_back(std::move(*one));
  }
  out.next = base::text_of(base::member(*json, "next"));
  if (out.next.size() > max_position)
    return answer_error(errc::source_error, "the archive's answer has no position", answer);
  return out;
}

/// The items of one kind: a file that was changed by hand may hold others.
template <class Kind>
result<step> read_only(const http::response& answer) {
  auto page = read(answer);
  if (!page) return page.error();
  std::erase_if(page->items, [](const item& one) { return !std::holds_alternative<Kind>(one); });
  return step(std::move(*page));
}

}  // namespace

result<step> read_microblog(const call&, const settings&, const http::response& answer,
                            std::string_view, std::string_view) {
  return read_only<post>(answer);
}

result<step> read_news(const call&, const settings&, const http::response& answer,
                       std::string_view, std::string_view) {
  return read_only<article>(answer);
}

}  // namespace freshet::sources::archive
