// The JSON of OTLP is protobuf's, but for numbers of traces and spans, which are hexadecimal, and
// enumerations, which are numbers. 64-bit integers are texts.
#include "telemetry/otlp_json.hpp"

#include <algorithm>
#include <base/json.hpp>

namespace freshet::telemetry {
namespace {

constexpr std::string_view service = "freshet";
constexpr int failed_status = 2;
/// Bits beside those of traceparent: whether it is known that the parent is remote, and whether.
constexpr unsigned knows_remote = 0x100, is_remote = 0x200;

void append_attribute(std::string& out, const span_attribute& one) {
  out += R"({"key":)";
  base::append_json_string(out, one.first);
  out += R"(,"value":{)";
  if (const auto* number = std::get_if<std::int64_t>(&one.second)) {
    out += R"("intValue":")" + std::to_string(*number) + '"';
  } else if (const auto* flag = std::get_if<bool>(&one.second)) {
    out += *flag ? R"("boolValue":true)" : R"("boolValue":false)";
  } else {
    out += R"("stringValue":)";
    const auto* fixed = std::get_if<std::string_view>(&one.second);
    base::append_json_string(out, fixed != nullptr ? *fixed : std::get<std::string>(one.second));
  }
  out += "}}";
}

void append_attributes(std::string& out, std::span<const span_attribute> all) {
  out += R"("attributes":[)";
  for (const auto& one : all) {
    if (out.back() != '[') out += ',';
    append_attribute(out, one);
  }
  out += ']';
}

void append_span(std::string& out, const span_group& group, const span_record& one) {
  out += R"({"traceId":")";
  append_hex(out, group.trace);
  out += R"(","spanId":")";
  append_hex(out, one.id);
  out += '"';
  if (one.parent != 0) {
    out += R"(,"parentSpanId":")";
    append_hex(out, one.parent);
    out += '"';
  }
  if (!group.state.empty()) {
    out += R"(,"traceState":)";
    base::append_json_string(out, group.state);
  }
  const unsigned flags = group.flags | knows_remote | (one.has_remote_parent ? is_remote : 0u);
  out += R"(,"flags":)" + std::to_string(flags) + R"(,"name":)";
  base::append_json_string(out, one.name);
  out += R"(,"kind":)" + std::to_string(static_cast<int>(one.role));
  out += R"(,"startTimeUnixNano":")" + std::to_string(one.began_ns);
  out += R"(","endTimeUnixNano":")" + std::to_string(one.ended_ns) + R"(",)";
  append_attributes(out, one.attributes);
  if (one.failed) out += R"(,"status":{"code":)" + std::to_string(failed_status) + '}';
  out += '}';
}

}  // namespace

std::string otlp_json(const span_resource& resource, std::span<const span_group> groups) {
  const span_attribute about[] = {{"service.name", service},
                                  {"service.version", std::string_view(resource.version)},
                                  {"service.instance.id", std::string_view(resource.instance)}};
  std::string out = R"({"resourceSpans":[{"resource":{)";
  append_attributes(out, about);
  out += R"(},"scopeSpans":[{"scope":{"name":"freshet","version":)";
  base::append_json_string(out, resource.version);
  out += R"(},"spans":[)";
  for (const auto& group : groups) {
    for (const auto& one : group.spans) {
      if (out.back() != '[') out += ',';
      append_span(out, group, one);
    }
  }
  return out + "]}]}]}";
}

partial_success read_partial_success(std::string_view body) {
  const auto read = base::parse_json(body);
  if (!read) return {};
  const auto& told = base::member(*read, "partialSuccess");
  partial_success out;
  out.rejected =
      std::max<std::int64_t>(0, base::integer_of(base::member(told, "rejectedSpans")).value_or(0));
  out.why = base::text_of(base::member(told, "errorMessage"));
  return out;
}

}  // namespace freshet::telemetry
