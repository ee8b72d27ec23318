#include <algorithm>
#include <base/work.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <sources/source.hpp>

using namespace freshet;
using namespace freshet::sources;

TEST_CASE("source: the items of an answer end where they take more than there is room for") {
  web_result large;
  large.text.assign(max_listing_bytes / 4, 'x');
  item_list list;
  for (int i = 0; i < 3; ++i) list.push_back(large);
  CHECK(list.size() == 3);
  CHECK_THROWS_AS(list.emplace_back(large), base::work_ended);
  item_list small;
  CHECK_THROWS_AS(
      [&small] {
        while (true) small.emplace_back(suggestion{});
      }(),
      base::work_ended);
  CHECK(small.size() <= max_listing_bytes / sizeof(item) + 1);
}

TEST_CASE("source: every source is complete and named once") {
  std::set<std::string_view> names;
  for (const auto* one : all_sources()) {
    REQUIRE(one != nullptr);
    INFO(one->name);
    CHECK(names.insert(one->name).second);
    CHECK(find_source(one->name) == one);
    CHECK(!one->title.empty());
    CHECK(!one->platform.empty());
    CHECK(!one->terms.empty());
    CHECK(!one->capabilities.empty());
    CHECK(!one->default_base_url.ends_with('/'));
    std::set<catalog::operation> operations;
    for (const auto& how : one->capabilities) {
      CHECK(operations.insert(how.op).second);
      CHECK(how.plan != nullptr);
      CHECK(how.read != nullptr);
      CHECK(find_capability(*one, how.op) == &how);
      if (!one->of_archive) CHECK(catalog::find_endpoint(how.op).platform == one->platform);
    }
    CHECK(find_capability(*one, catalog::operation::account_show) == nullptr);
    const auto is_setting = [one](std::string_view key) {
      return std::any_of(one->settings.begin(), one->settings.end(),
                         [key](const setting& each) { return each.name == key; });
    };
    for (const auto& quota : one->quotas) {
      CHECK(quota.requests > 0);
      CHECK((quota.unless_set.empty() || is_setting(quota.unless_set)));
      CHECK((quota.if_set.empty() || is_setting(quota.if_set)));
    }
  }
  CHECK(all_sources().size() >= 11);
  CHECK(find_source("nosuch") == nullptr);
  CHECK(find_source("") == nullptr);
}

TEST_CASE("only what the operator wrote into the configuration is the operator's choice") {
  settings with;
  with.base_url = "http://10.0.0.5:8888/wiki";
  const auto chosen_by = [&](std::string url) {
    http::request what;
    what.url = std::move(url);
    what.chosen_by = http::target_choice::configuration;  // whatever plan() thinks
    choose_target(what, with);
    return what.chosen_by;
  };
  using enum http::target_choice;
  CHECK(chosen_by("http://10.0.0.5:8888/wiki/api.php") == caller);
  with.chosen_origins = {"http://10.0.0.5:8888", "https://inner.example"};
  CHECK(chosen_by("http://10.0.0.5:8888/wiki/api.php") == configuration);
  CHECK(chosen_by("http://0xa.5:8888/wiki") == configuration);
  CHECK(chosen_by("https://inner.example:443/") == configuration);
  for (const char* other : {"http://10.0.0.5/", "http://10.0.0.5:8889/", "https://10.0.0.5:8888/",
                            "http://inner.example/", "http://10.0.0.5:8888@10.0.0.6/", "",
                            "http://10.0.0.5:8888.evil.example/", "file:///etc/passwd"}) {
    INFO(other);
    CHECK(chosen_by(other) == caller);
  }
}
