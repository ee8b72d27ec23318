// The description that a server hands out under /openapi.json, put together from the catalogue and
// the table of errors. It adds no facts of its own beside the prose of `info` and the headers.
#include <algorithm>
#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <catalog/openapi.hpp>
#include <catalog/own_errors.hpp>
#include <catalog/tools.hpp>
#include <freshet/version.hpp>
#include <map>
#include <vector>

namespace freshet::catalog {
namespace {

namespace json = boost::json;

constexpr schema_style in_components{"#/components/schemas/", false};
constexpr std::string_view problem_type = "application/problem+json";

constexpr std::string_view about =
    "One API over public-data platforms. Every call is a POST with a JSON object; every answer is "
    "JSON in one shape.\n\n"
    "Every key of an item is always present, `null` or `[]` where a source does not say; only "
    "`fields` leaves keys out. A list comes in pages: give `page.next_cursor` as `cursor`, with "
    "the same parameters, until `page.has_more` is `false`. When one of several sources fails, "
    "`meta.completeness` is `partial` and `meta.sources` says why.\n\n"
    "Only a success is charged: an error, an empty first page, a dry run, a replayed idempotent "
    "call, a test key's call and an account call cost nothing. `x-credits` is the price of an "
    "operation. An error is a problem document (RFC 9457); `GET /errors/<code>` says what its code "
    "means and what to do.";

json::object reference(std::string_view to) {
  return {{"$ref", "#/components/" + std::string(to)}};
}

json::object header(std::string_view type, std::string_view doc) {
  return {{"description", json_text(doc)}, {"schema", json::object{{"type", json_text(type)}}}};
}

json::object headers() {
  return {
      {"X-Service-Credits-Used", header("integer", "What this call cost; on every response")},
      {"X-Service-Credits-Remaining", header("integer", "The balance after this call")},
      {"X-Request-Id",
       header("string", "Names this call; the caller's own if it sent a valid one")},
      {"RateLimit", header("string", "What is left of the rate limit: `\"default\";r=9;t=1`")},
      {"RateLimit-Policy", header("string", "The rate limit of the plan: `\"default\";q=10;w=5`")},
      {"Retry-After", header("integer", "Seconds until a retry makes sense")},
      {"Idempotency-Replayed",
       header("boolean",
              "`true` when this is the stored answer of an earlier call; it costs nothing")},
      {"WWW-Authenticate", header("string", "`Bearer`")},
      {"Allow", header("string", "The methods of this path")},
  };
}

json::object request_headers() {
  json::object key{{"name", "Idempotency-Key"},
                   {"in", "header"},
                   {"required", false},
                   {"description",
                    "The same key and body within 24 hours returns the first answer, free of "
                    "charge"}};
  key["schema"] = json::object{{"type", "string"},
                               {"minLength", 1},
                               {"maxLength", 255},
                               {"pattern", "^[!-~]([ -~]*[!-~])?$"}};
  json::object id{{"name", "X-Request-Id"},
                  {"in", "header"},
                  {"required", false},
                  {"description",
                   "Your own name for this call: 1 to 128 letters, digits, `.`, `_`, `:` or `-`; "
                   "anything else is not echoed but replaced"}};
  id["schema"] = json::object{{"type", "string"}};
  return {{"IdempotencyKey", std::move(key)}, {"RequestId", std::move(id)}};
}

/// The codes by HTTP status, in the order of errc.def.
std::map<int, std::vector<const errc_info*>> codes_by_status() {
  constexpr int client_went_away = 499;  // nobody is left to read it
  constexpr errc all[] = {
#define FRESHET_ERRC(number, name, status, retryable, title, help) errc::name,
#include <freshet/errc.def>
#undef FRESHET_ERRC
  };
  std::map<int, std::vector<const errc_info*>> out;
  for (const auto code : all) {
    const auto& row = describe(code);
    if (row.http_status != client_went_away) out[row.http_status].push_back(&row);
  }
  return out;
}

/// As the sandbox gives it, where it can be provoked there.
json::object problem_example(const errc_info& info, const openapi_options& options) {
  if (const auto given = options.problem ? options.problem(info) : std::string(); !given.empty()) {
    if (auto value = base::parse_json(given, true)) {
      return {{"summary", json_text(info.title)},
              {"description", json_text(info.help)},
              {"value", std::move(*value)}};
    }
  }
  json::object value{
      {"type", "/errors/" + std::string(info.name)},
      {"title", json_text(info.title)},
      {"status", info.http_status},
      {"detail", json_text(info.help)},
      {"code", json_text(info.name)},
      {"request_id", "req_01KATZ5V2N8Q4R6S8T0V2W4X6Y"},
      {"retryable", info.retryable},
      {"retry_after_s", nullptr},
      {"errors", json::array{}},
      {"credits", json::object{{"used", 0}, {"remaining", 1000}}},
  };
  if (info.code == errc::rate_limited || info.code == errc::storage_unavailable) {
    value["retry_after_s"] = 1;  // they always say when
  }
  return {{"summary", json_text(info.title)},
          {"description", json_text(info.help)},
          {"value", std::move(value)}};
}

json::object common_response_headers() {
  json::object out;
  for (const auto name : {"X-Service-Credits-Used", "X-Service-Credits-Remaining", "X-Request-Id",
                          "RateLimit", "RateLimit-Policy"}) {
    out[name] = reference("headers/" + std::string(name));
  }
  return out;
}

std::string response_name(int status) { return "Problem" + std::to_string(status); }

json::object problem_responses(const openapi_options& options) {
  json::object out;
  for (const auto& [status, codes] : codes_by_status()) {
    std::string doc;
    json::object examples;
    bool retryable = false;
    for (const auto* one : codes) {
      doc += doc.empty() ? "`" : ", `";
      doc += std::string(one->name) + "`";
      examples[one->name] = problem_example(*one, options);
      retryable = retryable || one->retryable;
    }
    auto with = common_response_headers();
    if (status == describe(errc::missing_api_key).http_status) {
      with["WWW-Authenticate"] = reference("headers/WWW-Authenticate");
    }
    if (status == describe(errc::method_not_allowed).http_status) {
      with["Allow"] = reference("headers/Allow");
    }
    if (retryable) with["Retry-After"] = reference("headers/Retry-After");
    json::object content{{"schema", reference("schemas/Problem")}, {"examples", examples}};
    out[response_name(status)] =
        json::object{{"description", doc},
                     {"headers", std::move(with)},
                     {"content", json::object{{problem_type, std::move(content)}}}};
  }
  return out;
}

json::object schemas() {
  json::object out;
  for (const auto* one : object_schemas()) {
    out[schema_name(one->name)] = item_schema(*one, in_components);
  }
  for (const auto& shared : shared_objects()) {
    auto schema = fields_schema(shared.fields, in_components);
    schema["description"] = json_text(shared.doc);
    out[shared.name] = std::move(schema);
  }
  out["Page"] = page_schema();
  out["Meta"] = meta_schema(in_components);
  out["Credits"] = credits_schema();
  out["Problem"] = problem_schema(in_components);
  // These two are written in place by their owners; here they get the name that is referred to.
  const auto meta = meta_schema({});
  const auto problem = problem_schema({});
  out["SourceReport"] = meta.at("properties").at("sources").at("items");
  out["ParameterError"] = problem.at("properties").at("errors").at("items");
  return out;
}

/// Which errors a call to this endpoint can meet.
bool can_answer(const endpoint& endpoint, int status) {
  if (endpoint.credits > 0 || endpoint.render_credits > 0) return true;
  // Account calls cost nothing and ask no source.
  return status != describe(errc::insufficient_credits).http_status &&
         status != describe(errc::source_error).http_status &&
         status != describe(errc::source_timeout).http_status;
}

/// Where an item of an answer leads: `parameter` of the call to `to` is found at `where`.
struct onward {
  operation from, to;
  std::string_view name, parameter, where;
};
constexpr onward ways_on[] = {
    {operation::microblog_search, operation::microblog_posts_replies, "replies", "id",
     "/data/0/id"},
    {operation::microblog_users_posts, operation::microblog_posts_replies, "replies", "id",
     "/data/0/id"},
    {operation::forum_search, operation::forum_posts_comments, "comments", "id", "/data/0/id"},
    {operation::web_serp_search, operation::scrape_markdown, "page", "url", "/data/0/url"},
    {operation::news_search, operation::scrape_markdown, "page", "url", "/data/0/url"},
    {operation::account_keys_create, operation::account_keys_rotate, "rotate", "id", "/data/id"},
    {operation::account_keys_create, operation::account_keys_revoke, "revoke", "id", "/data/id"},
};

/// What the call that a link leads to is given. OpenAPI has `requestBody` for it, where
/// swagger-parser, by which OpenAPI Generator and others read, refuses a whole description for any
/// but a text.
constexpr std::string_view body_of_link = "x-requestBody";

/// The next page, and the calls that an item of this answer is good for.
json::object links(const endpoint& of) {
  json::object out;
  if (of.shape == answer_shape::list) {
    // Only what every call has: an expression that leads nowhere makes the whole link useless.
    json::object body{{"cursor", "$response.body#/page/next_cursor"}};
    for (const auto& one : of.own) {
      const bool first_choice = !of.one_of.empty() && one.name == of.one_of.front();
      if (one.required || first_choice) {
        body[one.name] = "$request.body#/" + std::string(one.name);
      }
    }
    out["next"] = json::object{{"operationId", operation_id(of)},
                               {body_of_link, std::move(body)},
                               {"description",
                                "The next page, while `page.has_more`: the cursor, and every "
                                "parameter as it was"}};
  }
  for (const auto& way : ways_on) {
    if (way.from != of.op) continue;
    for (const auto& to : endpoints()) {
      if (to.op != way.to) continue;
      out[way.name] = json::object{
          {"operationId", operation_id(to)},
          {body_of_link, json::object{{way.parameter, "$response.body#" + std::string(way.where)}}},
          {"description", json_text(to.summary)}};
    }
  }
  return out;
}

json::object responses(const endpoint& endpoint, const openapi_options& options) {
  auto with = common_response_headers();
  with["Idempotency-Replayed"] = reference("headers/Idempotency-Replayed");
  json::object content{{"schema", envelope_schema(endpoint, in_components)}};
  if (const auto answer = options.answer ? options.answer(endpoint) : std::string();
      !answer.empty()) {
    if (auto example = base::parse_json(answer, true)) content["example"] = std::move(*example);
  }
  json::object success{{"description", json_text(endpoint.summary)},
                       {"headers", std::move(with)},
                       {"content", json::object{{"application/json", std::move(content)}}}};
  if (endpoint.shape == answer_shape::list && endpoint.scope == scope::read) {
    // Who asks for one of these is told of each source, then the same answer.
    auto& ways = success["content"].as_object();
    for (const auto* type : {"text/event-stream", "application/x-ndjson"})
      ways[type] = json::object{{"schema", json::object{{"type", "string"}}}};
  }
  if (auto onwards = links(endpoint); !onwards.empty()) success["links"] = std::move(onwards);
  json::object out{{"200", std::move(success)}};
  for (const auto& [status, codes] : codes_by_status()) {
    if (!can_answer(endpoint, status)) continue;
    out[std::to_string(status)] = reference("responses/" + response_name(status));
  }
  return out;
}

/// The schema of an endpoint's parameters, with the sources that can be asked here.
json::object parameters_here(const endpoint& endpoint, const openapi_options& options) {
  auto schema = parameters_schema(endpoint);
  auto& properties = schema["properties"].as_object();
  // An example of a cursor would be refused: only an answer gives one that works.
  if (auto* cursor = properties.if_contains("cursor")) cursor->as_object().erase("examples");
  if (options.sources) name_sources(schema, options.sources(endpoint));
  return schema;
}

json::object request_body(const endpoint& endpoint, const openapi_options& options) {
  json::object media{{"schema", parameters_here(endpoint, options)},
                     {"example", example_body(endpoint)}};
  const bool required =
      !endpoint.one_of.empty() ||
      std::ranges::any_of(endpoint.own, [](const auto& one) { return one.required; });
  return {{"required", required},
          {"content", json::object{{"application/json", std::move(media)}}}};
}

json::object operation_of(const endpoint& endpoint, const openapi_options& options) {
  const auto price = options.price ? options.price(endpoint) : endpoint.credits;
  json::object out{
      {"operationId", operation_id(endpoint)},
      {"summary", json_text(endpoint.summary)},
      {"description", json_text(endpoint.doc)},
      {"tags", json::array{json_text(endpoint.platform)}},
      {"security", json::array{json::object{{"bearer", json::array{}}}}},
      {"x-credits", price},
      {"x-scope", endpoint.scope == scope::account ? "account" : "read"},
  };
  json::array own;
  for (const auto code : own_errors(endpoint)) own.push_back(json_text(describe(code).name));
  out["x-errors"] = std::move(own);
  const auto surcharge = options.surcharge ? options.surcharge(endpoint) : endpoint.render_credits;
  if (endpoint.render_credits > 0) out["x-credits-rendered"] = price + surcharge;
  out["parameters"] =
      json::array{reference("parameters/IdempotencyKey"), reference("parameters/RequestId")};
  out["requestBody"] = request_body(endpoint, options);
  out["responses"] = responses(endpoint, options);
  return out;
}

json::object info() {
  return {{"title", "Freshet"},
          {"version", json_text(version)},
          {"summary", "One API over public-data platforms"},
          {"description", json_text(about)},
          {"contact", json::object{{"name", "The operator of this server"}}},
          {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}};
}

}  // namespace

std::string openapi_json(const openapi_options& options) {
  json::object paths;
  for (const auto& one : endpoints()) {
    const auto path = "/" + std::string(contract_version) + "/" + std::string(one.path);
    paths[path] = json::object{{"post", operation_of(one, options)}};
  }
  json::array tags;
  for (const auto& one : platforms()) {
    tags.push_back(
        json::object{{"name", json_text(one.name)}, {"description", json_text(one.doc)}});
  }
  json::object bearer{{"type", "http"},
                      {"scheme", "bearer"},
                      {"description", "`frs_live_…` or, for the sandbox, `frs_test_…`"}};
  const std::string server = options.base_url.empty() ? "/" : options.base_url;
  json::object out{
      {"openapi", "3.1.0"},
      {"info", info()},
      {"servers", json::array{json::object{{"url", server}}}},
      {"security", json::array{json::object{{"bearer", json::array{}}}}},
      {"tags", std::move(tags)},
      {"paths", std::move(paths)},
      {"components", json::object{{"schemas", schemas()},
                                  {"responses", problem_responses(options)},
                                  {"parameters", request_headers()},
                                  {"headers", headers()},
                                  {"securitySchemes", json::object{{"bearer", bearer}}}}},
  };
  return json::serialize(out);
}

}  // namespace freshet::catalog
