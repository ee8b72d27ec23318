// The order of the checks: method, names, key, representation, message, session. Each has its own
// status, and none of them says more than the one before it has earned.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <server/http/bearer.hpp>
#include <server/http/event_reply.hpp>
#include <server/http/negotiation.hpp>
#include <server/http/trace_fields.hpp>
#include <server/mcp/http_address.hpp>
#include <server/mcp/http_endpoint.hpp>
#include <server/mcp/http_sinks.hpp>
#include <server/mcp/resources.hpp>
#include <server/routes.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view session_field = "Mcp-Session-Id";
constexpr std::string_view session_methods = "GET, POST, DELETE";
constexpr std::string_view stateless_methods = "POST";
constexpr std::string_view event_stream = "text/event-stream";
/// For what no JSON-RPC code is made.
constexpr auto plain_error = rpc_error{-32000};

reply empty_reply(int status, const std::string& request_id) {
  reply out;
  out.status = status;
  out.request_id = request_id;
  out.content_type.clear();
  return out;
}

std::string_view version_of(const request_head& head) {
  return head.field("mcp-protocol-version").value_or("");
}

/// Whether a message says of itself that it follows the revision without a handshake, or one that
/// nobody knows yet.
bool is_stateless(const request_head& head, const message& said) {
  if (version_of(head) == stateless_revision) return true;
  const json::object* meta = object_at(said.params, "_meta");
  return meta != nullptr && !text_at(*meta, version_key).empty();
}

/// The scope that a request needs: "" for none.
std::string_view scope_of(const message& said, const offers& offered) {
  if (said.method == "resources/read") {
    return text_at(said.params, "uri").starts_with(document_prefix) ? "read" : "";
  }
  if (said.method != "tools/call") return "";
  const json::object* tool = find_tool(offered, text_at(said.params, "name"));
  const json::object* meta = tool == nullptr ? nullptr : object_at(*tool, "_meta");
  if (meta == nullptr) return "";
  return text_at(*meta, "freshet/endpoint").starts_with("account/") ? "account" : "read";
}

}  // namespace

void http_endpoint::arrival::refuse(int status, rpc_error code, std::string_view detail,
                                    std::string_view allow) const {
  reply out = message_reply(status, error_text(nullptr, code, detail), request_id);
  out.allow = allow;
  give(std::move(out));
}

http_endpoint::http_endpoint(http_settings settings, std::function<offers()> offered,
                             client& behind, key_check keys)
    : with_(std::move(settings)),
      make_offers_(std::move(offered)),
      behind_(behind),
      keys_(std::move(keys)),
      sessions_(with_.sessions),
      rate_(with_.rate) {}

const std::shared_ptr<const offers>& http_endpoint::offered() const {
  if (!offered_) offered_ = std::make_shared<const offers>(make_offers_());
  return offered_;
}

deferred_reply http_endpoint::receive(http_request request, const request_facts& facts) {
  auto shared = std::make_shared<const http_request>(std::move(request));
  return {[this, shared, id = facts.request_id](giver give) {
    return begin({shared, id, {}, {}, {}, std::move(give)});
  }};
}

http_endpoint::client_gone_handler http_endpoint::begin(arrival&& of) {
  const std::string_view method = of.head().method();
  const bool stateless = version_of(of.head()) == stateless_revision;
  const std::string_view allowed = stateless ? stateless_methods : session_methods;
  if (method == "OPTIONS") {
    reply out =
        message_reply(200, json::serialize(json::object{{"allow", allowed}}), of.request_id);
    out.allow = allowed;
    of.give(std::move(out));
    return {};
  }
  if (method != "POST" && (stateless || (method != "GET" && method != "DELETE"))) {
    of.refuse(405, plain_error, "Method not allowed. Use " + std::string(allowed), allowed);
    return {};
  }
  if (const auto why = check_hosts(with_.hosts, of.head())) {
    of.refuse(403, plain_error, *why);
    return {};
  }
  if (!authorize(of) || !take_tokens(of, 1)) return {};
  if (method == "POST") return post(of);
  method == "GET" ? listen(of) : end_session(of);
  return {};
}

bool http_endpoint::authorize(arrival& of) const {
  result<std::string> key = bearer_key(of.head());
  if (!key && with_.open && key.error().code() == errc::missing_api_key) return true;
  if (!key) {
    challenge(of, key.error(), "invalid_token");
    return false;
  }
  const auto rights = keys_.rights(*key);
  if (!rights) {
    challenge(of, rights.error(), "invalid_token");
    return false;
  }
  of.key = std::move(*key);
  of.may = *rights;
  // Without accounts each key is for itself; a key is no number.
  of.owner = rights->owner != 0 ? std::to_string(rights->owner) : of.key;
  return true;
}

