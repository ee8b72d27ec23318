// The rows come to life here. State that a client carries is signed, so that it cannot be altered.
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <server/mcp/test_profile.hpp>
#include <server/mcp/test_profile_table.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  for (std::size_t at = text.find(old_text); at != std::string::npos;
       at = text.find(old_text, at + new_text.size())) {
    text.replace(at, old_text.size(), new_text);
  }
  return text;
}

/// A string as it stands between quotes in JSON.
std::string quoted_inside(std::string_view text) {
  const std::string whole = json::serialize(json::string(text));
  return whole.substr(1, whole.size() - 2);
}

/// A row's JSON with its arguments and its pictures in place.
json::value filled(std::string_view row, const json::object& arguments = {}) {
  std::string text = replaced(std::string(row), "\"PNG\"", "\"" + std::string(png_base64) + "\"");
  text = replaced(text, "\"WAV\"", "\"" + std::string(wav_base64) + "\"");
  for (const auto& [name, value] : arguments) {
    if (!value.is_string()) continue;
    text = replaced(text, "{" + std::string(name) + "}", quoted_inside(value.get_string()));
  }
  boost::system::error_code failed;
  return json::parse(text, failed);
}

json::object arguments_of(const message& asked) {
  const json::object* given = object_at(asked.params, "arguments");
  return given == nullptr ? json::object() : *given;
}

template <class Row, std::size_t Size>
const Row* find_row(const std::array<Row, Size>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Row::name);
  return found == list.end() ? nullptr : &*found;
}

