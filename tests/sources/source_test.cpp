#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sources/source.hpp>

using namespace freshet;
using namespace freshet::sources;

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