bool http_endpoint::take_tokens(const arrival& arrival, std::size_t messages) {
  if (arrival.owner.empty() || messages == 0) return true;  // the test profile's
  const auto wait = rate_.take(arrival.owner, messages, message_rate::clock::now());
  if (!wait) return true;
  const std::string detail = "too many messages; the account may send " +
                             std::to_string(static_cast<std::int64_t>(with_.rate.a_second)) +
                             " a second: wait for Retry-After";
  reply out = message_reply(
      429,
      error_text(nullptr, plain_error, detail,
                 json::object{{"code", "rate_limited"}, {"retry_after_s", wait->count()}}),
      arrival.request_id);
  out.retry_after = *wait;
  arrival.give(std::move(out));
  return false;
}

void http_endpoint::sweep() {
  const auto now = http_sessions::clock::now();
  sessions_.expire(now);
  sessions_.share_space();
  sessions_.end_revoked(keys_.is_good);
  rate_.forget_full(now);
}

void http_endpoint::challenge(const arrival& arrival, const error& why,
                              std::string_view kind) const {
  reply out = reply_of(keys_.problem(why, arrival.request_id));
  const std::string value = "Bearer error=\"" + std::string(kind) + "\", resource_metadata=\"" +
                            address_of(with_.base_url, with_.is_https, arrival.head()) +
                            std::string(metadata_path) + "\"";
  if (out.status == 401) {
    out.challenge = value;
  } else {
    out.more_fields.emplace_back("WWW-Authenticate", value);
  }
  arrival.give(std::move(out));
}

bool http_endpoint::has_scope(const arrival& arrival, const message& said) const {
  const std::string_view scope = arrival.key.empty() ? "" : scope_of(said, *offered());
  if (scope.empty() || (scope == "read" ? arrival.may.read : arrival.may.account)) return true;
  challenge(arrival,
            error(errc::forbidden_scope, "the key lacks the scope '" + std::string(scope) + "'"),
            "insufficient_scope");
  return false;
}

http_endpoint::client_gone_handler http_endpoint::post(const arrival& of) {
  const request_head& head = of.head();
  const std::string_view accept = head.field("accept").value_or("");
  if (!accepts_type(accept, "application/json") || !accepts_type(accept, event_stream)) {
    of.refuse(406, plain_error,
              "Not Acceptable: Accept both application/json and text/event-stream");
    return {};
  }
  if (!is_json(head.field("content-type").value_or("")) || head.field("content-encoding")) {
    of.refuse(415, plain_error, "Unsupported Media Type: send Content-Type: application/json");
    return {};
  }
  rejection why;
  auto said = read_messages(of.what->body, why);
  if (!said) {
    of.give(message_reply(400, error_text(why.id, why.code, why.detail), of.request_id));
    return {};
  }
  if (!take_tokens(of, said->size() - 1)) return {};
  const trace_fields trace = trace_fields_of(head);
  for (message& one : *said) {
    one.traceparent = trace.parent;
    one.tracestate = trace.state;
  }
  if (said->size() == 1) {
    if (!has_scope(of, said->front())) return {};
    if (is_stateless(head, said->front())) return post_stateless(of, said->front());
  } else if (version_of(head) == stateless_revision) {
    of.refuse(400, rpc_error::invalid_request, "send one message at a time, not a batch");
    return {};
  }
  post_in_session(of, std::move(*said));
  return {};
}

http_endpoint::client_gone_handler http_endpoint::post_stateless(const arrival& arrival,
                                                                 const message& said) {
  if (said.what == message::kind::answer) {
    arrival.refuse(400, rpc_error::invalid_request, "nothing was asked of the client");
    return {};
  }
  if (const auto why = check_agreement(arrival.head(), said, *offered())) {
    arrival.give(message_reply(400, error_text(said.id, why->code, why->detail, why->data),
                               arrival.request_id));
    return {};
  }
  if (said.what == message::kind::notification) {
    // What is cancelled here is cancelled by leaving its stream.
    arrival.give(empty_reply(202, arrival.request_id));
    return {};
  }
  const auto talk = std::make_shared<session_core>(offered(), behind_, caller_of(arrival));
  const std::weak_ptr<session_core> weak = talk;
  const auto on_client_gone = [weak] {
    if (const auto left = weak.lock()) left->close();
  };
  talk->receive(
      said, std::make_shared<direct_sink>(arrival.give, arrival.request_id, on_client_gone), true);
  return on_client_gone;
}

