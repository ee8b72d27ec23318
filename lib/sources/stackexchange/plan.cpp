// Requests to the API. Questions are searched by relevance, or by age when `since` is given; a
// thread takes three requests, for the API nests nothing without a filter made for the purpose.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>
#include <sources/stackexchange/wire.hpp>

namespace freshet::sources::stackexchange {

namespace {

constexpr std::string_view version = "/2.3";

/// GET with what every method takes.
http::request get(const settings& settings, const std::string& path, query_pairs query,
                  std::string_view host) {
  query.emplace_back("site", site_parameter(host));
  query.emplace_back("filter", "withbody");
  if (const auto key = settings.get("key"); !key.empty())
    query.emplace_back("key", std::string(key));
  auto out = json_request(settings.base_url, std::string(version) + path, query);
  out.wait_in_body = wait_in_body;
  return out;
}

/// Comments by age, as a site shows them, unless votes are asked for.
query_pairs comment_order(const call& call, int page) {
  const bool by_votes = call.sort == "top";
  return {{"sort", by_votes ? "votes" : "creation"},
          {"order", by_votes || call.sort == "new" ? "desc" : "asc"},
          {"page", std::to_string(page)},
          {"pagesize", std::to_string(max_page_size)}};
}

/// The number in /questions/<number>/... or /q/<number>/...; "" if it is neither.
std::string number_in(std::string_view path) {
  const auto parts = path_segments(path);
  if (parts.size() < 2 || (parts[0] != "questions" && parts[0] != "q")) return "";
  return is_number(parts[1]) ? std::string(parts[1]) : "";
}

}  // namespace

bool is_number(std::string_view text) noexcept {
  constexpr std::size_t max_digits = 18;
  return is_digits(text, max_digits);
}

result<sized_page> read_position(std::string_view text, int limit) {
  return read_sized_page(text, limit, {max_pages, max_page_size, "Stack Exchange"});
}

result<int> read_thread_position(std::string_view text) {
  constexpr number_codec<int> pages{
      .source = "Stack Exchange", .first = 1, .least = 2, .most = max_pages};
  return pages.read(text);
}

question_address question_of(const call& call, const settings& settings) {
  if (!call.native_id.empty()) {
    const auto slash = call.native_id.find('/');
    auto host = slash == std::string::npos ? configured_host(settings)
                                           : base::to_lower_ascii(call.native_id.substr(0, slash));
    auto number = slash == std::string::npos ? call.native_id : call.native_id.substr(slash + 1);
    if (!is_number(number) || (!is_site(host) && host != configured_host(settings))) return {};
    return {std::move(host), std::move(number)};
  }
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http()) return {};
  const auto host = url->host.starts_with("www.") ? url->host.substr(4) : url->host;
  auto number = number_in(url->path);
  if (!is_site(host) || number.empty()) return {};
  return {host, std::move(number)};
}

http::request question_comments_request(const question_address& question, const call& call,
                                        const settings& settings) {
  return get(settings, "/questions/" + question.number + "/comments", comment_order(call, 1),
             question.host);
}

http::request answers_request(const question_address& question, int page, const call& call,
                              const settings& settings) {
  const bool by_time = call.sort == "new" || call.sort == "old";
  return get(settings, "/questions/" + question.number + "/answers",
             {{"sort", by_time ? "creation" : "votes"},
              {"order", call.sort == "old" ? "asc" : "desc"},
              {"page", std::to_string(page)},
              {"pagesize", std::to_string(answers_per_page)}},
             question.host);
}

http::request answer_comments_request(const question_address& question, std::string_view answers,
                                      int page, const call& call, const settings& settings) {
  return get(settings, "/answers/" + std::string(answers) + "/comments", comment_order(call, page),
             question.host);
}

http::request question_request(const question_address& question, const settings& settings) {
  return get(settings, "/questions/" + question.number, {}, question.host);
}

namespace {

/// A page of questions at `path`, in this order.
result<http::request> questions_request(const call& call, const settings& settings,
                                        std::string_view position, const std::string& path,
                                        std::string_view sort, query_pairs query) {
  const auto where = scope_of(call, settings);
  if (!where) return error(errc::not_found, "Stack Exchange has no such community");
  const auto at = read_position(position, call.limit);
  if (!at) return at.error();
  if (!where->tag.empty()) query.emplace_back("tagged", where->tag);
  query.emplace_back("sort", std::string(sort));
  query.emplace_back("order", "desc");
  if (call.since) {
    const auto since = std::chrono::ceil<std::chrono::seconds>(*call.since);
    query.emplace_back("fromdate", std::to_string(since.time_since_epoch().count()));
  }
  query.emplace_back("page", std::to_string(at->page));
  query.emplace_back("pagesize", std::to_string(at->size));
  return get(settings, path, std::move(query), where->host);
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  auto q = write_query(call.q, {.exclusions = false, .special = ":[]*"});
  const bool by_age = q.empty() || call.sort == "new" || (call.sort.empty() && call.since);
  const std::string_view order = call.sort == "top" ? "votes" : by_age ? "creation" : "relevance";
  query_pairs query;
  if (!q.empty()) query.emplace_back("q", std::move(q));
  return questions_request(call, settings, position, "/search/advanced", order, std::move(query));
}

result<http::request> plan_community(const call& call, const settings& settings,
                                     std::string_view position) {
  const std::string_view sort = call.sort == "top"   ? "votes"
                                : call.sort == "hot" ? "hot"
                                                     : "creation";
  return questions_request(call, settings, position, "/questions", sort, {});
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto of = question_of(call, settings);
  if (of.number.empty()) return error(errc::not_found, "this is not a question of Stack Exchange");
  return question_request(of, settings);
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  const auto of = question_of(call, settings);
  if (of.number.empty()) return error(errc::not_found, "this is not a question of Stack Exchange");
  const auto page = read_thread_position(position);
  if (!page) return page.error();
  return *page == 1 ? question_comments_request(of, call, settings)
                    : answers_request(of, *page, call, settings);
}

}  // namespace freshet::sources::stackexchange
