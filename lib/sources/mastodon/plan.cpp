// Requests to Mastodon's API. It finds the instance that knows a user or a status at first hand,
// sends the token nowhere else, and decides without a fetch what no instance can have.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::mastodon {
namespace {

constexpr std::size_t max_name = 128;
constexpr std::size_t max_native_id = 64;
constexpr std::size_t max_tag = 100;  // code points; instances take fewer

bool is_user(std::string_view text, bool dots_allowed) {
  return is_name(text, max_name, dots_allowed ? "_-." : "_-") && text.front() != '.' &&
         text.back() != '.';
}

error no_such_name() {
  return error(errc::not_found,
               "Mastodon handles are name or name@host, without a dot in the name");
}

error no_such_status() {
  return error(errc::not_found,
               "not a post of Mastodon: give <host>/<id> or its page, https://<host>/@<user>/<id>");
}

http::request get(const instance& instance, const settings& settings, std::string_view path,
                  const query_pairs& parameters = {}) {
  auto request = json_request(instance.base_url, path, parameters);
  request.pace_key = pace_of(instance, "mastodon");
  if (const auto token = token_for(instance, settings); !token.empty()) {
    request.headers.push_back({"Authorization", "Bearer " + std::string(token)});
    request.redirect_limit = 0;  // the token belongs to this host
  }
  return request;
}

std::string page_size(int limit) { return std::to_string(std::clamp(limit, 1, max_page)); }

/// The id in a status page's path: @user/1, web/@user/1, deck/@user/1, users/user/statuses/1.
std::string_view status_id_in(const std::vector<std::string_view>& parts) {
  std::size_t i = 0;
  if (i < parts.size() && (parts[i] == "web" || parts[i] == "deck")) ++i;
  const auto left = parts.size() - i;
  std::string_view id;
  if (left >= 2 && parts[i].starts_with('@')) id = parts[i + 1];
  if (left >= 4 && parts[i] == "users" && parts[i + 2] == "statuses") id = parts[i + 3];
  if (left >= 4 && parts[i] == "ap" && parts[i + 1] == "users" && left >= 5 &&
      parts[i + 3] == "statuses")
    id = parts[i + 4];
  // Other sites have pages below /@user too; theirs do not end in a number.
  return is_digits(id, max_native_id) ? id : std::string_view{};
}

/// Words with a colon would be operators; phrases and exclusions are Mastodon's too.
constexpr query_syntax search_syntax = {.phrases = true, .exclusions = true, .special = ":()"};

std::string search_text(const call& call) {
  auto text = write_query(call.q, search_syntax);
  if (call.since) {
    // "after:" leaves that day out and knows no time of day.
    const auto day = base::format_time(*call.since - std::chrono::days{1}).substr(0, 10);
    text += " after:" + day;
  }
  if (!call.lang.empty()) text += " language:" + call.lang.substr(0, call.lang.find('-'));
  return text;
}

bool is_tag_byte(char c) {
  return base::is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// The part of a word that a hashtag can be made of.
std::string tag_in(std::string_view word) {
  while (!word.empty() && !is_tag_byte(word.front())) word.remove_prefix(1);
  std::size_t length = 0;
  while (length < word.size() && is_tag_byte(word[length])) ++length;
  const auto tag = word.substr(0, length);
  const bool only_digits = std::ranges::all_of(tag, base::is_digit);
  return only_digits ? std::string() : std::string(base::prefix(tag, max_tag));
}

}  // namespace

instance configured_instance(const settings& settings) {
  return instance_at(settings.base_or(default_instance));
}

std::string_view token_for(const instance& instance, const settings& settings) {
  std::string_view plain;
  for (auto rest = settings.get("token"); !rest.empty();) {
    const auto one = base::trim(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.size(), rest.find(',')));
    if (!rest.empty()) rest.remove_prefix(1);
    const auto equals = one.find('=');
    const auto host = one.substr(0, equals);
    const bool is_named = equals != std::string_view::npos && equals + 1 < one.size() &&
                          host.find_first_of(".:") != std::string_view::npos;
    if (is_named && host == instance.host) return one.substr(equals + 1);
    if (!is_named && plain.empty()) plain = one;
  }
  if (!instance.configured) return {};
  // Of several instances, a token without a host is the first one's: the others must not see it.
  auto first = settings.get("instances");
  first = base::trim(first.substr(0, first.find(',')));
  while (first.ends_with('/')) first.remove_suffix(1);
  if (!first.empty() && first != instance.base_url) return {};
  return plain;
}

