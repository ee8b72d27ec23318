// The store: what it finds is what lib/query would, newest first; what was deleted or is too old or
// too much is gone; pages are disjoint whatever comes and goes between them.
#include "fixture.hpp"

#include <sqlite3.h>
#include <atomic>
#include <base/time_text.hpp>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "../model/random_items.hpp"
#include "support/sanitized.hpp"

using namespace freshet;
using namespace freshet::archive;
using namespace freshet::archive::test;
using namespace std::chrono_literals;

TEST_CASE("words, phrases and exclusions are kept, newest first") {
  const fixture here;
  here.keep({make_post("old", "The tide gauge of Skerry Bay", 30),
             make_post("new", "A gauge, and no tide", 10),
             make_post("toy", "A toy tide gauge for children", 20),
             make_post("other", "Nothing of the kind", 5)});
  CHECK(here.names("tide") == list{"new", "toy", "old"});
  CHECK(here.names("TIDE gauge") == list{"new", "toy", "old"});
  CHECK(here.names("\"tide gauge\"") == list{"toy", "old"});
  CHECK(here.names("\"tide gauge\" -toy") == list{"old"});
  CHECK(here.names("gauge -\"tide gauge\" -children") == list{"new"});
  CHECK(here.names("whale").empty());
  search everything;
  CHECK(here.names(everything) == list{"other", "new", "toy", "old"});
}

TEST_CASE("a phrase does not run from one field into the next") {
  const fixture here;
  auto one = make_post("one", "ends with tide");
  one.tags = {"gauge"};
  one.author.display_name = "Harbour Office";
  here.keep({one});
  CHECK(here.names("tide gauge harbour") == list{"one"});
  CHECK(here.names("\"tide gauge\"").empty());
  CHECK(here.names("\"harbour office\"") == list{"one"});
}