/// The id in "test://template/ID/data", of letters and digits; "" for other addresses.
std::string template_id(std::string_view uri) {
  constexpr std::string_view front = "test://template/", back = "/data";
  if (!uri.starts_with(front) || !uri.ends_with(back) || uri.size() <= front.size() + back.size()) {
    return {};
  }
  const std::string_view id = uri.substr(front.size(), uri.size() - front.size() - back.size());
  const bool plain = std::ranges::all_of(id, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return plain ? std::string(id) : std::string();
}

const fixture_resource* find_resource(std::string_view uri) {
  if (!template_id(uri).empty()) return &fixture_resources.back();
  for (const fixture_resource& one : fixture_resources) {
    if (one.uri == uri) return &one;
  }
  return nullptr;
}

/// "sampling" of "sampling/createMessage": the capability that a client needs to be asked.
std::string capability_of(const json::object& request) {
  const std::string method = text_at(request, "method");
  return method.substr(0, method.find('/'));
}

json::object with_text(std::string_view text) {
  json::object out;
  out["content"] = json::array{json::object{{"type", "text"}, {"text", text}}};
  return out;
}

json::object with_messages(std::string_view text) {
  json::object said{{"role", "user"}};
  said["content"] = json::object{{"type", "text"}, {"text", text}};
  json::object out;
  out["messages"] = json::array{std::move(said)};
  return out;
}

class test_profile : public addition {
 public:
  test_profile() { RAND_bytes(secret_.data(), static_cast<int>(secret_.size())); }

  [[nodiscard]] bool takes(const message& asked, const request_meta& how) const override;
  void answer(std::shared_ptr<const request_context> context, const asker& ask) const override;

 private:
  void call_constant(const request_context& context, const constant_tool& row) const;
  void ask_client(const std::shared_ptr<const request_context>& context, const asking_fixture& row,
                  const asker& ask) const;
  void require_input(const request_context& context, const asking_fixture& row) const;
  void request_input(const request_context& context, const asking_fixture& row, int round) const;
  [[nodiscard]] std::string sign(std::string_view name, int round) const;
  [[nodiscard]] int read_state(const request_context& context, const asking_fixture& row) const;

  std::array<unsigned char, 32> secret_{};
};

bool test_profile::takes(const message& asked, const request_meta& how) const {
  const std::string name = text_at(asked.params, "name");
  if (asked.method == "tools/call") {
    return find_row(constant_tools, name) != nullptr || find_row(asking_tools, name) != nullptr;
  }
  if (asked.method == "prompts/get") {
    return name == asking_prompt.name || find_row(fixture_prompts, name) != nullptr;
  }
  if (asked.method == "resources/read") {
    return find_resource(text_at(asked.params, "uri")) != nullptr;
  }
  return !how.stateless &&
         (asked.method == "resources/subscribe" || asked.method == "resources/unsubscribe");
}

void test_profile::answer(std::shared_ptr<const request_context> context, const asker& ask) const {
  const message& asked = context->asked;
  const std::string name = text_at(asked.params, "name");
  if (asked.method == "resources/read") {
    const std::string uri = text_at(asked.params, "uri");
    json::object contents =
        filled(find_resource(uri)->contents, {{"id", template_id(uri)}}).as_object();
    contents["uri"] = uri;
    json::object result;
    result["contents"] = json::array{std::move(contents)};
    return context->finish(std::move(result), request_context::keeping::not_at_all);
  }
  if (asked.method == "prompts/get") {
    if (name == asking_prompt.name) return require_input(*context, asking_prompt);
    json::object result;
    result["messages"] = filled(find_row(fixture_prompts, name)->messages, arguments_of(asked));
    return context->finish(std::move(result));
  }
  if (asked.method != "tools/call") return context->finish({});
  if (const constant_tool* row = find_row(constant_tools, name))
    return call_constant(*context, *row);
  const asking_fixture& row = *find_row(asking_tools, name);
  context->how.stateless ? require_input(*context, row) : ask_client(context, row, ask);
}

void test_profile::call_constant(const request_context& context, const constant_tool& row) const {
  for (int i = 0; i < row.logs; ++i) {
    context.tell_log("info", json::string(log_lines[static_cast<std::size_t>(i)]));
  }
  for (int i = 0; i < row.steps; ++i) context.tell_progress(100 * i / (row.steps - 1), 100);
  if (row.interrupts) context.to->interrupt();
  context.finish(filled(row.result).as_object());
}

void test_profile::ask_client(const std::shared_ptr<const request_context>& context,
                              const asking_fixture& row, const asker& ask) const {
  const json::object requests = filled(row.first, arguments_of(context->asked)).as_object();
  const json::object& first = requests.begin()->value().as_object();
  if (!context->how.able.has(capability_of(first))) {
    json::object wrong = with_text("the client cannot do " + text_at(first, "method"));
    wrong["isError"] = true;
    return context->finish(std::move(wrong));
  }
  ask(text_at(first, "method"), *object_at(first, "params"), [context](const message& heard) {
    const json::object* content = object_at(heard.result, "content");
    const bool sampled = heard.result.contains("model");
    const std::string said =
        heard.failed ? "the client answered an error"
        : sampled    ? "LLM response: " + (content == nullptr ? "" : text_at(*content, "text"))
                     : "Elicitation completed: action=" + text_at(heard.result, "action") +
                        ", content=" + (content == nullptr ? "{}" : json::serialize(*content));
    context->finish(with_text(said));
  });
}

std::string test_profile::sign(std::string_view name, int round) const {
  const std::string plain = std::to_string(round) + "." + std::string(name);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
       reinterpret_cast<const unsigned char*>(plain.data()), plain.size(), digest.data(), &size);
  std::string out = std::to_string(round) + ".";
  for (unsigned i = 0; i < size; ++i) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[digest[i] >> 4];
    out += digits[digest[i] & 15];
  }
  return out;
}

/// The round that a request's state stands for; -1 if it is not ours.
int test_profile::read_state(const request_context& context, const asking_fixture& row) const {
  const json::value* state = context.asked.params.if_contains("requestState");
  if (state == nullptr) return 0;
  for (int round = 0; round < 2; ++round) {
    if (state->is_string() && state->get_string() == sign(row.name, round)) return round;
  }
  return -1;
}

