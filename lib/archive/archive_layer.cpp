// From a URL to a search, and from a page to JSON.
#include <archive/archive_layer.hpp>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <sources/archive/wire.hpp>

namespace freshet::archive {
namespace {

constexpr std::size_t max_page = 100;
/// Tickets of our own have it; the layers below have none with it.
constexpr std::uint64_t our_ticket = std::uint64_t{1} << 62;

template <class Number>
Number number_of(const std::optional<std::string>& text, Number fallback) {
  return text ? base::parse_number<Number>(*text).value_or(fallback) : fallback;
}

std::string json_of(const page& found) {
  std::string out = "{\"items\":[";
  for (std::size_t i = 0; i < found.items.size(); ++i) {
    if (i != 0) out += ',';
    out += found.items[i];
  }
  out += "],\"next\":";
  base::append_json_string(out, found.next == 0 ? "" : std::to_string(found.next));
  out += '}';
  return out;
}

/// How many items each archive holds, for whoever only asks whether there is one.
result<std::string> overview(const stores& kept) {
  std::string out = "{\"kept\":{";
  bool first = true;
  for (const auto& [platform, one] : kept) {
    const auto measured = one == nullptr ? result<statistics>(statistics()) : one->measure();
    if (!measured) return measured.error();
    if (!std::exchange(first, false)) out += ',';
    base::append_json_string(out, platform);
    out += ":" + std::to_string(measured->items);
  }
  return out + "}}";
}

result<std::string> search_in(item_store& kept, const std::string& query,
                              const search_course& course) {
  search what;
  what.course = &course;
  const auto q = base::query_parameter(query, "q").value_or("");
  auto parsed = query::parse_text_query(q);
  if (!parsed) return parsed.error();
  what.q = &*parsed;
  if (const auto since = base::query_parameter(query, "since"))
    what.since = base::parse_time(*since);
  what.lang = base::query_parameter(query, "lang").value_or("");
  what.before = number_of<std::int64_t>(base::query_parameter(query, "before"), 0);
  what.limit = std::clamp<std::size_t>(
      number_of<std::size_t>(base::query_parameter(query, "limit"), 20), 1, max_page);
  const auto found = kept.find(what);
  if (!found) return found.error();
  return json_of(*found);
}

}  // namespace

archive_layer::archive_layer(std::unique_ptr<http::transport> next, stores kept,
                             const base::clock& clock)
    : next_(std::move(next)), kept_(std::move(kept)), clock_(clock) {}

std::uint64_t archive_layer::submit(http::request&& request, deadline deadline, handler done) {
  if (!request.url.starts_with(sources::archive::base_url)) {
    return next_->submit(std::move(request), deadline, std::move(done));
  }
  const auto search = [this, url = request.url](const search_course& course) {
    return answer(url, course);
  };
  return places_.submit(request.owner, deadline, search, std::move(done)) | our_ticket;
}

void archive_layer::cancel(std::uint64_t ticket) {
  if ((ticket & our_ticket) == 0) return next_->cancel(ticket);
  places_.cancel(ticket & ~our_ticket);
}

result<http::response> archive_layer::answer(const std::string& url,
                                             const search_course& course) const {
  const auto before = clock_.steady();
  const auto parsed = base::parse_url(url);
  if (!parsed || parsed->origin() != sources::archive::base_url)
    return error(errc::target_forbidden, "there is no such address of the archive");
  result<std::string> body = error(errc::not_found, "the archive has no such page");
  constexpr std::string_view suffix = "/search";
  if (parsed->path == "/") {
    body = overview(kept_);
  } else if (parsed->path.ends_with(suffix)) {
    const auto platform =
        std::string_view(parsed->path).substr(1, parsed->path.size() - 1 - suffix.size());
    const auto found = kept_.find(platform);
    if (found == kept_.end() || found->second == nullptr) {
      return error(errc::source_unavailable, "nothing has been kept yet for this platform");
    }
    body = search_in(*found->second, parsed->query, course);
  }
  if (!body) return body.error();
  http::response out;
  out.status = 200;
  out.headers = {{"Content-Type", "application/json"}};
  out.body = std::move(*body);
  out.final_url = url;
  out.fetched_at = clock_.now();
  out.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.steady() - before);
  return out;
}

}  // namespace freshet::archive
