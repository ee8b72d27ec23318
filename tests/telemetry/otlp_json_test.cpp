#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <telemetry/otlp_json.hpp>

using namespace freshet;
using namespace freshet::telemetry;

namespace {

span_record sample() {
  span_record out;
  out.id = 0xfedcba9876543210u;
  out.parent = 1;
  out.name = "GET \"x\"\n";
  out.role = span_role::client;
  out.began_ns = 1'795'000'000'123'456'789;
  out.ended_ns = out.began_ns + 5;
  out.attributes = {{"http.request.method", std::string_view("GET")},
                    {"server.address", std::string("bad \xff byte")},
                    {"http.response.status_code", std::int64_t{503}},
                    {"freshet.rendered", true}};
  return out;
}

base::json::value written(const span_group& group) {
  return base::parse_json(otlp_json({"1.2", "an-instance"}, {&group, 1}), true).value();
}

const base::json::value& first_span(const base::json::value& in) {
  const auto& resource = base::array_of(base::member(in, "resourceSpans")).at(0);
  const auto& scope = base::array_of(base::member(resource, "scopeSpans")).at(0);
  return base::array_of(base::member(scope, "spans")).at(0);
}

std::string attribute(const base::json::value& value, std::string_view key) {
  for (const auto& one : base::array_of(base::member(value, "attributes"))) {
    if (base::text_of(base::member(one, "key")) != key) continue;
    return base::json::serialize(base::member(one, "value"));
  }
  return {};
}

}  // namespace

TEST_CASE("a span has the JSON of OTLP") {
  span_group group;
  group.trace[15] = 0xab;
  group.flags = sampled_flag;
  group.state = "a=\\";
  group.spans.push_back(sample());
  const auto all = written(group);
  const auto& one = first_span(all);
  const auto text = [&](std::string_view key) { return base::text_of(base::member(one, key)); };
  CHECK(text("traceId") == "000000000000000000000000000000ab");
  CHECK(text("spanId") == "fedcba9876543210");
  CHECK(text("parentSpanId") == "0000000000000001");
  CHECK(text("traceState") == "a=\\");
  CHECK(text("name") == "GET \"x\"\n");
  CHECK(base::member(one, "startTimeUnixNano").is_string());
  CHECK(text("startTimeUnixNano") == "1795000000123456789");
  CHECK(text("endTimeUnixNano") == "1795000000123456794");
  CHECK(base::member(one, "kind") == 3);
  CHECK(base::member(one, "flags") == 0x101);
  CHECK(base::member(one, "status").is_null());
  CHECK(attribute(one, "http.request.method") == R"({"stringValue":"GET"})");
  CHECK(attribute(one, "server.address") == "{\"stringValue\":\"bad \xef\xbf\xbd byte\"}");
  CHECK(attribute(one, "http.response.status_code") == R"({"intValue":"503"})");
  CHECK(attribute(one, "freshet.rendered") == R"({"boolValue":true})");
  const auto& resource =
      base::member(base::array_of(base::member(all, "resourceSpans")).at(0), "resource");
  CHECK(attribute(resource, "service.name") == R"({"stringValue":"freshet"})");
  CHECK(attribute(resource, "service.version") == R"({"stringValue":"1.2"})");
  CHECK(attribute(resource, "service.instance.id") == R"({"stringValue":"an-instance"})");
}

TEST_CASE("a span says that it failed, that it is the first, and whose parent it has") {
  span_group group;
  group.spans.push_back(sample());
  group.spans[0].parent = 0;
  group.spans[0].failed = true;
  group.spans[0].has_remote_parent = true;
  const auto all = written(group);
  const auto& one = first_span(all);
  CHECK(base::member(one, "parentSpanId").is_null());
  CHECK(base::member(one, "traceState").is_null());
  CHECK(base::member(one, "status", "code") == 2);
  CHECK(base::member(one, "flags") == 0x300);
}

TEST_CASE("what a collector did not take is read of its answer") {
  const auto said =
      read_partial_success(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}})");
  CHECK(said.rejected == 3);
  CHECK(said.why == "too old");
  CHECK(read_partial_success(R"({"partialSuccess":{"rejectedSpans":-3}})").rejected == 0);
  for (const auto* one : {"", "{}", "[]", "no JSON", R"({"partialSuccess":{}})"}) {
    CHECK(read_partial_success(one).rejected == 0);
  }
}
