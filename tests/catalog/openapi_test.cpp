#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <catalog/openapi.hpp>
#include <catalog/validate.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

using namespace freshet;
using namespace freshet::catalog;
using base::member;

namespace {

boost::json::value description(const openapi_options& options = {}) {
  auto parsed = base::parse_json(openapi_json(options), true);
  REQUIRE(parsed.has_value());
  return *parsed;
}

/// Every "$ref" in the document, found with an explicit stack.
std::set<std::string> references(const boost::json::value& root) {
  std::set<std::string> out;
  std::vector<const boost::json::value*> open = {&root};
  while (!open.empty()) {
    const auto* at = open.back();
    open.pop_back();
    for (const auto& one : base::array_of(*at)) open.push_back(&one);
    for (const auto& one : base::object_of(*at)) {
      if (one.key() == "$ref") out.insert(base::text_of(one.value()));
      open.push_back(&one.value());
    }
  }
  return out;
}

const boost::json::value& operation_at(const boost::json::value& root, const std::string& path) {
  return member(root, "paths", "/v1/" + path, "post");
}

}  // namespace

TEST_CASE("every endpoint is one operation, with its price and its errors") {
  const auto root = description();
  CHECK(base::text_of(member(root, "openapi")) == "3.1.0");
  CHECK(base::text_of(member(root, "info", "license", "identifier")) == "Apache-2.0");
  CHECK(base::object_of(member(root, "paths")).size() == endpoints().size());
  std::set<std::string> ids;
  for (const auto& one : endpoints()) {
    INFO(one.path);
    const auto& operation = operation_at(root, std::string(one.path));
    CHECK(ids.insert(base::text_of(member(operation, "operationId"))).second);
    CHECK(base::integer_of(member(operation, "x-credits")) == one.credits);
    CHECK(base::array_of(member(operation, "tags")).at(0).as_string() == std::string(one.platform));
    const auto& media = member(operation, "requestBody", "content", "application/json");
    CHECK(base::flag_of(member(media, "schema", "additionalProperties")) == false);
    CHECK(base::object_of(member(media, "schema", "properties")).size() ==
          one.own.size() + one.common.size());
    const auto& responses = member(operation, "responses");
    CHECK(member(responses, "200", "content", "application/json", "schema").is_object());
    for (const auto* status : {"400", "401", "403", "404", "429", "500", "503"}) {
      CHECK(member(responses, status, "$ref").is_string());
    }
    CHECK(member(responses, "402").is_object() == (one.credits > 0));
  }
  CHECK(ids.count("microblog_users_lookup") == 1);
  CHECK(ids.count("web_serp_search") == 1);
}

TEST_CASE("an endpoint names the errors that it can give by what it is") {
  const auto root = description();
  const auto errors = [&](const std::string& path) {
    std::set<std::string, std::less<>> out;
    for (const auto& one : base::array_of(member(operation_at(root, path), "x-errors")))
      out.insert(std::string(base::text_of(one)));
    return out;
  };
  const auto scrape = errors("scrape/markdown");
  for (const auto* code : {"robots_disallowed", "target_forbidden", "unsafe_content", "not_found",
                           "unsupported_content", "source_timeout", "insufficient_credits"})
    CHECK(scrape.contains(code));
  CHECK(!errors("microblog/users/lookup").contains("invalid_cursor"));
  const auto search = errors("news/search");
  CHECK(search.contains("invalid_cursor"));
  CHECK(!search.contains("robots_disallowed"));
  CHECK(!search.contains("not_found"));
  CHECK(errors("forum/search").contains("not_found"));  // its community may not be there
  CHECK(errors("account/keys/rotate") ==
        std::set<std::string, std::less<>>{"invalid_request", "forbidden_scope", "not_found",
                                           "key_not_rotatable"});
  for (const auto& one : endpoints()) {
    INFO(one.path);
    CHECK(!errors(std::string(one.path)).contains("csrf_failed"));
    CHECK(errors(std::string(one.path)).contains("insufficient_credits") == (one.credits > 0));
  }
}

TEST_CASE("every reference leads somewhere") {
  const auto root = description();
  const auto all = references(root);
  CHECK(all.size() > 30);
  for (const auto& reference : all) {
    INFO(reference);
    REQUIRE(reference.starts_with("#/components/"));
    const auto rest = reference.substr(std::string("#/components/").size());
    const auto slash = rest.find('/');
    CHECK(member(root, "components", rest.substr(0, slash), rest.substr(slash + 1)).is_object());
  }
}

TEST_CASE("the operator's prices and address are shown") {
  openapi_options options;
  options.base_url = "https://api.example.org/base";
  options.price = [](const endpoint& of) { return of.op == operation::scrape_markdown ? 7 : 3; };
  const auto root = description(options);
  CHECK(base::text_of(member(base::array_of(member(root, "servers")).at(0), "url")) ==
        options.base_url);
  const auto& scrape = operation_at(root, "scrape/markdown");
  CHECK(base::integer_of(member(scrape, "x-credits")) == 7);
  CHECK(base::integer_of(member(scrape, "x-credits-rendered")) == 11);
  CHECK(base::integer_of(member(operation_at(root, "news/search"), "x-credits")) == 3);
}

TEST_CASE("the example of every operation is a valid call") {
  for (const auto& one : endpoints()) {
    INFO(one.path);
    const auto body = boost::json::serialize(example_body(one));
    INFO(body);
    CHECK(validate(one, body).has_value());
  }
}

TEST_CASE("the example of every parameter is a valid value") {
  const auto root = description();
  for (const auto& one : endpoints()) {
    const auto& properties = member(operation_at(root, std::string(one.path)), "requestBody",
                                    "content", "application/json");
    for (const auto& property : base::object_of(member(properties, "schema", "properties"))) {
      INFO(one.path << " " << property.key());
      auto body = example_body(one);
      if (!one.one_of.empty() && property.key() == "url") body.erase("id");
      const auto& examples = base::array_of(member(property.value(), "examples"));
      // Only an answer gives a cursor that works.
      REQUIRE(examples.size() == (property.key() == "cursor" ? 0 : 1));
      if (examples.empty()) continue;
      body[property.key()] = examples.at(0);
      const auto checked = validate(one, boost::json::serialize(body));
      INFO((checked ? std::string() : checked.error().detail()));
      CHECK(checked.has_value());
    }
  }
}

TEST_CASE("a schema without references is complete in itself") {
  const auto& search = find_endpoint(operation::microblog_search);
  const boost::json::value schema = envelope_schema(search, {});
  CHECK(references(schema).empty());
  CHECK(
      member(schema, "properties", "data", "items", "properties", "author", "properties", "handle")
          .is_object());
}

TEST_CASE("the names of schemas") {
  CHECK(schema_name("forum_post") == "ForumPost");
  CHECK(schema_name("post") == "Post");
}
