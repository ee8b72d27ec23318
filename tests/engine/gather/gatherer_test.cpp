// Walks over made-up sources: pages are disjoint and complete whatever the sources do, failures
// are told, and what was begun with one source stays with it.
#include <atomic>
#include <base/clock.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/gather/made_up_source.hpp>
#include <map>
#include <model/json.hpp>
#include <mutex>
#include <random>
#include <sstream>
#include <support/print_result.hpp>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

/// What the made-up network holds: base URL -> lines "id seconds", and bases that fail.
struct shelf {
  std::map<std::string, std::vector<std::pair<std::string, int>>> lists;
  std::map<std::string, errc> failures;
  std::map<std::string, int> asked;
};

class shelf_transport final : public http::transport {
 public:
  explicit shelf_transport(shelf& of) : of_(of) {}
  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    const auto parsed = base::parse_url(wanted.url);
    ++of_.asked[parsed->origin()];
    if (const auto failing = of_.failures.find(parsed->origin()); failing != of_.failures.end()) {
      done(error(failing->second, "made to fail"));
      return 1;
    }
    const auto from = std::stoul(*base::query_parameter(parsed->query, "from"));
    const auto size = std::stoul(*base::query_parameter(parsed->query, "size"));
    const auto& list = of_.lists[parsed->origin()];
    http::response answer;
    answer.status = 200;
    for (auto i = from; i < list.size() && i < from + size; ++i) {
      answer.body += list[i].first + " " + std::to_string(list[i].second) + "\n";
    }
    if (from + size < list.size()) answer.body += "next " + std::to_string(from + size) + "\n";
    done(std::move(answer));
    return 1;
  }
  void cancel(std::uint64_t) override {}

 private:
  shelf& of_;
};

result<http::request> plan_page(const sources::call& asked, const sources::settings& where,
                                std::string_view position) {
  if (asked.username == "nobody") return error(errc::not_found, "no such user");
  http::request what;
  what.url = where.base_url + "/?from=" + (position.empty() ? "0" : std::string(position)) +
             "&size=" + std::to_string(asked.limit);
  return what;
}

result<sources::step> read_page(const sources::exchange& exchange) {
  sources::listing page;
  std::istringstream in(exchange.answer.body);
  std::string word;
  int number = 0;
  while (in >> word >> number) {
    if (word == "next") {
      page.next = std::to_string(number);
      continue;
    }
    post one;
    one.source = "made-up";
    one.id = "made-up:" + exchange.settings.base_url + word;
    one.url = "https://origin.example/" + word;
    one.text = word;
    one.created_at = time_point(std::chrono::seconds(number));
    if (word == "uncounted") one.metrics.likes = -1;
    if (word == "large") one.text.assign(sources::max_listing_bytes / 8, 'x');
    page.items.push_back(std::move(one));
  }
  return sources::step(std::move(page));
}

constexpr sources::capability timed[] = {
    {catalog::operation::microblog_search, sources::newest_first, plan_page, read_page},
    {catalog::operation::microblog_users_posts, sources::newest_first, plan_page, read_page}};
constexpr auto made_up = test::made_up_source("made-up", "microblog", timed, "instances");

/// Two search engines: one with pages of 20 results, one with pages of 10.
result<http::request> plan_results(const sources::call&, const sources::settings& where,
                                   std::string_view position) {
  http::request what;
  what.url = where.base_url + "/?from=" + (position.empty() ? "0" : std::string(position)) +
             "&size=" + (where.base_url == "http://a.test" ? "20" : "10");
  return what;
}

result<sources::step> read_results(const sources::exchange& exchange) {
  sources::listing page;
  std::int64_t rank = exchange.position.empty() ? 0 : std::stoll(std::string(exchange.position));
  std::istringstream in(exchange.answer.body);
  std::string word;
  int number = 0;
  while (in >> word >> number) {
    if (word == "next") {
      page.next = std::to_string(number);
      continue;
    }
    web_result one;
    one.source = "engines";
    one.id = "engines:" + exchange.settings.base_url + word;
    one.url = "https://page.example/" + word;
    one.text = word;
    one.rank = ++rank;
    one.engines = {{exchange.settings.base_url, rank}};
    page.items.push_back(std::move(one));
  }
  return sources::step(std::move(page));
}

