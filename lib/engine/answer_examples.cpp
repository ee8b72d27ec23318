// Runs the catalogue's example calls in an engine of its own that never leaves the sandbox. It has
// no accounts, so account calls have no example here.
#include <base/json.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <engine/answer_examples.hpp>
#include <freshet/engine.hpp>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::string_view example_request_id = "req_01KATZ5V2N8Q4R6S8T0V2W4X6Y";
constexpr std::string_view example_cursor = "c1.eyJ2IjoxfQ";

/// What differs from run to run becomes fixed.
void settle(json::object& envelope) {
  if (auto* page = envelope.if_contains("page"); page != nullptr && page->is_object()) {
    auto& next = page->as_object()["next_cursor"];
    if (next.is_string()) next = example_cursor;
  }
  auto& meta = envelope["meta"].as_object();
  meta["credits"] = json::object{{"used", 0}, {"remaining", 1000}};
  for (auto& source : meta["sources"].as_array()) source.as_object()["elapsed_ms"] = 0;
}

}  // namespace

std::map<std::string, std::string, std::less<>> answer_examples() {
  std::map<std::string, std::string, std::less<>> examples;
  engine_options options;
  options.collect = false;
  if (!options.config.set("network.sandbox", "true")) return examples;
  const auto sandbox = engine::open(std::move(options));
  if (!sandbox) return examples;
  for (const auto& endpoint : catalog::endpoints()) {
    if (endpoint.scope == catalog::scope::account) continue;
    auto body = catalog::example_body(endpoint);
    if (endpoint.shape == catalog::answer_shape::list) body["limit"] = 1;
    request what;
    what.endpoint = endpoint.path;
    what.body = json::serialize(body);
    what.request_id = example_request_id;
    const auto answered = (*sandbox)->call(std::move(what));
    if (!answered.ok()) continue;
    auto envelope = base::parse_json(answered.body, true);
    if (!envelope || !envelope->is_object()) continue;
    settle(envelope->as_object());
    examples.emplace(endpoint.path, json::serialize(*envelope));
  }
  return examples;
}

}  // namespace freshet::detail
