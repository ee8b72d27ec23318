// Answers of Mastodon's API as pages of items. It follows Link headers by their max_id alone, never
// to a host that an answer names, and says so when a hashtag timeline stands in for a search.
#include <algorithm>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/post_thread.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::mastodon {
namespace {

using base::json::value;

/// The body, or what the status means. Error texts are localised, so only the status counts.
result<json_body> read_api(const http::response& answer, const instance& instance) {
  // 422 is what a method answers that wants a user.
  if ((answer.status == 403 || answer.status == 422) && !is_html(answer))
    return answer_error(errc::source_auth_required, "the instance wants a token for this", answer);
  if ((answer.status == 404 || answer.status == 410) && !instance.configured)
    return answer_error(errc::not_found,
                        instance.host + " has nothing like that for Mastodon clients", answer);
  return read_json(answer);
}

/// The max_id of the next page; "" at the end.
std::string next_max_id(const http::response& answer, std::string_view before) {
  const auto url = base::parse_url(link_target(answer, "next"));
  if (!url) return {};
  auto max_id = base::query_parameter(url->query, "max_id");
  if (!max_id || !is_native_id(*max_id) || *max_id == before) return {};
  return std::move(*max_id);
}

/// The posts in a list of statuses, and whether the last one is older than `since`.
bool read_statuses(const value& list, const instance& instance, const call& call,
                   listing& listing) {
  bool is_past = false;
  for (const auto& status : base::array_of(list)) {
    const auto created = base::parse_time(base::view_of(base::member(status, "created_at")));
    if (created && call.since) is_past = *created < *call.since;
    if (auto item = read_status(status, instance)) listing.items.emplace_back(std::move(*item));
  }
  return is_past;
}

/// The id of the account that a handle was looked up to.
result<std::string> account_id_in(const value& body) {
  auto id = base::text_of(base::member(body, "id"));
  if (!is_native_id(id)) return error(errc::source_error, "the source's answer holds no account");
  if (base::flag_of(base::member(body, "suspended")).value_or(false))
    return error(errc::not_found, "the account is suspended");
  return id;
}

/// Of a list of an account's: whose it is, and behind which id this page begins.
struct account_page {
  std::string_view account, before;
};

account_page account_page_of(const exchange& exchange) {
  const auto slash = exchange.position.find('/');
  if (exchange.position.empty()) return {exchange.state, {}};
  return {exchange.position.substr(0, slash), slash == std::string_view::npos
                                                  ? std::string_view{}
                                                  : exchange.position.substr(slash + 1)};
}

/// The users in a list of accounts.
void read_accounts(const value& list, const instance& instance, listing& listing) {
  for (const auto& account : base::array_of(list)) {
    if (base::flag_of(base::member(account, "suspended")).value_or(false)) continue;
    if (auto item = read_account(account, instance)) listing.items.emplace_back(std::move(*item));
  }
}

/// The position behind a page of a search; "" at the end.
std::string offset_behind(std::string_view position, std::size_t count, const call& call) {
  auto digits = position.substr(position.empty() ? 0 : 1);
  const auto offset = base::take_number<std::size_t>(digits).value_or(0);
  const auto asked = static_cast<std::size_t>(std::clamp(call.limit, 1, max_page));
  constexpr std::size_t last_offset = 1'000'000;  // no instance goes that far
  return count >= asked && offset < last_offset ? "o" + std::to_string(offset + count) : "";
}

result<step> read_found(const call& call, const instance& instance, const value& body,
                        std::string_view position) {
  const auto& statuses = base::member(body, "statuses");
  if (!is_object_list(statuses))
    return error(errc::source_error, "the source's answer holds no posts");
  listing page;
  read_statuses(statuses, instance, call, page);
  page.next = offset_behind(position, base::array_of(statuses).size(), call);
  return step(std::move(page));
}

}  // namespace

