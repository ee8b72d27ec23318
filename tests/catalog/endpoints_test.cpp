#include <catalog/endpoint.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace freshet;
using namespace freshet::catalog;

TEST_CASE("every path of the contract is an endpoint, and no other") {
  const std::vector<std::string> contract = {"all/search",
                                             "microblog/users/lookup",
                                             "microblog/users/posts",
                                             "microblog/users/search",
                                             "microblog/users/followers",
                                             "microblog/users/following",
                                             "microblog/search",
                                             "microblog/posts/lookup",
                                             "microblog/posts/replies",
                                             "microblog/trends",
                                             "web-serp/search",
                                             "web-serp/images/search",
                                             "web-serp/videos/search",
                                             "web-serp/suggest",
                                             "scrape/markdown",
                                             "scrape/map",
                                             "scrape/extract",
                                             "forum/search",
                                             "forum/communities/posts",
                                             "forum/posts/lookup",
                                             "forum/posts/comments",
                                             "shortvideo/search",
                                             "shortvideo/trends",
                                             "shortvideo/videos/lookup",
                                             "shortvideo/videos/comments",
                                             "shortvideo/videos/transcript",
                                             "shortvideo/hashtags/videos",
                                             "shortvideo/profiles/lookup",
                                             "shortvideo/profiles/videos",
                                             "news/search",
                                             "news/headlines",
                                             "account/show",
                                             "account/usage",
                                             "account/ledger",
                                             "account/ledger/verify",
                                             "account/keys/list",
                                             "account/keys/create",
                                             "account/keys/rotate",
                                             "account/keys/revoke",
                                             "account/requests/list",
                                             "account/requests/show",
                                             "account/alerts/show",
                                             "account/alerts/update",
                                             "account/alerts/test"};
  std::vector<std::string> paths;
  for (const auto& one : endpoints()) paths.emplace_back(one.path);
  CHECK(paths == contract);
}

TEST_CASE("the table stands in the order of the operations") {
  std::size_t at = 0;
  for (const auto& one : endpoints()) {
    CHECK(static_cast<std::size_t>(one.op) == at++);
    CHECK(&find_endpoint(one.op) == &one);
    CHECK(find_endpoint(one.path) == &one);
  }
}

TEST_CASE("searches ask every source, everything else the first that has it") {
  std::set<std::string_view> merged;
  for (const auto& one : endpoints()) {
    if (one.asks == ask_mode::all) merged.insert(one.path);
  }
  CHECK(merged == std::set<std::string_view>{
                      "all/search", "microblog/search", "microblog/users/search", "web-serp/search",
                      "web-serp/images/search", "web-serp/videos/search", "web-serp/suggest",
                      "forum/search", "forum/communities/posts", "shortvideo/search",
                      "shortvideo/hashtags/videos", "news/search", "news/headlines",
                      "microblog/trends", "shortvideo/trends"});
}

TEST_CASE("every row is complete and consistent") {
  for (const auto& one : endpoints()) {
    INFO(one.path);
    CHECK(one.path.substr(0, one.path.find('/')) == one.platform);
    CHECK_FALSE(one.summary.empty());
    CHECK_FALSE(one.doc.empty());
    CHECK((one.answer == nullptr) == !one.parts.empty());
    REQUIRE(answers_of(one).size() == std::max<std::size_t>(1, one.parts.size()));
    const bool account = one.platform == "account";
    const auto parts = static_cast<std::int64_t>(one.parts.size());
    CHECK(one.credits == (account ? 0 : std::max<std::int64_t>(1, parts)));
    CHECK((one.scope == scope::account) == account);
    std::set<std::string_view> names;
    for (const auto part : {one.own, one.common}) {
      for (const auto& parameter : part) {
        INFO(parameter.name);
        CHECK(names.insert(parameter.name).second);
        CHECK_FALSE(parameter.doc.empty());
        CHECK_FALSE(parameter.example.empty());
        CHECK(parameter.min <= parameter.max);
        if (parameter.type != value_type::boolean) CHECK(parameter.max > 0);
        CHECK(find_parameter(one, parameter.name) == &parameter);
      }
    }
    for (const auto name : {"fields", "max_tokens", "max_credits", "dry_run"}) {
      CHECK(names.count(name) == 1);
    }
    if (one.shape == answer_shape::list) {
      CHECK(names.count("limit") == 1);
      CHECK(names.count("cursor") == 1);
    }
    for (const auto name : one.one_of) CHECK(names.count(name) == 1);
  }
}

TEST_CASE("every platform of an endpoint is described") {
  std::set<std::string_view> used;
  std::set<std::string_view> described;
  for (const auto& one : endpoints()) used.insert(one.platform);
  for (const auto& one : platforms()) described.insert(one.name);
  CHECK(used == described);
}

TEST_CASE("scraping costs four more in a browser") {
  const auto& scrape = find_endpoint(operation::scrape_markdown);
  CHECK(scrape.credits == 1);
  CHECK(scrape.render_credits == 4);
}

TEST_CASE("an unknown path names the nearest") {
  CHECK(find_endpoint("microblog/serch") == nullptr);
  CHECK(nearest_path("microblog/serch") == "microblog/search");
  CHECK(nearest_path("scrape/markdwon") == "scrape/markdown");
  CHECK(nearest_path("something/else/altogether").empty());
  CHECK(nearest_path(std::string(100'000, 'a')).empty());
}

TEST_CASE("only calls of the account change something, and say what") {
  std::set<std::string_view> changing;
  for (const endpoint& one : endpoints()) {
    INFO(one.path);
    const auto& [changes, destroys, is_idempotent] = one.effects;
    if (changes) changing.insert(one.path);
    CHECK((changes || (!destroys && !is_idempotent)));
    CHECK((!changes || one.scope == scope::account));
  }
  CHECK(changing == std::set<std::string_view>{"account/keys/create", "account/keys/rotate",
                                               "account/keys/revoke", "account/alerts/update",
                                               "account/alerts/test"});
}
