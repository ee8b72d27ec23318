// The check of sources over exchanges that a test has changed: what drifts is found and named, what
// does not is not.
#include <unistd.h>
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <freshet/engine.hpp>
#include <fstream>
#include <functional>
#include <map>
#include <sources/sandbox.hpp>
#include <support/print_result.hpp>

using namespace freshet;

namespace {

/// What the check says of Hacker News, by endpoint, where its answers are the recorded ones after
/// `change`.
std::map<std::string, boost::json::object> checked_after(
    const std::function<std::string(std::string)>& change) {
  boost::json::object har;
  for (const auto text : sources::sandbox_hars()) {
    if (text.find("hn.algolia.com") != std::string_view::npos)
      har = base::parse_json(text)->as_object();
  }
  REQUIRE_FALSE(har.empty());
  for (auto& entry : har["log"].as_object()["entries"].as_array()) {
    auto& content = entry.as_object()["response"].as_object()["content"].as_object();
    content["text"] = change(std::string(content["text"].as_string()));
  }
  auto path = (std::filesystem::temp_directory_path() / "freshet-check-XXXXXX").string();
  const int file = ::mkstemp(path.data());
  REQUIRE(file >= 0);
  ::close(file);
  std::ofstream(path) << boost::json::serialize(har);
  engine_options options;
  REQUIRE(options.config.set("network.replay", path));
  std::map<std::string, boost::json::object> out;
  {
    const auto on = engine::open(std::move(options));
    REQUIRE(on);
    const auto report = base::parse_json((*on)->check_sources());
    REQUIRE(report);
    for (const auto& one : base::array_of(base::member(*report, "checks"))) {
      if (base::view_of(base::member(one, "source")) == "hackernews")
        out[base::text_of(base::member(one, "endpoint"))] = one.as_object();
    }
  }
  std::filesystem::remove(path);
  return out;
}

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  for (auto at = text.find(old_text); at != std::string::npos;
       at = text.find(old_text, at + new_text.size()))
    text.replace(at, old_text.size(), new_text);
  return text;
}

std::string told(const boost::json::object& check) {
  return boost::json::serialize(check.at("findings"));
}

}  // namespace

TEST_CASE("a source that answers as it did is as it was, for each of its endpoints", "[alone]") {
  const auto checks = checked_after([](std::string text) { return text; });
  REQUIRE(checks.size() == 4);
  for (const auto& [endpoint, one] : checks) {
    INFO(endpoint << " " << told(one));
    CHECK(one.at("status").as_string() == "ok");
    // A post may have no comments.
    if (endpoint != "forum/posts/comments") CHECK(one.at("items").as_int64() > 0);
  }
}

TEST_CASE("a key that has another name is told of, where it stood") {
  const auto checks = checked_after(
      [](std::string text) { return replaced(std::move(text), "\"points\"", "\"p\""); });
  const auto& search = checks.at("forum/search");
  CHECK(search.at("status").as_string() == "changed");
  CHECK(told(search).find("the key hits[].points is gone") != std::string::npos);
  CHECK(told(search).find("metrics.score is empty in all") != std::string::npos);
}

TEST_CASE("an empty answer is a change, and a refusal a failure", "[alone]") {
  const auto empty = checked_after([](std::string text) {
    return text.find("\"hits\"") == std::string::npos ? text
                                                      : R"({"hits":[],"nbPages":0,"page":0})";
  });
  CHECK(empty.at("forum/search").at("status").as_string() == "changed");
  CHECK(told(empty.at("forum/search")).find("no item came") != std::string::npos);
  const auto broken = checked_after([](const std::string&) { return std::string("<html>"); });
  CHECK(broken.at("forum/search").at("status").as_string() == "failed");
}