constexpr sources::capability ranked[] = {
    {catalog::operation::web_serp_search, sources::native_none, plan_results, read_results}};
constexpr auto engines = test::made_up_source("engines", "web-serp", ranked, "instances");

/// An environment of the bases on the shelf, and one page gathered in it.
struct gatherer_fixture {
  shelf books;
  environment in;
  workers pool{2};
  configured_source source{&made_up, true, {}, {}};

  explicit gatherer_fixture(const std::vector<std::string>& bases) {
    in.clock = &base::system_clock();
    in.transport = std::make_unique<shelf_transport>(books);
    for (const auto& base : bases) {
      sources::settings one;
      one.base_url = base;
      source.instances.push_back(one);
      books.lists[base];
    }
  }

  result<page_outcome> page(gather_request plan) {
    return test::gather(in, pool, std::move(plan), {&source});
  }
};

gather_request search_plan(merge_order order, std::size_t wanted) {
  gather_request plan;
  plan.parts[0].what.op = catalog::operation::microblog_search;
  plan.parts[0].what.limit = 20;
  plan.parts[0].order = order;
  plan.wanted = wanted;
  return plan;
}

std::vector<std::string> words_of(const std::vector<shared_item>& items) {
  std::vector<std::string> words;
  for (const auto& one : items) words.push_back(common(one.get()).text);
  return words;
}

}  // namespace

TEST_CASE("each source is told of as it answers, with what may stand in the answer") {
  gatherer_fixture here({"http://a.test", "http://b.test", "http://c.test"});
  for (int i = 0; i < 30; ++i)
    here.books.lists["http://a.test"].emplace_back("a" + std::to_string(i), i);
  here.books.lists["http://b.test"].emplace_back("b", 5);
  here.books.failures["http://c.test"] = errc::source_unavailable;
  auto plan = search_plan(merge_order::in_turn, 4);
  std::mutex mutex;
  std::vector<std::string> events;
  plan.on_source = [&](std::string event) {
    const std::lock_guard lock(mutex);
    events.push_back(std::move(event));
  };
  const auto page = here.page(std::move(plan));
  REQUIRE(page.has_value());
  std::map<std::string, source_part> told;
  for (const auto& event : events) {
    auto read = model::read_source_event(event);
    REQUIRE(read.has_value());
    const auto name = read->row.instance;
    CHECK(told.emplace(name, std::move(*read)).second);
  }
  REQUIRE(told.size() == 3);
  CHECK(told["http://a.test"].items.size() == 4);  // no more than a page
  CHECK(told["http://a.test"].row.items_read == 20);
  CHECK(told["http://b.test"].items.size() == 1);
  CHECK(told["http://c.test"].row.code == "source_unavailable");
  CHECK(told["http://c.test"].items.empty());
}

TEST_CASE("what turns letters and what a terminal obeys is marked and not handed on") {
  gatherer_fixture here({"http://a.test"});
  here.books.lists["http://a.test"].emplace_back("a\x1B[31m\u202Egpj.exe", 1);
  here.books.lists["http://a.test"].emplace_back("uncounted", 0);
  const auto page = here.page(search_plan(merge_order::in_turn, 20));
  REQUIRE(page.has_value());
  REQUIRE(page->items.size() == 2);
  CHECK(!std::get<post>(page->items[1].get()).metrics.likes);
  const auto& got = common(page->items[0].get());
  CHECK(got.text == "a[31mgpj.exe");
  CHECK(got.id.ends_with("a[31mgpj.exe"));
  REQUIRE(got.safety.size() == 1);
  CHECK(got.safety[0].kind == "bidi");
}

