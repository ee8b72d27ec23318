// Commands out, replies and events in.
#include <browser/devtools.hpp>
#include <utility>

namespace freshet::browser {

std::string json_string(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string json_object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out = "{";
  for (const auto& [name, value] : members) {
    if (out.size() > 1) out += ',';
    base::append_json_string(out, name);
    out += ':';
    out += value;
  }
  return out += '}';
}

void devtools::call(std::string_view session, std::string_view method, std::string_view parameters,
                    reply_handler done) {
  const std::int64_t number = ++last_;
  std::string message;
  message.reserve(parameters.size() + 128);
  message += "{\"id\":" + std::to_string(number);
  if (!session.empty()) message += ",\"sessionId\":" + json_string(session);
  message += ",\"method\":" + json_string(method) + ",\"params\":";
  message += parameters;
  message += '}';
  if (done) waiting_.emplace(number, std::move(done));
  send_(std::move(message));
}

bool devtools::take(std::string_view message) {
  const auto parsed = base::parse_json(message);
  if (!parsed || !parsed->is_object()) return false;
  if (const auto number = base::integer_of(base::member(*parsed, "id"))) {
    auto node = waiting_.extract(*number);
    if (node.empty()) return true;
    const base::json::value& result = base::member(*parsed, "result");
    node.mapped()(result.is_object() ? &result : nullptr);
    return true;
  }
  const std::string_view method = base::view_of(base::member(*parsed, "method"));
  if (method.empty()) return false;
  event_(base::view_of(base::member(*parsed, "sessionId")), method,
         base::member(*parsed, "params"));
  return true;
}

}  // namespace freshet::browser