TEST_CASE("since is inclusive to the millisecond") {
  const fixture here;
  auto early = make_post("early", "tide");
  early.created_at = start_time - std::chrono::milliseconds(60'001);
  here.keep({early, make_post("edge", "tide", 60), make_post("late", "tide", 59)});
  const auto q = query_of("tide");
  search what;
  what.q = &q;
  what.since = start_time - std::chrono::seconds(60);
  CHECK(here.names(what) == list{"late", "edge"});
  what.q = nullptr;
  CHECK(here.names(what) == list{"late", "edge"});
}

TEST_CASE("a search that nobody waits for, or whose time is up, is not begun") {
  const fixture here;
  here.keep({make_post("one", "tide")});
  const auto q = query_of("tide");
  const auto now = std::chrono::steady_clock::now();
  search_course over(now - 1s), left(now + 1min), goes_on(now + 1min);
  left.leave();
  search what;
  what.q = &q;
  what.course = &over;
  CHECK(here.kept->find(what).error().code() == errc::source_timeout);
  what.course = &left;
  CHECK(here.kept->find(what).error().code() == errc::cancelled);
  what.course = &goes_on;
  CHECK(here.names(what) == list{"one"});
}

TEST_CASE("a language is found by its tag and its regions") {
  const fixture here;
  auto british = make_post("british", "tide", 1);
  british.lang = "en-GB";
  auto english = make_post("english", "tide", 2);
  english.lang = "en";
  auto german = make_post("german", "tide", 3);
  german.lang = "de";
  here.keep({british, english, german, make_post("unknown", "tide en", 4)});
  search what;
  what.lang = "en";
  CHECK(here.names(what) == list{"british", "english"});
  what.lang = "en-gb";
  CHECK(here.names(what) == list{"british"});
  what.lang = "e\" OR \"n";
  CHECK(here.names(what).size() == 4);
}

TEST_CASE("a change replaces, a deletion removes, and the same again changes nothing") {
  const fixture here;
  here.keep({make_post("one", "first words", 10), make_post("two", "second words", 5)});
  here.keep({make_post("one", "edited words", 10)});
  CHECK(here.names("first").empty());
  CHECK(here.names("edited") == list{"one"});
  CHECK(here.names("words") == list{"two", "one"});
  here.keep({make_post("one", "edited words", 10)});
  CHECK(here.names("words") == list{"two", "one"});
  here.erase("test:two");
  here.erase("test:never-there");
  CHECK(here.names("words") == list{"one"});
  // In one batch the last word counts.
  changes batch = keeping({make_post("three", "words"), make_post("four", "words")});
  batch.list.push_back({changes::kind::erase, {}, "test:three"});
  batch.list.push_back({changes::kind::keep, make_post("one", "words at last", 10), {}});
  here.write(batch);
  CHECK(here.names("words") == list{"four", "one"});
  CHECK(here.names("edited").empty());
  CHECK(here.kept->measure()->items == 2);
}

TEST_CASE("what is kept says when it came, and the same again is no change") {
  fixture here;
  const auto found = [&] {
    const auto q = query_of("gauge");
    search what;
    what.q = &q;
    return here.ask(what).items.at(0);
  };
  here.keep({make_post("one", "The tide gauge", 10)});
  const auto first = found();
  const auto came = "\"fetched_at\":\"" + base::format_time(start_time) + "\"}";
  CHECK(first.ends_with(came));
  here.clock.set(start_time + std::chrono::hours(1));
  here.keep({make_post("one", "The tide gauge", 10)});
  CHECK(found() == first);
  here.keep({make_post("one", "The new tide gauge", 10)});
  CHECK_FALSE(found().ends_with(came));
}

TEST_CASE("when an author goes, all of theirs goes, and what comes later stays") {
  const fixture here;
  auto other = make_post("other", "words", 1);
  other.author.id = "test:other";
  here.keep({make_post("one", "words", 3), make_post("two", "words", 2), other});
  changes batch = keeping({make_post("three", "words", 4)});
  batch.list.push_back({changes::kind::erase_author, {}, "test:author"});
  batch.list.push_back({changes::kind::keep, make_post("two", "words", 2), {}});
  here.write(batch);
  CHECK(here.names("words") == list{"other", "two"});
}

TEST_CASE("an author who is shut out stays so until reopened, also after a restart") {
  fixture here;
  auto other = make_post("other", "words", 1);
  other.author.id = "test:other";
  const auto naming = [](changes::kind how) {
    changes made;
    made.list.push_back({how, {}, "test:author"});
    return made;
  };
  here.keep({make_post("one", "words", 3), other});
  auto batch = naming(changes::kind::shut_author);
  batch.list.push_back({changes::kind::keep, make_post("two", "words", 2), {}});
  here.write(batch);
  CHECK(here.names("words") == list{"other"});
  here.keep({make_post("three", "words", 2)});
  CHECK(here.names("words") == list{"other"});
  here.reopen();
  here.keep({make_post("four", "words", 2)});
  CHECK(here.names("words") == list{"other"});
  // Within a batch the order counts.
  batch = keeping({make_post("early", "words", 3)});
  batch.list.push_back({changes::kind::reopen_author, {}, "test:author"});
  batch.list.push_back({changes::kind::keep, make_post("five", "words", 2), {}});
  here.write(batch);
  CHECK(here.names("words") == list{"other", "five"});
  here.reopen();
  here.keep({make_post("six", "words", 5)});
  CHECK(here.names("words") == list{"other", "five", "six"});
}

TEST_CASE("items without a time, far ahead of it, too old or too long are not kept") {
  const fixture here;
  auto timeless = make_post("timeless", "words");
  timeless.created_at.reset();
  auto ancient = make_post("ancient", "words");
  ancient.created_at = start_time - std::chrono::hours(24 * 7) - std::chrono::milliseconds(1);
  auto edge = make_post("edge", "words");
  edge.created_at = start_time - std::chrono::hours(24 * 7);
  const auto future = make_post("future", "words", -24 * 7 * 3600 - 1);
  here.keep({timeless, ancient, future, edge, make_post("long", std::string(max_item_bytes, 'x'))});
  search everything;
  CHECK(here.names(everything) == list{"edge"});
  // One that becomes unfit is not kept as it was before.
  auto edited = edge;
  edited.created_at.reset();
  here.keep({edited});
  CHECK(here.names(everything).empty());
}

TEST_CASE("what has grown too old expires, to the millisecond") {
  fixture here;
  std::vector<item> items;
  for (int i = 0; i < 2500; ++i) items.push_back(make_post(std::to_string(i), "words", i));
  here.keep(items);
  here.clock.set(start_time + std::chrono::hours(24 * 7) - std::chrono::seconds(99));
  int passes = 0;
  while (true) {
    const auto more = here.kept->expire();
    REQUIRE(more);
    REQUIRE(++passes < 10);
    if (!*more) break;
  }
  if (!freshet::test::on_postgres_server()) CHECK(passes == 3);  // there whole parts go
  CHECK(here.names("words").size() == 100);
  CHECK(here.kept->measure()->items == 100);
}

TEST_CASE("the oldest go when there is too much, and the rest stays within its size",
          "[alone][many]") {
  const int rounds = freshet::test::cases(40, 20, 20), each = 250;
  const std::int64_t bytes = (3LL << 20) * rounds / 40;
  fixture here(bytes);
  std::mt19937 random(7);
  int next = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<item> items;
    for (int i = 0; i < each; ++i, ++next) {
      std::string text;
      for (int word = 0; word < 40; ++word) text += "w" + std::to_string(random() % 5000) + " ";
      items.push_back(make_post(std::to_string(next), text, -next));
    }
    // All of it in a few hours.
    here.clock.set(start_time + std::chrono::seconds(next));
    here.keep(items);
    for (int pass = 0; pass < 20; ++pass) {
      if (!*here.kept->expire()) break;
    }
    REQUIRE(here.kept->measure()->bytes <= bytes);
  }
  search newest;
  newest.limit = 100'000;
  const auto left = here.names(newest);
  const auto all = static_cast<std::size_t>(rounds * each);
  // There whole parts go, and empty ones take room.
  CHECK(left.size() > all / (freshet::test::on_postgres_server() ? 25 : 5));
  CHECK(left.size() < all);
  for (std::size_t i = 0; i < left.size(); ++i) REQUIRE(left[i] == std::to_string(all - 1 - i));
  // Merging needs room.
  if (const auto file = here.folder.file("archive.db"); std::filesystem::exists(file))
    CHECK(std::filesystem::file_size(file) < static_cast<std::uintmax_t>(bytes) * 3 / 2);
  // What comes late is found, though others of its time have gone.
  here.keep({make_post("late", "late", -1)});
  CHECK(here.names("late") == list{"late"});
}