TEST_CASE("what has no name once it is shown is left out, and what is of a day to come undated") {
  gatherer_fixture here({"http://a.test/"});
  here.books.lists["http://a.test"] = {{"late", 200'000}, {"new", 90'000}, {"\x01", 5}, {"old", 3}};
  auto plan = search_plan(merge_order::by_time, 20);
  plan.parts[0].what.now = time_point(std::chrono::seconds(10'000));
  const auto page = here.page(std::move(plan));
  REQUIRE(page.has_value());
  CHECK(words_of(page->items) == std::vector<std::string>{"new", "old", "late"});
  CHECK(!common(page->items[2].get()).created_at);
  CHECK(page->partial);
  REQUIRE(page->warnings.size() == 1);
  CHECK(page->warnings[0] ==
        "limited: made-up: 1 items without a name that can be shown were left out");
}

TEST_CASE("what is told of sources is no larger than an answer may be") {
  gatherer_fixture here({"http://a.test"});
  for (int i = 0; i < 20; ++i)
    here.books.lists["http://a.test"].emplace_back("a" + std::to_string(i), i);
  auto plan = search_plan(merge_order::in_turn, 20);
  plan.max_bytes = 2000;
  std::size_t bytes = 0;
  plan.on_source = [&](const std::string& event) { bytes += event.size(); };
  REQUIRE(here.page(std::move(plan)).has_value());
  CHECK(bytes > 0);
  CHECK(bytes <= 2000 + 10);  // the end of an event stands behind its items
}

TEST_CASE("a walk over overlapping sources gives every item once, newest first", "[alone]") {
  std::mt19937 random(20261121);
  for (int round = 0; round < freshet::test::cases(600, 60, 20); ++round) {
    gatherer_fixture here({"http://a.test", "http://b.test", "http://c.test"});
    std::map<std::string, int> all;
    for (int i = 0; i < 150; ++i) {
      const auto word = "w" + std::to_string(i);
      const int seconds = static_cast<int>(random() % 100);
      bool placed = false;
      for (auto& [base, list] : here.books.lists) {
        if (random() % 2 == 0) continue;
        list.emplace_back(word, seconds);
        placed = true;
      }
      if (placed) all[word] = seconds;
    }
    for (auto& [base, list] : here.books.lists) {
      std::stable_sort(list.begin(), list.end(),
                       [](const auto& x, const auto& y) { return x.second > y.second; });
    }
    std::vector<std::string> given;
    cursor_state from;
    bool more = true;
    const std::size_t wanted = 1 + random() % 40;
    while (more) {
      auto plan = search_plan(merge_order::by_time, wanted);
      plan.from = from;
      const auto outcome = here.page(std::move(plan));
      REQUIRE(outcome);
      CHECK((outcome->items.size() == wanted || !outcome->more || outcome->partial));
      for (const auto& word : words_of(outcome->items)) given.push_back(word);
      from = outcome->after;
      more = outcome->more;
      REQUIRE(given.size() <= all.size());
    }
    CHECK(given.size() == all.size());
    CHECK(std::set<std::string>(given.begin(), given.end()).size() == all.size());
    for (std::size_t i = 1; i < given.size(); ++i) REQUIRE(all[given[i - 1]] >= all[given[i]]);
  }
}

TEST_CASE("items that arrive during a walk do not repeat what was given") {
  gatherer_fixture here({"http://a.test"});
  auto& list = here.books.lists["http://a.test"];
  for (int i = 0; i < 60; ++i) list.emplace_back("w" + std::to_string(i), 1000 - i);
  std::vector<std::string> given;
  cursor_state from;
  for (bool more = true; more;) {
    auto plan = search_plan(merge_order::by_time, 7);
    plan.from = from;
    const auto outcome = here.page(std::move(plan));
    REQUIRE(outcome);
    for (const auto& word : words_of(outcome->items)) given.push_back(word);
    from = outcome->after;
    more = outcome->more;
    list.insert(list.begin(), {"new" + std::to_string(given.size()), 2000});
  }
  CHECK(std::set<std::string>(given.begin(), given.end()).size() == given.size());
  for (int i = 0; i < 60; ++i) {
    CHECK(std::count(given.begin(), given.end(), "w" + std::to_string(i)) == 1);
  }
}

TEST_CASE("engines with pages of different sizes take turns through the whole walk") {
  gatherer_fixture here({"http://a.test", "http://b.test"});
  here.source.of = &engines;
  for (int i = 0; i < 40; ++i) {
    here.books.lists["http://a.test"].emplace_back("a" + std::to_string(i), 0);
    here.books.lists["http://b.test"].emplace_back("b" + std::to_string(i), 0);
  }
  std::vector<std::string> given;
  std::vector<std::int64_t> ranks;
  cursor_state from;
  for (bool more = true; more;) {
    auto plan = search_plan(merge_order::by_rank, 7);
    plan.parts[0].what.op = catalog::operation::web_serp_search;
    plan.from = from;
    const auto outcome = here.page(std::move(plan));
    REQUIRE(outcome);
    for (const auto& one : outcome->items) {
      const auto& result = std::get<web_result>(one.get());
      given.push_back(result.text);
      ranks.push_back(result.rank);
      CHECK(result.engines.at(0).rank == std::stoll(result.text.substr(1)) + 1);
    }
    from = outcome->after;
    more = outcome->more;
    REQUIRE(given.size() <= 80);
  }
  REQUIRE(given.size() == 80);
  for (int i = 0; i < 40; ++i) {
    INFO(i);
    CHECK(given[2 * static_cast<std::size_t>(i)] == "a" + std::to_string(i));
    CHECK(given[2 * static_cast<std::size_t>(i) + 1] == "b" + std::to_string(i));
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) CHECK(ranks[i] == static_cast<int>(i) + 1);
}

TEST_CASE("one source that fails makes the call partial; all that fail make it fail") {
  gatherer_fixture here({"http://a.test", "http://b.test"});
  here.books.lists["http://a.test"] = {{"one", 3}, {"two", 2}};
  here.books.failures["http://b.test"] = errc::source_timeout;
  const auto outcome = here.page(search_plan(merge_order::by_time, 20));
  REQUIRE(outcome);
  CHECK(words_of(outcome->items) == std::vector<std::string>{"one", "two"});
  CHECK(outcome->partial);
  CHECK_FALSE(outcome->more);
  REQUIRE(outcome->warnings.size() == 1);
  CHECK(outcome->warnings[0].find("source_timeout: made to fail") != std::string::npos);

  here.books.failures["http://a.test"] = errc::source_blocked;
  const auto failed = here.page(search_plan(merge_order::by_time, 20));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code() == errc::source_blocked);
  CHECK(failed.error().detail() == "made-up: made to fail");
}

TEST_CASE("a source whose answer makes more than is read of one has failed") {
  gatherer_fixture here({"http://a.test", "http://b.test"});
  here.books.lists["http://a.test"] = {{"one", 3}};
  for (int i = 0; i < 8; ++i) here.books.lists["http://b.test"].emplace_back("large", i);
  const auto outcome = here.page(search_plan(merge_order::by_time, 20));
  REQUIRE(outcome);
  CHECK(words_of(outcome->items) == std::vector<std::string>{"one"});
  REQUIRE(outcome->warnings.size() == 1);
  CHECK(outcome->warnings[0].find("source_error: the source's answer holds more") !=
        std::string::npos);
}

TEST_CASE("a source that stops in the middle of a walk is tried again; nothing comes twice") {
  gatherer_fixture here({"http://a.test", "http://b.test"});
  for (int i = 0; i < 45; ++i) {
    here.books.lists["http://a.test"].emplace_back("a" + std::to_string(i), 1000 - i);
    here.books.lists["http://b.test"].emplace_back("b" + std::to_string(i), 1000 - i);
  }
  std::vector<std::string> given;
  cursor_state from;
  bool saw_partial = false;
  int pages = 0;
  for (bool more = true; more && pages < 40; ++pages) {
    here.books.failures.clear();
    if (pages >= 2 && pages < 4) here.books.failures["http://b.test"] = errc::source_unavailable;
    auto plan = search_plan(merge_order::by_time, 10);
    plan.from = from;
    const auto outcome = here.page(std::move(plan));
    REQUIRE(outcome);
    saw_partial = saw_partial || outcome->partial;
    for (const auto& word : words_of(outcome->items)) given.push_back(word);
    from = outcome->after;
    more = outcome->more;
  }
  CHECK(saw_partial);
  CHECK(std::set<std::string>(given.begin(), given.end()).size() == given.size());
  CHECK(given.size() == 90);
}

TEST_CASE("filters are kept over pages, up to the bound, and the cursor goes on") {
  gatherer_fixture here({"http://a.test"});
  for (int i = 0; i < 400; ++i) {
    here.books.lists["http://a.test"].emplace_back(
        i % 50 == 49 ? "wanted" + std::to_string(i) : "other" + std::to_string(i), 1000 - i);
  }
  std::vector<std::string> given;
  cursor_state from;
  int pages = 0;
  for (bool more = true; more; ++pages) {
    REQUIRE(pages < 10);
    auto plan = search_plan(merge_order::by_time, 5);
    plan.parts[0].what.q = *query::parse_text_query("wanted49");
    plan.from = from;
    const auto outcome = here.page(std::move(plan));
    REQUIRE(outcome);
    if (outcome->more) CHECK(outcome->partial);
    for (const auto& word : words_of(outcome->items)) given.push_back(word);
    from = outcome->after;
    more = outcome->more;
  }
  CHECK(pages == 4);  // 20 upstream pages, five a call
  CHECK(given == std::vector<std::string>{"wanted49"});
}

TEST_CASE("since stops a newest-first source early and is inclusive") {
  gatherer_fixture here({"http://a.test"});
  for (int i = 0; i < 300; ++i) {
    here.books.lists["http://a.test"].emplace_back("w" + std::to_string(i), 1000 - i);
  }
  auto plan = search_plan(merge_order::by_time, 100);
  plan.parts[0].what.since = time_point(std::chrono::seconds(970));
  const auto outcome = here.page(std::move(plan));
  REQUIRE(outcome);
  CHECK(outcome->items.size() == 31);
  CHECK(words_of(outcome->items).back() == "w30");
  CHECK_FALSE(outcome->more);
  CHECK(here.books.asked["http://a.test"] == 2);
}

TEST_CASE("a token budget leaves whole items out, and the walk goes on exactly there") {
  gatherer_fixture here({"http://a.test"});
  for (int i = 0; i < 30; ++i) {
    here.books.lists["http://a.test"].emplace_back("w" + std::to_string(i), 1000 - i);
  }
  std::vector<std::string> given;
  cursor_state from;
  int pages = 0;
  for (bool more = true; more; ++pages) {
    REQUIRE(pages < 40);
    auto plan = search_plan(merge_order::by_time, 20);
    plan.max_tokens = 1500;
    plan.from = from;
    const auto outcome = here.page(std::move(plan));
    REQUIRE(outcome);
    REQUIRE_FALSE(outcome->items.empty());
    for (const auto& word : words_of(outcome->items)) given.push_back(word);
    from = outcome->after;
    more = outcome->more;
  }
  CHECK(pages > 2);
  REQUIRE(given.size() == 30);
  for (int i = 0; i < 30; ++i) CHECK(given[static_cast<std::size_t>(i)] == "w" + std::to_string(i));
}

TEST_CASE("any one: a user that the source cannot have is not found, without a fetch") {
  gatherer_fixture here({"http://a.test"});
  auto plan = search_plan(merge_order::as_given, 5);
  plan.mode = ask_mode::any_one;
  plan.parts[0].what.op = catalog::operation::microblog_users_posts;
  plan.parts[0].what.username = "nobody";
  const auto outcome = here.page(std::move(plan));
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code() == errc::not_found);
  CHECK(here.books.asked.empty());
}