caller http_endpoint::caller_of(const arrival& of) const { return {of.key, false}; }

http_session* http_endpoint::find_session(const arrival& of) {
  const auto id = of.head().field(session_field);
  if (!id) {
    of.refuse(400, plain_error, "Bad Request: initialize first, then send Mcp-Session-Id");
    return nullptr;
  }
  const std::string_view version = version_of(of.head());
  if (!version.empty() && !is_handshake_revision(version)) {
    of.refuse(400, plain_error,
              "Bad Request: Unsupported protocol version: " + clipped(version) +
                  " (supported: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26)");
    return nullptr;
  }
  http_session* const found = sessions_.find(*id, of.key, http_sessions::clock::now());
  if (found == nullptr) of.refuse(404, plain_error, "Session not found");
  return found;
}

http_session* http_endpoint::open_session(const arrival& arrival, const message& said) {
  if (arrival.head().field(session_field)) {
    arrival.refuse(400, rpc_error::invalid_request, "Invalid Request: the session is initialized");
    return nullptr;
  }
  const std::string asked = text_at(said.params, "protocolVersion");
  const bool primes = !is_handshake_revision(asked) || asked == handshake_revisions.front();
  http_session* const made =
      sessions_.open(arrival.owner, arrival.key,
                     std::make_shared<session_core>(offered(), behind_, caller_of(arrival)), primes,
                     http_sessions::clock::now());
  if (made == nullptr) {
    error why(errc::overloaded, "there are too many sessions; end one, or wait for one to expire");
    why.retry_after = std::chrono::seconds(60);
    arrival.give(reply_of(keys_.problem(why, arrival.request_id)));
  }
  return made;
}

std::shared_ptr<body_stream> http_endpoint::make_body(const arrival& arrival,
                                                      const http_session& session) {
  auto made = sessions_.make_body(session);
  if (made) return made;
  error why(errc::overloaded, "too many streams of the account are unread; read them to their end");
  why.retry_after = std::chrono::seconds(5);
  arrival.give(reply_of(keys_.problem(why, arrival.request_id)));
  return nullptr;
}

void http_endpoint::post_in_session(const arrival& arrival, std::vector<message>&& said) {
  const auto initializes = [](const message& one) {
    return one.what == message::kind::request && one.method == "initialize";
  };
  const bool opens = said.size() == 1 && initializes(said.front());
  if (!opens && std::ranges::any_of(said, initializes)) {
    return arrival.refuse(400, rpc_error::invalid_request, "send initialize by itself");
  }
  http_session* const found = opens ? open_session(arrival, said.front()) : find_session(arrival);
  if (found == nullptr) return;
  // What it holds outlives the session, should a message end it.
  const std::shared_ptr<session_core> talk = found->talk;
  const std::shared_ptr<event_log> log = found->log;
  const auto requests =
      static_cast<std::size_t>(std::ranges::count(said, message::kind::request, &message::what));
  if (requests == 0) {
    arrival.give(empty_reply(202, arrival.request_id));
    for (const message& one : said) talk->receive(one, nullptr);
    return;
  }
  const auto body = make_body(arrival, *found);
  if (body == nullptr) return;
  const auto feed =
      std::make_shared<message_feed>(std::move(said), talk, log, log->open(body), requests);
  reply out = event_reply(body, arrival.request_id);
  out.more_fields.emplace_back(session_field, found->id);
  arrival.give(std::move(out));
  feed->go_on();
}

void http_endpoint::listen(const arrival& of) {
  if (!accepts_type(of.head().field("accept").value_or(""), event_stream)) {
    return of.refuse(406, plain_error, "Not Acceptable: Accept text/event-stream");
  }
  const http_session* const found = find_session(of);
  if (found == nullptr) return;
  const auto body = make_body(of, *found);
  if (body == nullptr) return;
  const auto last = of.head().field("last-event-id");
  if (!last) {
    found->log->listen(body);
  } else if (!found->log->resume(*last, body)) {
    return of.refuse(400, plain_error,
                     "Bad Request: what came after this Last-Event-ID is no longer kept");
  }
  reply out = event_reply(body, of.request_id);
  out.more_fields.emplace_back(session_field, found->id);
  of.give(std::move(out));
}

void http_endpoint::end_session(const arrival& of) {
  const http_session* const found = find_session(of);
  if (found == nullptr) return;
  sessions_.end(*found);
  of.give(empty_reply(200, of.request_id));
}

}  // namespace freshet::server::mcp