TEST_CASE("pages are disjoint and complete while items come and go between them") {
  const fixture here;
  std::mt19937 random(11);
  std::set<std::string> all;
  std::vector<item> items;
  for (int i = 0; i < 300; ++i) {
    // Many share a second: ties must not be lost at the edge of a page.
    items.push_back(make_post("p" + std::to_string(i), "tide", 1000 + random() % 40));
    all.insert("p" + std::to_string(i));
  }
  here.keep(items);
  std::vector<std::string> given;
  const auto q = query_of("tide");
  search what;
  what.q = &q;
  what.limit = 7;
  int round = 0;
  do {
    const auto found = here.ask(what);
    CHECK((found.items.size() == 7 || found.next == 0));
    for (const auto& one : fixture::items_of(found)) given.push_back(common(one).id.substr(5));
    what.before = found.next;
    here.keep({make_post("new" + std::to_string(round), "tide", round)});
    if (round == 3) {
      here.erase("test:" + given.front());
      here.keep({make_post(given[1], "tide, edited", 500)});
    }
    REQUIRE(++round < 100);
  } while (what.before != 0);
  CHECK(std::set<std::string>(given.begin(), given.end()) == all);
  CHECK(given.size() == all.size());
}

TEST_CASE("the archive finds what lib/query finds, in any script", "[alone][many]") {
  const fixture here;
  const list words{"tide",
                   "Tide",
                   "TIDE",
                   "tidé",
                   "l'eau",
                   "example.org",
                   "3.14",
                   "1,000",
                   "straße",
                   "STRASSE",
                   "Ǆ",
                   "ｔｉｄｅ",
                   "潮位計",
                   "潮",
                   "位計",
                   "ไทย",
                   "ประเทศ",
                   "한국어",
                   "कार्य",
                   "עברית",
                   "العربية",
                   "🌊",
                   "👩‍👩‍👧",
                   "🇳🇴",
                   "re-do",
                   "_under",
                   "a_b",
                   "x,y",
                   "C++",
                   "\xC3\x28",
                   "a\xCC\x88",
                   "ä",
                   "ﬁsh",
                   "fish",
                   "½",
                   "\xEE\x80\x80",
                   "\"quoted\"",
                   "AND",
                   "NOT",
                   "NEAR"};
  std::mt19937 random(20261121);
  const auto any = [&] { return words[random() % words.size()]; };
  const auto text = [&](int most) {
    std::string out;
    for (int i = 0, n = static_cast<int>(random() % most); i <= n; ++i) {
      out += (out.empty() ? "" : random() % 4 == 0 ? "" : " ") + any();
    }
    return out;
  };
  freshet::test::random_items made(5);
  std::map<std::string, item> all;
  std::vector<item> batch;
  for (int i = 0; i < 600; ++i) {
    item one = i % 4 == 0 ? made.next() : item(make_post("", ""));
    auto& shared = common(one);
    shared.id = "test:" + std::to_string(i);
    shared.created_at = start_time - std::chrono::seconds(i);
    shared.text = base::repair_utf8(text(8));
    if (i % 3 == 0) shared.title = base::repair_utf8(text(3));
    all[shared.id] = one;
    batch.push_back(one);
    if (batch.size() == 100) here.keep(std::exchange(batch, {}));
  }
  int found = 0;
  const int rounds = freshet::test::cases(1500, 500, 60);
  for (int round = 0; round < rounds; ++round) {
    std::string q = random() % 3 == 0 ? "\"" + any() + any() + "\"" : any();
    if (random() % 2 == 0) q += (random() % 2 == 0 ? " -" : " ") + any();
    if (random() % 5 == 0) q += " \"" + any() + " " + any() + "\"";
    const auto parsed = query::parse_text_query(base::repair_utf8(q));
    if (!parsed) continue;
    std::set<std::string> expected;
    for (const auto& [id, one] : all) {
      if (query::matches(*parsed, one)) expected.insert(id.substr(5));
    }
    search what;
    what.q = &*parsed;
    what.limit = 1000;
    const auto names = here.names(what);
    INFO(q);
    REQUIRE(std::set<std::string>(names.begin(), names.end()) == expected);
    found += static_cast<int>(names.size());
  }
  CHECK(found > rounds / 2);
}

