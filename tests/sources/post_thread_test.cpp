#include <catch2/catch.hpp>
#include <random>
#include <sources/post_thread.hpp>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::sources;

namespace {

reply_entry reply(std::string key, std::string parent, int minute) {
  reply_entry made;
  made.key = key;
  made.parent_key = std::move(parent);
  made.what.id = "x:" + key;
  if (minute >= 0) made.what.created_at = time_point{std::chrono::seconds{minute}};
  return made;
}

std::string order_of(std::vector<reply_entry> entries) {
  std::string out;
  for (const auto& one : replies_in_pre_order(std::move(entries))) out += one.id.substr(2) + " ";
  return out;
}

}  // namespace

TEST_CASE("post_thread: parents first, siblings by time") {
  CHECK(order_of({}).empty());
  CHECK(order_of({reply("b", "root", 2), reply("a2", "a", 9), reply("a1", "a", 3),
                  reply("a", "root", 1), reply("untimed", "root", -1)}) == "a a1 a2 b untimed ");
  CHECK(order_of({reply("orphan", "gone", 5), reply("a", "root", 1)}) == "a orphan ");
  CHECK(order_of({reply("a", "root", 1), reply("a", "root", 2)}) == "a ");
  CHECK(order_of({reply("a", "b", 1), reply("b", "a", 2), reply("c", "c", 3), reply("d", "", 4)}) ==
        "d ");
}

TEST_CASE("post_thread: a deep chain needs no stack") {
  const int depth = test::cases(50'000, 50'000, 20'000);
  std::vector<reply_entry> chain;
  for (int i = 0; i < depth; ++i)
    chain.push_back(reply(std::to_string(i), std::to_string(i - 1), depth - i));
  const auto flat = replies_in_pre_order(std::move(chain));
  REQUIRE(std::ssize(flat) == depth);
  CHECK(flat.back().id == "x:" + std::to_string(depth - 1));
}

TEST_CASE("post_thread: pages are disjoint and complete, also when the thread grows") {
  const auto thread = [](int size) {
    std::vector<reply_entry> entries;
    for (int i = 0; i < size; ++i) entries.push_back(reply(std::to_string(i), "root", i));
    return replies_in_pre_order(std::move(entries));
  };
  auto first = page_of_replies(thread(5), "", 2);
  REQUIRE(first.has_value());
  CHECK(first->items.size() == 2);
  auto grown = thread(5);
  post fresh;
  fresh.id = "x:new";
  grown.insert(grown.begin(), fresh);
  const auto second = page_of_replies(std::move(grown), first->next, 2);
  REQUIRE(second.has_value());
  CHECK(common(second->items.at(0)).id == "x:2");
  const auto last = page_of_replies(thread(5), second->next, 20);
  CHECK(last->items.size() == 1);
  CHECK(last->next.empty());
  CHECK(page_of_replies(thread(5), "99 x:gone", 2)->items.empty());
  for (const auto bad : {"x", "1", "-1 x", "999999999999999999999999 x"})
    CHECK(page_of_replies(thread(5), bad, 2).error().code() == errc::invalid_cursor);
}
