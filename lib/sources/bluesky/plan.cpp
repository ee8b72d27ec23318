// Requests to Bluesky's XRPC. It decides without a fetch what cannot be Bluesky's: a handle without
// a dot, a post of another network.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::bluesky {
namespace {

constexpr std::size_t max_handle = 253;  // of the handle specification
constexpr std::size_t max_label = 63;    // likewise
constexpr std::size_t max_did = 256;     // did:plc has 32; did:web a host name
constexpr std::size_t max_record_key = 512;

http::request get(std::string_view base, std::string_view method, const query_pairs& parameters) {
  auto request = json_request(base, "/xrpc/" + std::string(method), parameters);
  request.pace_key = "bluesky";
  return request;
}

std::string_view base_of(const settings& settings) { return settings.base_or(public_appview); }

/// An operator's own AppView answers searches too; of the public ones, only the web client's does.
std::string_view search_base_of(const settings& settings) {
  const auto base = base_of(settings);
  return base == public_appview ? search_appview : base;
}

std::string_view pds_of(const settings& settings) {
  const auto pds = settings.get("pds_url");
  return pds.empty() ? default_pds : pds;
}

std::string page_size(const call& call) {
  return std::to_string(std::clamp(call.limit, 1, max_page));
}

/// A word with a colon would be an operator ("from:alice.test").
constexpr query_syntax lucene = {.phrases = true, .exclusions = false, .special = ":()"};

query_pairs search_parameters(const call& call, std::string_view position) {
  query_pairs parameters = {
      {"q", write_query(call.q, lucene)}, {"sort", "latest"}, {"limit", page_size(call)}};
  if (call.since) parameters.emplace_back("since", base::format_time(*call.since));
  if (!call.lang.empty()) parameters.emplace_back("lang", call.lang);
  if (!position.empty()) parameters.emplace_back("cursor", std::string(position));
  return parameters;
}

error no_such_handle() {
  return error(errc::not_found,
               "Bluesky handles are host names, such as alice.example.org, or DIDs");
}

error no_such_post() {
  return error(errc::not_found,
               "not a post of Bluesky: give at://<did>/app.bsky.feed.post/<key> or its page on "
               "bsky.app");
}

bool is_record_key(std::string_view text) { return is_name(text, max_record_key, "._:~-"); }

result<post_address> checked(std::string actor, std::string rkey) {
  if ((!is_handle(actor) && !is_did(actor)) || !is_record_key(rkey)) return no_such_post();
  return post_address{std::move(actor), std::move(rkey)};
}

/// `ask` for the post that the call names, or first for the DID of its author.
result<http::request> plan_of_post(const call& call, const settings& settings,
                                   decltype(post_request)* ask) {
  const auto address = address_of(call);
  if (!address) return address.error();
  if (address->has_did()) return ask(settings, address->actor, address->rkey);
  return get(base_of(settings), "com.atproto.identity.resolveHandle", {{"handle", address->actor}});
}

}  // namespace

bool is_handle(std::string_view text) noexcept {
  if (text.empty() || text.size() > max_handle) return false;
  std::size_t labels = 0;
  char last_start = '0';
  while (true) {
    const auto dot = text.find('.');
    const auto label = text.substr(0, dot);
    if (!is_name(label, max_label, "-")) return false;
    if (label.front() == '-' || label.back() == '-') return false;
    ++labels;
    last_start = label.front();
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  const bool numeric_end = last_start >= '0' && last_start <= '9';
  return labels >= 2 && !numeric_end;
}

bool is_did(std::string_view text) noexcept {
  if (!text.starts_with("did:") || text.size() > max_did) return false;
  text.remove_prefix(4);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  const auto method = text.substr(0, colon);
  const auto rest = text.substr(colon + 1);
  return std::ranges::all_of(method, [](char c) { return c >= 'a' && c <= 'z'; }) &&
         is_name(rest, max_did, "._:%-");
}

result<post_address> address_of(const call& call) {
  if (!call.native_id.empty()) {
    if (!call.native_id.starts_with("at://")) return no_such_post();
    const auto parts = path_segments(std::string_view(call.native_id).substr(5));
    if (parts.size() != 3 || parts[1] != post_collection) return no_such_post();
    return checked(std::string(parts[0]), std::string(parts[2]));
  }
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http() || base::host_of(call.url) != "bsky.app") return no_such_post();
  const auto parts = path_segments(url->path);
  if (parts.size() < 4 || parts[0] != "profile" || parts[2] != "post") return no_such_post();
  return checked(base::percent_decode(parts[1]), base::percent_decode(parts[3]));
}