TEST_CASE("the longest queries are answered") {
  const fixture here;
  here.keep({make_post("one", "a b c")});
  std::string words;
  std::string exclusions = "a";
  std::string han = "\"";
  for (int i = 0; i < 250; ++i) words += (i == 0 ? "" : " ") + std::string(1, 'a' + i % 3);
  for (int i = 0; i < 160; ++i) exclusions += " -" + std::string(1, 'd' + i % 10);
  for (int i = 0; i < 500; ++i) han += "潮";
  CHECK(here.names(words) == list{"one"});
  CHECK(here.names(exclusions) == list{"one"});
  CHECK(here.names(han + "\"").empty());
}

TEST_CASE("items come back as they went in") {
  const fixture here;
  freshet::test::random_items made(99);
  std::map<std::string, std::string> whole;
  std::vector<item> items;
  for (int i = 0; i < 300; ++i) {
    auto one = made.next();
    common(one).id = "test:" + std::to_string(i);
    if (common(one).source.empty()) common(one).source = "test";
    common(one).created_at = start_time - std::chrono::seconds(i);
    if (!common(one).fetched_at) common(one).fetched_at = start_time;
    model::append_item(whole[common(one).id], one);
    items.push_back(std::move(one));
  }
  here.keep(items);
  search everything;
  everything.limit = 1000;
  const auto back = fixture::items_of(here.ask(everything));
  REQUIRE(back.size() == whole.size());
  for (const auto& one : back) {
    std::string text;
    model::append_item(text, one);
    CHECK(text == whole[common(one).id]);
  }
}

