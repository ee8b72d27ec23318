// NAME=VALUE words to JSON, by the types of the endpoint's parameters.
#include <boost/json.hpp>
#include <charconv>
#include <optional>
#include <server/commands/call_body.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// The types of an endpoint's parameters; null where the document does not have the endpoint.
const json::object* parameters_of(const json::value& document, std::string_view endpoint) {
  boost::system::error_code missing;
  const json::value* paths = document.find_pointer("/paths", missing);
  if (paths == nullptr || !paths->is_object()) return nullptr;
  const json::value* path = paths->get_object().if_contains("/v1/" + std::string(endpoint));
  if (path == nullptr) return nullptr;
  const json::value* found =
      path->find_pointer("/post/requestBody/content/application~1json/schema/properties", missing);
  return found != nullptr ? found->if_object() : nullptr;
}

std::string_view type_of(const json::object* parameters, std::string_view name) {
  const json::value* found = parameters != nullptr ? parameters->if_contains(name) : nullptr;
  const json::value* type =
      found != nullptr && found->is_object() ? found->get_object().if_contains("type") : nullptr;
  return type != nullptr && type->is_string() ? std::string_view(type->get_string()) : "string";
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

json::value value_of(std::string_view type, std::string_view text) {
  if (type == "integer") {
    if (const auto number = whole_number(text)) return *number;
  }
  if (type == "boolean" && (text == "true" || text == "false")) return text == "true";
  if (type == "object" || (type == "array" && text.starts_with('['))) {
    boost::system::error_code failed;
    json::value read = json::parse(text, failed);
    if (!failed) return read;
  }
  if (type != "array") return json::string(text);
  json::array list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    list.emplace_back(json::string(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return list;
}

}  // namespace

result<std::string> call_body(std::span<const std::string> words, std::string_view endpoint,
                              std::string_view described) {
  if (words.empty()) return std::string();
  if (words.size() == 1 && words[0].starts_with('{')) return words[0];
  boost::system::error_code failed;
  const json::value document = json::parse(described, failed);
  const json::object* parameters = failed ? nullptr : parameters_of(document, endpoint);
  json::object body;
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return error(errc::invalid_request, "'" + std::string(word) +
                                              "' is not NAME=VALUE; give each parameter so, or all "
                                              "of them as one JSON object");
    }
    const std::string_view name = word.substr(0, equals);
    json::value value = value_of(type_of(parameters, name), word.substr(equals + 1));
    json::value* before = body.if_contains(name);
    if (before == nullptr) {
      body.emplace(name, std::move(value));
    } else if (before->is_array() && value.is_array()) {
      for (json::value& one : value.get_array()) before->get_array().push_back(std::move(one));
    } else {
      return error(errc::invalid_request, "'" + std::string(name) + "' is given twice");
    }
  }
  return json::serialize(body);
}

}  // namespace freshet::server