result<step> read_lookup(const exchange& exchange) {
  const auto whose = user_target(exchange.call, exchange.settings);
  if (!whose) return whose.error();
  const auto body = read_api(exchange.answer, whose->at);
  if (!body) return body.error();
  if (base::flag_of(base::member(*body, "suspended")).value_or(false))
    return error(errc::not_found, "the account is suspended");
  auto found = read_account(*body, whose->at);
  if (!found) return error(errc::source_error, "the source's answer holds no account");
  return page_of(std::move(*found));
}

result<step> read_timeline(const exchange& exchange) {
  const auto whose = user_target(exchange.call, exchange.settings);
  if (!whose) return whose.error();
  const auto body = read_api(exchange.answer, whose->at);
  if (!body) return body.error();
  if (exchange.position.empty() && exchange.state.empty()) {
    const auto id = account_id_in(*body);
    if (!id) return id.error();
    return step(
        follow{statuses_request(*whose, exchange.settings, *id, "", exchange.call.limit), *id});
  }
  if (!is_object_list(body->root()))
    return error(errc::source_error, "the source's answer holds no statuses");

  const auto [account, before] = account_page_of(exchange);
  listing page;
  const bool is_past = read_statuses(*body, whose->at, exchange.call, page);
  const auto max_id = next_max_id(exchange.answer, before);
  if (!is_past && !max_id.empty() && !base::array_of(*body).empty())
    page.next = std::string(account) + "/" + max_id;
  return step(std::move(page));
}

result<step> read_search(const exchange& exchange) {
  const auto at = configured_instance(exchange.settings);
  const bool has_token = !token_for(at, exchange.settings).empty();
  const auto body = read_api(exchange.answer, at);
  if (!body) return body.error();
  if (has_token) return read_found(exchange.call, at, *body, exchange.position);
  if (!is_object_list(body->root())) {
    // What v2/search gives anonymous callers: 200 with no statuses, whatever there is.
    return error(errc::source_auth_required,
                 "Mastodon searches text only with a token; set sources.mastodon.token");
  }
  listing page;
  const bool is_past = read_statuses(*body, at, exchange.call, page);
  const auto before = exchange.position.empty() ? exchange.position : exchange.position.substr(1);
  const auto max_id = next_max_id(exchange.answer, before);
  if (!is_past && !max_id.empty() && !base::array_of(*body).empty()) page.next = "m" + max_id;
  if (!is_tag_query(exchange.call.q)) {
    page.partial = true;
    page.warnings.push_back(
        "Mastodon searches text only with a token (sources.mastodon.token); "
        "these are the posts under #" +
        tag_of(exchange.call.q) + " on " + at.host);
  }
  return step(std::move(page));
}

result<step> read_replies(const exchange& exchange) {
  const auto status = status_target(exchange.call, exchange.settings);
  if (!status) return status.error();
  const auto body = read_api(exchange.answer, status->at);
  if (!body) return body.error();
  const auto& descendants = base::member(*body, "descendants");
  if (!is_object_list(descendants))
    return error(errc::source_error, "the source's answer is no thread");

  const auto& ancestors = base::array_of(base::member(*body, "ancestors"));
  auto root =
      ancestors.empty() ? status->name : base::text_of(base::member(ancestors.front(), "id"));
  if (!is_native_id(root)) root = status->name;
  const auto conversation = "mastodon:" + status->at.host + "/" + root;
  entry_list<reply_entry> entries;
  for (const auto& reply : base::array_of(descendants)) {
    auto item = read_status(reply, status->at);
    if (!item) continue;
    item->conversation_id = conversation;
    entries.push_back({std::move(*item), base::text_of(base::member(reply, "id")),
                       base::text_of(base::member(reply, "in_reply_to_id"))});
  }
  auto page = page_of_replies(replies_in_pre_order(std::move(entries)), exchange.position,
                              exchange.call.limit);
  if (!page) return page.error();
  if (token_for(status->at, exchange.settings).empty() &&
      base::array_of(descendants).size() >= nearly_cut_thread) {
    page->partial = true;
    page->warnings.push_back("an instance shows at most 60 replies to callers without a token");
  }
  return step(std::move(*page));
}

