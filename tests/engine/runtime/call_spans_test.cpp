// Calls in process, from the sandbox, as a collector on loopback is told of them.
#include <algorithm>
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <mutex>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using test::loopback_server;

namespace {

struct told_span {
  std::string name, id, parent, trace;
  std::int64_t role = 0;
  base::json::value attributes;

  /// The value of an attribute; "" if it has none of this key.
  [[nodiscard]] std::string operator[](std::string_view key) const {
    for (const auto& one : base::array_of(attributes)) {
      if (base::text_of(base::member(one, "key")) != key) continue;
      const auto& value = base::object_of(base::member(one, "value"));
      return base::text_of(value.begin()->value());
    }
    return {};
  }
};

struct span_sink {
  span_sink() {
    server.on("/v1/traces", [this](const auto& seen, auto& to) {
      {
        const std::lock_guard lock(mutex);
        bodies.push_back(seen.body);
      }
      to.send(loopback_server::answer(200, "{}"));
    });
  }
  std::vector<told_span> spans() {
    const std::lock_guard lock(mutex);
    std::vector<told_span> out;
    for (const auto& body : bodies) {
      const auto read = base::parse_json(body, true).value();
      const auto& resource = base::array_of(base::member(read, "resourceSpans")).at(0);
      const auto& scope = base::array_of(base::member(resource, "scopeSpans")).at(0);
      for (const auto& one : base::array_of(base::member(scope, "spans"))) {
        const auto text = [&](std::string_view key) {
          return base::text_of(base::member(one, key));
        };
        out.push_back({text("name"), text("spanId"), text("parentSpanId"), text("traceId"),
                       base::integer_of(base::member(one, "kind")).value(),
                       base::member(one, "attributes")});
      }
    }
    return out;
  }
  std::mutex mutex;
  std::vector<std::string> bodies;
  loopback_server server;  ///< last, so that its threads end first
};

std::unique_ptr<engine> opened(const std::string& endpoint) {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  REQUIRE(options.config.set("telemetry.otlp_endpoint", endpoint));
  return engine::open(std::move(options)).value();
}

request asking(std::string body) {
  request out;
  out.endpoint = "forum/search";
  out.body = std::move(body);
  return out;
}

/// The first of this name, of those that are there.
told_span find_span(const std::vector<told_span>& spans, std::string_view name) {
  const auto found = std::ranges::find(spans, name, &told_span::name);
  REQUIRE(found != spans.end());
  return *found;
}

}  // namespace

TEST_CASE("a call in process is told of with what it asked of sources") {
  span_sink sink;
  auto in = opened(sink.server.url());
  auto asked = asking(R"({"q":"climate","sources":["hackernews"]})");
  asked.traceparent = "00-12345678901234567890123456789012-1234567890123456-01";
  REQUIRE(in->call(asked).ok());
  in.reset();  // sends what waits
  const auto spans = sink.spans();
  const auto call = find_span(spans, "forum/search"), gather = find_span(spans, "gather"),
             exchange = find_span(spans, "GET"), read = find_span(spans, "read");
  CHECK(spans.size() == 4);
  CHECK(call.trace == "12345678901234567890123456789012");
  CHECK(call.parent == "1234567890123456");
  CHECK(gather.parent == call.id);
  CHECK(exchange.parent == gather.id);
  CHECK(read.parent == gather.id);
  CHECK(call.role == 1);
  CHECK(exchange.role == 3);
  CHECK(call["freshet.sandbox"] == "true");
  CHECK(call["http.route"].empty());
  CHECK(exchange["freshet.source"] == "hackernews");
  CHECK(exchange["server.address"] == "hn.algolia.com");
  CHECK(exchange["server.port"] == "443");
}

TEST_CASE("calls that fail are told of with their code") {
  span_sink sink;
  auto in = opened(sink.server.url());
  CHECK(in->call(asking(R"({"q":""})")).code == errc::invalid_request);
  auto unknown = asking("{}");
  unknown.endpoint = "nothing/of/this/name";
  CHECK(in->call(unknown).code == errc::unknown_endpoint);
  auto keyless = asking(R"({"q":"climate"})");
  keyless.in_process = false;
  CHECK(in->call(keyless).code == errc::missing_api_key);
  in.reset();
  const auto spans = sink.spans();
  CHECK(spans.size() == 3);
  CHECK(find_span(spans, "forum/search")["error.type"] == "invalid_request");
  CHECK(find_span(spans, "unknown")["error.type"] == "unknown_endpoint");
  const auto refused = find_span(spans, "POST /v1/forum/search");
  CHECK(refused["error.type"] == "missing_api_key");
  CHECK(refused["http.response.status_code"] == "401");
  CHECK(refused.role == 2);
}