bool is_native_id(std::string_view text) noexcept { return is_name(text, max_native_id, "-_"); }

result<local_name> user_target(const call& call, const settings& settings) {
  const std::string_view name = call.username;
  const auto at = name.find('@');
  if (at == std::string_view::npos) {
    if (!is_user(name, false)) return no_such_name();
    return local_name{configured_instance(settings), std::string(name)};
  }
  auto where = instance_named(name.substr(at + 1), configured_instance(settings));
  if (!where || !is_user(name.substr(0, at), true)) return no_such_name();
  return local_name{std::move(*where), std::string(name.substr(0, at))};
}

result<local_name> status_target(const call& call, const settings& settings) {
  std::string host;
  std::string_view id;
  std::optional<base::url> url;
  if (!call.native_id.empty()) {
    const auto slash = call.native_id.find('/');
    if (slash == std::string::npos) return no_such_status();
    host = call.native_id.substr(0, slash);
    id = std::string_view(call.native_id).substr(slash + 1);
    if (!is_native_id(id)) return no_such_status();
  } else {
    url = base::parse_url(call.url);
    if (!url || !url->is_http()) return no_such_status();
    host = instance_at(url->origin()).host;
    id = status_id_in(path_segments(url->path));
    if (id.empty()) return no_such_status();
  }
  auto where = instance_named(host, configured_instance(settings));
  if (!where) return no_such_status();
  return local_name{std::move(*where), std::string(id)};
}

std::string tag_of(const query::text_query& query) {
  std::string first;
  for (const auto& term : query.terms) {
    if (term.excluded) continue;
    const bool is_tag = !term.phrase && term.text.starts_with('#');
    if (!is_tag && !first.empty()) continue;
    auto tag = tag_in(term.text);
    if (is_tag && !tag.empty()) return tag;
    if (first.empty()) first = std::move(tag);
  }
  return first;
}

bool is_tag_query(const query::text_query& query) {
  if (query.terms.size() != 1 || query.terms.front().excluded) return false;
  const std::string_view text = query.terms.front().text;
  return text.size() > 1 && text.front() == '#' && tag_in(text) == text.substr(1);
}

http::request statuses_request(const local_name& whose, const settings& settings,
                               std::string_view account_id, std::string_view max_id, int limit) {
  query_pairs parameters = {{"limit", page_size(limit)}};
  if (!max_id.empty()) parameters.emplace_back("max_id", std::string(max_id));
  return get(whose.at, settings, "/api/v1/accounts/" + std::string(account_id) + "/statuses",
             parameters);
}

http::request follows_request(const call& call, const local_name& whose, const settings& settings,
                              std::string_view account_id, std::string_view max_id) {
  const auto size = std::clamp(call.limit, 1, max_follows_page);
  query_pairs parameters = {{"limit", std::to_string(size)}};
  if (!max_id.empty()) parameters.emplace_back("max_id", std::string(max_id));
  const bool followers = call.op == catalog::operation::microblog_users_followers;
  return get(
      whose.at, settings,
      "/api/v1/accounts/" + std::string(account_id) + (followers ? "/followers" : "/following"),
      parameters);
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  const auto whose = user_target(call, settings);
  if (!whose) return whose.error();
  return get(whose->at, settings, "/api/v1/accounts/lookup", {{"acct", whose->name}});
}