void test_profile::request_input(const request_context& context, const asking_fixture& row,
                                 int round) const {
  json::object wanted;
  json::object missing;
  const json::object all = filled(round == 0 ? row.first : row.second).as_object();
  for (const auto& [key, request] : all) {
    const std::string capability = capability_of(request.as_object());
    if (context.how.able.has(capability)) {
      wanted[key] = request;
    } else {
      missing[capability] = json::object();
    }
  }
  if (wanted.empty()) {
    return context.refuse({rpc_error::missing_capability, "The client lacks a capability",
                           json::object{{"requiredCapabilities", std::move(missing)}}});
  }
  json::object result{{"resultType", "input_required"}};
  result["inputRequests"] = std::move(wanted);
  if (row.keeps_state) result["requestState"] = sign(row.name, round);
  context.finish(std::move(result));
}

void test_profile::require_input(const request_context& context, const asking_fixture& row) const {
  const int round = row.keeps_state ? read_state(context, row) : 0;
  if (round < 0) return context.fail(rpc_error::invalid_params, "requestState: it was altered");
  const json::value* given = context.asked.params.if_contains("inputResponses");
  if (given == nullptr) return request_input(context, row, round);
  const json::object* responses = given->if_object();
  const json::object asked_for = filled(round == 0 ? row.first : row.second).as_object();
  bool complete = responses != nullptr;
  for (const auto& [key, request] : asked_for) {
    const json::value* one = complete ? responses->if_contains(key) : nullptr;
    complete = one != nullptr;
    if (one != nullptr && !one->is_object()) {
      return context.fail(rpc_error::invalid_params,
                          "inputResponses: '" + std::string(key) + "' is not an object");
    }
  }
  if (responses == nullptr) {
    return context.fail(rpc_error::invalid_params, "inputResponses: give an object");
  }
  if (!complete) return request_input(context, row, round);
  if (round == 0 && !row.second.empty()) return request_input(context, row, 1);
  const std::string text =
      (row.keeps_state ? "state-ok " : "Received: ") + json::serialize(*responses);
  context.finish(context.asked.method == "prompts/get" ? with_messages(text) : with_text(text));
}

template <class Row>
json::object tool_row(const Row& of) {
  json::object out{{"name", of.name}, {"description", "Fixture " + std::string(of.name)}};
  out["inputSchema"] = filled(of.schema);
  return out;
}

json::array in_front(json::array values, const json::array& rest) {
  for (const json::value& one : rest) values.push_back(one);
  return values;
}

}  // namespace

offers with_test_profile(offers from) {
  json::array tools, resources, templates, prompts;
  for (const constant_tool& one : constant_tools) tools.push_back(tool_row(one));
  for (const asking_fixture& one : asking_tools) tools.push_back(tool_row(one));
  for (const fixture_resource& one : fixture_resources) {
    const bool many = one.uri.find('{') != std::string_view::npos;
    (many ? templates : resources)
        .push_back(json::object{{many ? "uriTemplate" : "uri", one.uri},
                                {"name", one.name},
                                {"description", "Fixture"}});
  }
  for (const fixture_prompt& one : fixture_prompts) {
    prompts.push_back(json::object{
        {"name", one.name}, {"description", "Fixture"}, {"arguments", filled(one.arguments)}});
  }
  prompts.push_back(json::object{{"name", asking_prompt.name}, {"description", "Fixture"}});
  from.tools = in_front(std::move(tools), from.tools);
  from.resources = in_front(std::move(resources), from.resources);
  from.resource_templates = in_front(std::move(templates), from.resource_templates);
  from.prompts = in_front(std::move(prompts), from.prompts);
  from.capabilities["resources"] = json::object{{"subscribe", true}};
  from.added = std::make_shared<const test_profile>();
  prepare(from);
  return from;
}

}  // namespace freshet::server::mcp
