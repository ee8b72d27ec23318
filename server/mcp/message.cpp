// Depth and size are bounded before anything is looked at.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <server/mcp/message.hpp>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 32;

bool is_id(const json::value& one) {
  if (one.is_string()) return one.get_string().size() <= max_id_bytes;
  return one.is_int64() || one.is_uint64();
}

json::object envelope(const json::value& id) { return {{"jsonrpc", "2.0"}, {"id", id}}; }

std::optional<message> reject(rejection& why, rpc_error code, std::string_view detail) {
  why.code = code;
  why.detail = detail;
  return std::nullopt;
}

/// What a client says to a request of ours.
void read_answer(json::object& fields, message& out) {
  out.what = message::kind::answer;
  json::value* result = fields.if_contains("result");
  out.failed = result == nullptr || !result->is_object();
  if (!out.failed) out.result = std::move(result->get_object());
}

std::optional<message> read_message(json::value read, rejection& why) {
  if (!read.is_object()) {
    return reject(why, rpc_error::invalid_request, "a message is a JSON object");
  }
  json::object& fields = read.get_object();
  message out;
  if (const json::value* id = fields.if_contains("id")) {
    if (!is_id(*id)) {
      return reject(why, rpc_error::invalid_request,
                    "id: give an integer, or a string of at most 128 bytes");
    }
    out.id = why.id = *id;
  }
  const json::value* version = fields.if_contains("jsonrpc");
  if (version == nullptr || *version != "2.0") {
    return reject(why, rpc_error::invalid_request, "jsonrpc: give \"2.0\"");
  }
  const json::value* method = fields.if_contains("method");
  if (method == nullptr) {
    if (out.id.is_null() || (!fields.contains("result") && !fields.contains("error"))) {
      return reject(why, rpc_error::invalid_request, "method: give the name of a method");
    }
    read_answer(fields, out);
    return out;
  }
  if (!method->is_string()) {
    return reject(why, rpc_error::invalid_request, "method: give a string");
  }
  out.method = method->get_string();
  out.what = out.id.is_null() ? message::kind::notification : message::kind::request;
  if (json::value* params = fields.if_contains("params")) {
    if (!params->is_object()) {
      return reject(why, rpc_error::invalid_params, "params: give an object");
    }
    out.params = std::move(params->get_object());
  }
  return out;
}

}  // namespace

std::optional<std::vector<message>> read_messages(std::string_view text, rejection& why) {
  json::parse_options options;
  options.max_depth = max_depth;
  boost::system::error_code failed;
  json::value read = json::parse(text, failed, {}, options);
  std::vector<message> out;
  if (failed) {
    reject(why, rpc_error::parse_error, "the message is not JSON");
    return std::nullopt;
  }
  json::array all;
  if (read.is_array()) {
    all = std::move(read.get_array());
  } else {
    all.push_back(std::move(read));
  }
  if (all.empty() || all.size() > max_batch) {
    reject(why, rpc_error::invalid_request,
           "a batch has 1 to " + std::to_string(max_batch) + " messages");
    return std::nullopt;
  }
  for (json::value& one : all) {
    std::optional<message> made = read_message(std::move(one), why);
    if (!made) return std::nullopt;
    out.push_back(std::move(*made));
  }
  return out;
}

std::string result_text(const json::value& id, json::object result) {
  json::object out = envelope(id);
  out["result"] = std::move(result);
  return json::serialize(out);
}

std::string result_text(const json::value& id, std::string_view result) {
  std::string out = R"({"jsonrpc":"2.0","id":)" + json::serialize(id) + R"(,"result":)";
  out.reserve(out.size() + result.size() + 1);
  return out.append(result).append("}");
}

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  // Not within a character.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

std::string error_text(const json::value& id, rpc_error code, std::string_view detail,
                       json::value data) {
  json::object out = envelope(id);
  json::object error{{"code", static_cast<std::int32_t>(code)}, {"message", detail}};
  if (!data.is_null()) error["data"] = std::move(data);
  out["error"] = std::move(error);
  return json::serialize(out);
}

std::string notification_text(std::string_view method, json::object params) {
  json::object out{{"jsonrpc", "2.0"}, {"method", method}};
  out["params"] = std::move(params);
  return json::serialize(out);
}

std::string request_text(const json::value& id, std::string_view method, json::object params) {
  json::object out = envelope(id);
  out["method"] = method;
  out["params"] = std::move(params);
  return json::serialize(out);
}

}  // namespace freshet::server::mcp
