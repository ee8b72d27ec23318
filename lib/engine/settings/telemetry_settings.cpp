// The settings are checked also while nobody is told. Headers are secrets: errors do not repeat
// them.
#include <algorithm>
#include <base/digest.hpp>
#include <base/url.hpp>
#include <engine/settings/telemetry_settings.hpp>
#include <freshet/version.hpp>
#include <http/header_syntax.hpp>

namespace freshet::detail {
namespace {

/// As OpenTelemetry's OTEL_EXPORTER_OTLP_HEADERS has them.
result<http::headers> collector_headers(const config& from) {
  http::headers made;
  for (const auto& one : from.list("telemetry.otlp_headers")) {
    const auto equals = std::min(one.find('='), one.size());
    http::header field{one.substr(0, equals), base::percent_decode(one.substr(equals))};
    field.value.erase(0, 1);
    if (equals == one.size() || !http::is_header_name(field.name) ||
        !http::is_header_value(field.value)) {
      return error(errc::invalid_configuration,
                   "telemetry.otlp_headers: give NAME=VALUE, several separated by commas; what is "
                   "a comma in a value is %2C");
    }
    made.push_back(std::move(field));
  }
  return made;
}

/// A UUID of version 4.
std::string make_instance() {
  auto bytes = base::random_bytes(16);
  bytes[6] = static_cast<char>((static_cast<unsigned char>(bytes[6]) & 0x0fu) | 0x40u);
  bytes[8] = static_cast<char>((static_cast<unsigned char>(bytes[8]) & 0x3fu) | 0x80u);
  auto text = base::hex(bytes);
  for (const auto at : {20u, 16u, 12u, 8u}) text.insert(at, 1, '-');
  return text;
}

}  // namespace

result<std::unique_ptr<telemetry::tracer>> open_tracer(
    const config& config, const std::function<void(std::string_view, std::string_view)>& log) {
  telemetry::tracer_options options;
  options.sampling = config.number("telemetry.sampling").value_or(1);
  if (!(options.sampling >= 0 && options.sampling <= 1)) {
    return error(errc::invalid_configuration,
                 "telemetry.sampling: a share of 0 to 1 is expected, such as 0.1");
  }
  auto headers = collector_headers(config);
  if (!headers) return headers.error();
  options.exporting.endpoint = config.text("telemetry.otlp_endpoint");
  if (options.exporting.endpoint.empty()) return std::unique_ptr<telemetry::tracer>();
  options.exporting.headers = std::move(*headers);
  options.exporting.ca_file = config.text("telemetry.ca_file");
  options.exporting.resource = {std::string(version), make_instance()};
  options.exporting.log = log;
  return telemetry::tracer::open(std::move(options));
}

}  // namespace freshet::detail