bool has_session(const settings& settings) {
  return !settings.get("identifier").empty() && !settings.get("app_password").empty();
}

std::string post_uri(std::string_view did, std::string_view rkey) {
  std::string uri = "at://";
  uri.append(did).append("/").append(post_collection).append("/").append(rkey);
  return uri;
}

http::request post_request(const settings& settings, std::string_view did, std::string_view rkey) {
  return get(base_of(settings), "app.bsky.feed.getPosts", {{"uris", post_uri(did, rkey)}});
}

http::request thread_request(const settings& settings, std::string_view did,
                             std::string_view rkey) {
  return get(base_of(settings), "app.bsky.feed.getPostThread",
             {{"uri", post_uri(did, rkey)},
              {"depth", std::to_string(max_thread_depth)},
              {"parentHeight", "0"}});
}

http::request session_request(const settings& settings) {
  http::request request;
  request.method = "POST";
  request.url = base::join_path(pds_of(settings), "/xrpc/com.atproto.server.createSession");
  request.headers = {{"Accept", "application/json"}, {"Content-Type", "application/json"}};
  auto identifier = settings.get("identifier");
  // Pages show handles with it; a PDS takes what has one for an e-mail address.
  if (identifier.starts_with('@')) identifier.remove_prefix(1);
  boost::json::object credentials;
  credentials["identifier"] = identifier;
  credentials["password"] = settings.get("app_password");
  request.body = boost::json::serialize(credentials);
  request.redirect_limit = 0;  // the password belongs to this host
  request.cacheable = false;
  request.keep_for = session_kept;
  request.pace_key = "bluesky";
  return request;
}

http::request session_search_request(const call& call, const settings& settings,
                                     std::string_view position) {
  return get(pds_of(settings), "app.bsky.feed.searchPosts", search_parameters(call, position));
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  if (!is_handle(call.username) && !is_did(call.username)) return no_such_handle();
  return get(base_of(settings), "app.bsky.actor.getProfile", {{"actor", call.username}});
}

result<http::request> plan_timeline(const call& call, const settings& settings,
                                    std::string_view position) {
  if (!is_handle(call.username) && !is_did(call.username)) return no_such_handle();
  query_pairs parameters = {{"actor", call.username}, {"limit", page_size(call)}};
  if (!position.empty()) parameters.emplace_back("cursor", std::string(position));
  return get(base_of(settings), "app.bsky.feed.getAuthorFeed", parameters);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  auto parameters = search_parameters(call, position);
  if (parameters.front().second.empty())
    return error(errc::invalid_request, "the query has no word to search for");
  if (!has_session(settings))
    return get(search_base_of(settings), "app.bsky.feed.searchPosts", parameters);
  return session_request(settings);
}

result<http::request> plan_replies(const call& call, const settings& settings, std::string_view) {
  return plan_of_post(call, settings, thread_request);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  return plan_of_post(call, settings, post_request);
}

result<http::request> plan_users(const call& call, const settings& settings,
                                 std::string_view position) {
  // Handles and names are sought by how they begin; the pipeline looks closer.
  auto words = write_query(call.q, {.phrases = false, .exclusions = false, .special = {}});
  if (words.empty()) return error(errc::invalid_request, "the query has no word to search for");
  query_pairs parameters = {{"q", std::move(words)}, {"limit", page_size(call)}};
  if (!position.empty()) parameters.emplace_back("cursor", std::string(position));
  return get(base_of(settings), "app.bsky.actor.searchActors", parameters);
}

result<http::request> plan_follows(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!is_handle(call.username) && !is_did(call.username)) return no_such_handle();
  query_pairs parameters = {{"actor", call.username}, {"limit", page_size(call)}};
  if (!position.empty()) parameters.emplace_back("cursor", std::string(position));
  const bool followers = call.op == catalog::operation::microblog_users_followers;
  return get(base_of(settings),
             followers ? "app.bsky.graph.getFollowers" : "app.bsky.graph.getFollows", parameters);
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty()) return foreign_position("Bluesky");
  if (!call.country.empty()) return left_out("country", "Bluesky's trends are of everywhere");
  return get(base_of(settings), "app.bsky.unspecced.getTrends",
             {{"limit", std::to_string(max_trends)}});
}

}  // namespace freshet::sources::bluesky