TEST_CASE("cursors are written with the changes and found again after a restart") {
  fixture here;
  auto batch = keeping({make_post("one", "words")});
  batch.cursors = {{"stream", "17"}};
  here.write(batch);
  batch.cursors = {{"stream", "18"}, {"feed", "etag \"x\""}};
  here.write(batch);
  CHECK(*here.kept->cursor("stream") == "18");
  here.reopen();
  CHECK(*here.kept->cursor("stream") == "18");
  CHECK(*here.kept->cursor("feed") == "etag \"x\"");
  CHECK(here.kept->cursor("none")->empty());
  CHECK(here.names("words") == list{"one"});
}

TEST_CASE("one writes, others read beside it", "[sqlite]") {
  const fixture here;
  here.keep({make_post("one", "words", 2)});
  auto second = item_store::open(here.options());
  REQUIRE_FALSE(second);
  CHECK(second.error().code() == errc::invalid_configuration);
  auto reading = here.options();
  reading.writes = false;
  const auto beside = item_store::open(reading);
  REQUIRE(beside);
  here.keep({make_post("two", "words", 1)});
  CHECK((*beside)->measure()->items == 2);
  CHECK_FALSE((*beside)->write({}));
  CHECK_FALSE((*beside)->expire());
  reading.path = here.folder.file("missing.db");
  CHECK_FALSE(item_store::open(reading));
}

TEST_CASE("a file of another kind or version is refused", "[sqlite]") {
  const fixture here;
  auto other = here.options();
  other.path = here.folder.file("other.db");
  {
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(other.path.c_str(), &db) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db, "PRAGMA user_version=99", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(db);
  }
  const auto newer = item_store::open(other);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().code() == errc::invalid_configuration);
}

TEST_CASE("searches run beside each other and beside writes") {
  const fixture here;
  std::atomic<bool> stop = false;
  std::atomic<int> strange = 0;
  std::atomic<int> searches = 0;
  std::vector<std::thread> readers;
  const auto q = query_of("tide");
  for (int i = 0; i < 6; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        search what;
        what.q = &q;
        const auto found = here.kept->find(what);
        if (!found) ++strange;
        ++searches;
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    here.keep({make_post(std::to_string(i), "tide", i), make_post("same", "tide", i)});
    if (i % 20 == 0 && !here.kept->expire()) ++strange;
  }
  stop = true;
  for (auto& one : readers) one.join();
  CHECK(strange == 0);
  CHECK(searches > 0);
  CHECK(here.names("tide").size() == 201);
}

TEST_CASE("a rare word is found at any age, page by page") {
  const fixture here;
  std::vector<item> items;
  list rare, later;
  for (int hour = 0; hour < 160; hour += 2) {
    const auto name = std::to_string(hour);
    const bool is_rare = hour % 14 == 0;
    items.push_back(make_post(name, is_rare ? "a storm tide" : "a tide, no more", hour * 3600));
    if (is_rare) rare.push_back(name);
    if (is_rare && hour <= 100) later.push_back(name);
  }
  items.push_back(make_post("ahead", "tide and storm", -90 * 3600));
  here.keep(std::move(items));
  rare.insert(rare.begin(), "ahead");
  later.insert(later.begin(), "ahead");
  CHECK(here.names("storm") == rare);
  CHECK(here.names("storm -and") == list(rare.begin() + 1, rare.end()));
  CHECK(here.names("\"storm tide\"") == list(rare.begin() + 1, rare.end()));
  CHECK(here.names("\"tide storm\"").empty());
  CHECK(here.names("nowhere").empty());
  const auto query = query_of("storm");
  search what;
  what.q = &query;
  what.since = start_time - std::chrono::hours(100);
  CHECK(here.names(what) == later);
  what.since = {};
  what.limit = 3;
  list walked;
  do {
    const auto found = here.ask(what);
    for (const auto& one : fixture::items_of(found)) walked.push_back(common(one).id.substr(5));
    what.before = found.next;
  } while (what.before != 0);
  CHECK(walked == rare);
}
