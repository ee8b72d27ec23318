// Runs the catalogue's example calls, and one call for each error that the sandbox can provoke, in
// an engine of its own that never leaves the sandbox and has no accounts.
#include <base/json.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <engine/account_examples.hpp>
#include <engine/answer_examples.hpp>
#include <freshet/engine.hpp>
#include <model/json.hpp>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::string_view example_request_id = "req_01KATZ5V2N8Q4R6S8T0V2W4X6Y";
constexpr std::string_view recorded_day = "2026-11-01";
constexpr std::string_view example_cursor = "c1.eyJ2IjoxfQ";
constexpr credits_info example_credits{0, 1000};

/// A call that fails, and with what.
struct failing_call {
  errc code;
  std::string_view endpoint, body, key;
};
constexpr failing_call failing_calls[] = {
    {errc::invalid_json, "microblog/search", R"({"q": "tide gauge")", ""},
    {errc::invalid_request, "microblog/search", R"({"q": "tide gauge", "since": "24x"})", ""},
    {errc::invalid_cursor, "news/search", R"({"q": "climate", "cursor": "c1.e30.AAAA"})", ""},
    {errc::missing_api_key, "news/search", R"({"q": "climate"})", ""},
    {errc::invalid_api_key, "news/search", R"({"q": "climate"})", "frs_live_mistyped"},
    {errc::max_credits_exceeded, "news/search", R"({"q": "climate", "max_credits": 0})", ""},
    {errc::unknown_endpoint, "microblog/serch", "{}", ""},
    {errc::not_found, "microblog/users/lookup", R"({"username": "nobody.test"})", ""},
    {errc::unsupported_content, "scrape/markdown",
     R"({"url": "https://example.org/gauge/curve.png"})", ""},
    {errc::unsafe_content, "scrape/markdown",
     R"({"url": "https://example.org/gauge/orders", "safety": "refuse"})", ""},
    {errc::source_error, "scrape/markdown", R"({"url": "https://example.org/gauge/now"})", ""},
    {errc::source_blocked, "web-serp/search", R"({"q": "forbidden", "sources": ["mojeek"]})", ""},
    {errc::source_auth_required, "web-serp/search", R"({"q": "forbidden", "sources": ["serper"]})",
     ""},
    {errc::source_unavailable, "web-serp/search", R"({"q": "quota", "sources": ["brave"]})", ""},
};

json::object credits() {
  return {{"used", example_credits.used}, {"remaining", *example_credits.remaining}};
}

/// What differs from run to run becomes fixed.
void settle(json::object& envelope) {
  if (auto* page = envelope.if_contains("page"); page != nullptr && page->is_object()) {
    auto& next = page->as_object()["next_cursor"];
    if (next.is_string()) next = example_cursor;
  }
  auto& meta = envelope["meta"].as_object();
  meta["credits"] = credits();
  for (auto& source : meta["sources"].as_array()) source.as_object()["elapsed_ms"] = 0;
}

/// The answer as an object; empty if it is none.
json::object read(const response& answered) {
  auto parsed = base::parse_json(answered.body, true);
  return parsed && parsed->is_object() ? std::move(parsed->as_object()) : json::object();
}

std::string example_of_account(const catalog::endpoint& of) {
  const auto example = example_of_account_call(of.op);
  response_meta meta;
  meta.request_id = example_request_id;
  meta.credits = example_credits;
  return model::make_envelope(example.data, example.page ? &*example.page : nullptr, meta).body;
}

/// "" if the sandbox does not answer.
std::string sandbox_answer(engine& sandbox, const catalog::endpoint& endpoint) {
  auto body = catalog::example_body(endpoint);
  if (endpoint.shape == catalog::answer_shape::list) body["limit"] = 1;
  request what;
  what.endpoint = endpoint.path;
  what.body = json::serialize(body);
  what.request_id = example_request_id;
  const auto answered = sandbox.call(std::move(what));
  auto envelope = answered.ok() ? read(answered) : json::object();
  if (envelope.empty()) return {};
  settle(envelope);
  return json::serialize(envelope);
}

/// "" if it does not fail as it should.
std::string sandbox_problem(engine& sandbox, const failing_call& call) {
  request what;
  what.endpoint = call.endpoint;
  what.body = call.body;
  what.api_key = call.key;
  what.request_id = example_request_id;
  what.in_process = call.code != errc::missing_api_key;
  const auto answered = sandbox.call(std::move(what));
  auto problem = answered.code == call.code ? read(answered) : json::object();
  if (problem.empty()) return {};
  problem["credits"] = credits();
  return json::serialize(problem);
}

}  // namespace

answer_examples make_answer_examples() {
  answer_examples made;
  for (const auto& endpoint : catalog::endpoints()) {
    if (endpoint.scope != catalog::scope::account) continue;
    made.answers.emplace(endpoint.path, example_of_account(endpoint));
  }
  engine_options options;
  options.collect = false;
  if (!options.config.set("network.sandbox", "true")) return made;
  // The description is the same on every day.
  if (!options.config.set("sandbox.date", recorded_day)) return made;
  const auto sandbox = engine::open(std::move(options));
  if (!sandbox) return made;
  for (const auto& endpoint : catalog::endpoints()) {
    if (endpoint.scope == catalog::scope::account) continue;
    made.answers.emplace(endpoint.path, sandbox_answer(**sandbox, endpoint));
  }
  for (const auto& one : failing_calls) {
    made.problems.emplace(describe(one.code).name, sandbox_problem(**sandbox, one));
  }
  return made;
}

}  // namespace freshet::detail