result<step> read_one(const exchange& exchange) {
  const auto status = status_target(exchange.call, exchange.settings);
  if (!status) return status.error();
  const auto body = read_api(exchange.answer, status->at);
  if (!body) return body.error();
  if (!is_native_id(base::text_of(base::member(*body, "id"))))
    return error(errc::source_error, "the source's answer holds no post");
  auto found = read_status(*body, status->at);
  if (!found) return error(errc::not_found, "the post is not public");
  return page_of(std::move(*found));
}

result<step> read_users(const exchange& exchange) {
  const auto at = configured_instance(exchange.settings);
  const auto body = read_api(exchange.answer, at);
  if (!body) return body.error();
  const auto& accounts = base::member(*body, "accounts");
  if (!is_object_list(accounts))
    return error(errc::source_error, "the source's answer holds no users");
  listing page;
  read_accounts(accounts, at, page);
  const auto count = base::array_of(accounts).size();
  if (!token_for(at, exchange.settings).empty()) {
    page.next = offset_behind(exchange.position, count, exchange.call);
  } else if (count >= max_page) {
    page.partial = true;
    page.warnings.push_back("an instance shows " + std::to_string(max_page) +
                            " users of a search to callers without a token");
  }
  return step(std::move(page));
}

result<step> read_follows(const exchange& exchange) {
  const auto whose = user_target(exchange.call, exchange.settings);
  if (!whose) return whose.error();
  const auto body = read_api(exchange.answer, whose->at);
  if (!body) return body.error();
  if (exchange.position.empty() && exchange.state.empty()) {
    const auto id = account_id_in(*body);
    if (!id) return id.error();
    if (base::flag_of(base::member(*body, "hide_collections")).value_or(false))
      return error(errc::not_found, "the user shows to nobody who follows whom");
    return step(follow{follows_request(exchange.call, *whose, exchange.settings, *id, ""), *id});
  }
  if (!is_object_list(body->root()))
    return error(errc::source_error, "the source's answer holds no users");
  const auto [account, before] = account_page_of(exchange);
  listing page;
  read_accounts(*body, whose->at, page);
  const auto max_id = next_max_id(exchange.answer, before);
  if (!max_id.empty() && !base::array_of(*body).empty())
    page.next = std::string(account) + "/" + max_id;
  return step(std::move(page));
}

namespace {

/// What a tag's history says of today and yesterday, the first two days in it: so Mastodon's own
/// pages count. The numbers come as texts.
count of_two_days(const value& tag, std::string_view key) {
  constexpr std::int64_t most_counted = 1'000'000'000'000;
  count sum;
  std::size_t days = 0;
  for (const auto& day : base::array_of(base::member(tag, "history"))) {
    if (days++ == 2) break;
    const auto one = count_in(base::view_of(base::member(day, key)));
    // What no instance has seen does not count.
    if (one && *one < most_counted) sum = sum.value_or(0) + *one;
  }
  return sum;
}

}  // namespace

result<step> read_trends(const exchange& exchange) {
  const auto at = configured_instance(exchange.settings);
  const auto offset = read_trends_position(exchange.position);
  if (!offset) return offset.error();
  const auto body = read_api(exchange.answer, at);
  if (!body) return body.error();
  if (!is_object_list(body->root()))
    return error(errc::source_error, "the source's answer holds no trends");
  listing page;
  for (const auto& tag : base::array_of(*body)) {
    const auto name = clean_name(base::member(tag, "name"));
    if (name.empty()) continue;
    trend found;
    found.id = "mastodon:" + at.host + "/tags/" + name;
    found.source = "mastodon";
    found.title = "#" + name;
    found.url = page_url(base::view_of(base::member(tag, "url")));
    found.tags.push_back(name);
    found.metrics.posts = of_two_days(tag, "uses");
    found.metrics.people = of_two_days(tag, "accounts");
    page.items.emplace_back(std::move(found));
  }
  const auto read = base::array_of(*body).size();
  if (read >= max_trends_page && *offset + read <= last_trend)
    page.next = std::to_string(*offset + read);
  return step(std::move(page));
}

}  // namespace freshet::sources::mastodon
