// Which sources a configuration switches on.
#include <catch2/catch.hpp>
#include <engine/runtime/environment.hpp>
#include <freshet/config.hpp>
#include <support/print_result.hpp>

using namespace freshet;

namespace {

const detail::configured_source& find(const std::vector<detail::configured_source>& sources,
                                      std::string_view name) {
  for (const auto& one : sources) {
    if (one.of->name == name) return one;
  }
  FAIL("no source " << name);
  return sources.front();
}

}  // namespace

TEST_CASE("a source whose terms make it a choice is off until an operator takes it") {
  config settings;
  const auto before = detail::configure_sources(settings);
  CHECK_FALSE(find(before, "googlenews").enabled);
  CHECK(find(before, "gdelt").enabled);
  REQUIRE(settings.set("sources.googlenews.enabled", "true"));
  REQUIRE(settings.set("sources.gdelt.enabled", "false"));
  const auto after = detail::configure_sources(settings);
  CHECK(find(after, "googlenews").enabled);
  // What answers without a key, for trying it out, is on where it has one or is wanted so.
  CHECK_FALSE(find(before, "tavily").enabled);
  REQUIRE(settings.set("sources.tavily.api_key", "tvly-1"));
  CHECK(find(detail::configure_sources(settings), "tavily").enabled);
  config keyless;
  REQUIRE(keyless.set("sources.tavily.enabled", "true"));
  const auto wanted = detail::configure_sources(keyless);
  CHECK(find(wanted, "tavily").enabled);
  CHECK(find(wanted, "tavily").missing.empty());
  CHECK_FALSE(find(after, "gdelt").enabled);
}

TEST_CASE("a source without what it needs says which setting is missing") {
  config settings;
  const auto before = detail::configure_sources(settings);
  CHECK(find(before, "guardian").missing == "sources.guardian.api_key");
  CHECK(find(before, "discourse").missing == "sources.discourse.base_url");
  CHECK(find(before, "stackexchange").missing.empty());
  REQUIRE(settings.set("sources.guardian.api_key", "k"));
  REQUIRE(settings.set("sources.discourse.instances", "https://a.example/,https://b.example"));
  const auto after = detail::configure_sources(settings);
  CHECK(find(after, "guardian").missing.empty());
  const auto& forums = find(after, "discourse");
  REQUIRE(forums.instances.size() == 2);
  CHECK(forums.instances[0].base_url == "https://a.example");
}
