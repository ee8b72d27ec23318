// Whether two items tell the same: by their addresses, by their words, and what keeps them apart.
#include <catch2/catch.hpp>
#include <query/same_story.hpp>

using namespace freshet;
using namespace freshet::query;

namespace {

article story(std::string url, std::string title, std::string text = "", int hours = 0) {
  article made;
  made.id = "feeds:" + url;
  made.url = std::move(url);
  made.title = std::move(title);
  made.text = std::move(text);
  made.created_at = time_point(std::chrono::hours(500'000 + hours));
  return made;
}

bool same(const item& one, const item& other) {
  std::uint64_t steps = 0;
  const bool told = is_same_story(print_of(one), print_of(other), steps);
  CHECK(is_same_story(print_of(other), print_of(one), steps) == told);
  return told;
}

constexpr auto title = "Storm closes the harbour of Grey Quay for a second night";

}  // namespace

TEST_CASE("one page is one, however its address is written, and so is what points to it") {
  const auto page = story("https://www.paper.example/storm/?utm_source=x", "Storm");
  CHECK(same(page, story("http://paper.example/storm", "Another title")));
  forum_post talk;
  talk.url = "https://forum.example/t/1";
  talk.link_url = "https://paper.example/storm";
  CHECK(same(page, talk));
  post shown;
  shown.url = "https://micro.example/@ann/1";
  shown.links = {"https://paper.example/storm"};
  CHECK(same(page, shown));
  shown.links.push_back("https://other.example/a");
  CHECK_FALSE(same(page, shown));  // of several pages it is about none
  CHECK_FALSE(same(story("https://paper.example/", "a"), story("https://paper.example", "b")));
  post first, second;
  first.url = "https://micro.example/@ann/2";
  second.url = "https://micro.example/@ann/3";
  first.links = second.links = {"https://tool.example/news"};
  first.text = "Version 0.2.0 of the tool is out";
  second.text = "Version 0.3.0 of the tool is out";
  CHECK_FALSE(same(first, second));
  second.text = "Once more: version 0.2.0 is out";
  CHECK(same(first, second));
}

TEST_CASE("one story has the words of another, at about the same time, on another site") {
  CHECK(same(story("https://a.example/1", title),
             story("https://b.example/2", std::string(title) + " - The Paper")));
  CHECK_FALSE(same(story("https://a.example/1", title), story("https://a.example/2", title)));
  CHECK_FALSE(
      same(story("https://a.example/1", title), story("https://b.example/2", title, "", 80)));
  auto undated = story("https://b.example/2", title);
  undated.created_at.reset();
  CHECK_FALSE(same(story("https://a.example/1", title), undated));
}

TEST_CASE("on one site it is the same only where it is passed on whole") {
  const std::string told =
      "The tide gauge of Grey Quay stood still for a week, and the harbour office says that it was "
      "the kelp";
  post first, again;
  first.url = "https://micro.example/@ann/1";
  again.url = "https://micro.example/@bob/9";
  first.created_at = again.created_at = time_point(std::chrono::hours(500'000));
  first.text = again.text = told;
  CHECK(same(first, again));
  again.text = told + " again";
  CHECK_FALSE(same(first, again));
  first.text = again.text = "Good morning to all of you";  // everybody says that
  CHECK_FALSE(same(first, again));
  web_result page;
  web_image shown;
  page.url = shown.url = "https://paper.example/";
  CHECK(same(page, shown));  // both stand for the site
  CHECK_FALSE(same(page, story("https://paper.example/", "Storm")));
}

TEST_CASE("short titles, other numbers and the same subject are no one story") {
  CHECK_FALSE(same(story("https://a.example/1", "Weather forecast for Grey Quay"),
                   story("https://b.example/2", "Weather forecast for Grey Quay")));
  CHECK_FALSE(
      same(story("https://a.example/1", "Earthquake of magnitude 5 shakes the coast of Skerry"),
           story("https://b.example/2", "Earthquake of magnitude 4 shakes the coast of Skerry")));
  CHECK_FALSE(
      same(story("https://a.example/1", title),
           story("https://b.example/2", "Harbour of Grey Quay opens again after the storm")));
}

TEST_CASE("a print is bounded, and a pair is one pass over both") {
  std::string long_text;
  for (int i = 0; i < 20'000; ++i) long_text += "word" + std::to_string(i) + " ";
  const auto one = print_of(story("https://a.example/1", long_text, long_text));
  const auto other = print_of(story("https://b.example/2", "x " + long_text, long_text));
  CHECK(one.text.size() <= 160);
  std::uint64_t steps = 0;
  static_cast<void>(is_same_story(one, other, steps));
  CHECK(steps <= 2 * (one.text.size() + other.text.size() + 2));
}