result<http::request> plan_timeline(const call& call, const settings& settings,
                                    std::string_view position) {
  if (position.empty()) return plan_lookup(call, settings, position);
  const auto whose = user_target(call, settings);
  if (!whose) return whose.error();
  const auto at = read_token_position(position, &is_native_id, &is_native_id, "Mastodon");
  if (!at) return at.error();
  return statuses_request(*whose, settings, at->list, at->token, call.limit);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = configured_instance(settings);
  const bool has_token = !token_for(at, settings).empty();
  const auto rest = position.substr(position.empty() ? 0 : 1);
  if (!position.empty() && (position.front() != (has_token ? 'o' : 'm') || !is_native_id(rest)))
    return foreign_position("Mastodon");
  if (has_token) {
    query_pairs parameters = {
        {"q", search_text(call)}, {"type", "statuses"}, {"limit", page_size(call.limit)}};
    if (!rest.empty()) parameters.emplace_back("offset", std::string(rest));
    return get(at, settings, "/api/v2/search", parameters);
  }
  const auto tag = tag_of(call.q);
  if (tag.empty()) {
    return error(errc::source_auth_required,
                 "Mastodon searches text only with a token, and the query has no word that could "
                 "be a hashtag; set sources.mastodon.token");
  }
  query_pairs parameters = {{"limit", page_size(call.limit)}};
  if (!rest.empty()) parameters.emplace_back("max_id", std::string(rest));
  return get(at, settings, "/api/v1/timelines/tag/" + base::percent_encode(tag), parameters);
}

result<http::request> plan_replies(const call& call, const settings& settings, std::string_view) {
  const auto status = status_target(call, settings);
  if (!status) return status.error();
  return get(status->at, settings, "/api/v1/statuses/" + status->name + "/context");
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto status = status_target(call, settings);
  if (!status) return status.error();
  return get(status->at, settings, "/api/v1/statuses/" + status->name);
}

result<http::request> plan_users(const call& call, const settings& settings,
                                 std::string_view position) {
  const auto at = configured_instance(settings);
  const auto offset = position.substr(position.empty() ? 0 : 1);
  if (!position.empty() && (position.front() != 'o' || !is_native_id(offset)))
    return foreign_position("Mastodon");
  auto words = write_query(call.q, {.phrases = false, .exclusions = false, .special = ":"});
  if (words.empty()) return error(errc::invalid_request, "the query has no word to search for");
  // Without a token there is no second page, so the first is as large as it can be.
  const bool has_token = !token_for(at, settings).empty();
  query_pairs parameters = {{"q", std::move(words)},
                            {"type", "accounts"},
                            {"limit", page_size(has_token ? call.limit : max_page)}};
  if (!offset.empty()) parameters.emplace_back("offset", std::string(offset));
  return get(at, settings, "/api/v2/search", parameters);
}

result<http::request> plan_follows(const call& call, const settings& settings,
                                   std::string_view position) {
  if (position.empty()) return plan_lookup(call, settings, position);
  const auto whose = user_target(call, settings);
  if (!whose) return whose.error();
  const auto at = read_token_position(position, &is_native_id, &is_native_id, "Mastodon");
  if (!at) return at.error();
  return follows_request(call, *whose, settings, at->list, at->token);
}

result<std::size_t> read_trends_position(std::string_view text) {
  constexpr number_codec<std::size_t> offsets{
      .source = "Mastodon", .first = 0, .least = 1, .most = last_trend};
  return offsets.read(text);
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto offset = read_trends_position(position);
  if (!offset) return offset.error();
  if (!call.country.empty())
    return left_out("country", "an instance's trends are of all that it sees");
  query_pairs parameters = {{"limit", std::to_string(max_trends_page)}};
  if (*offset != 0) parameters.emplace_back("offset", std::to_string(*offset));
  return get(configured_instance(settings), settings, "/api/v1/trends/tags", parameters);
}

}  // namespace freshet::sources::mastodon
