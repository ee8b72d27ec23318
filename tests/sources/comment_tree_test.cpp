#include <catch2/catch.hpp>
#include <sources/comment_tree.hpp>

using namespace freshet;
using sources::thread_entry;

namespace {

thread_entry entry(const std::string& key, const std::string& parent, bool gone = false) {
  thread_entry out;
  out.what.id = "s:" + key;
  out.key = key;
  out.parent_key = parent;
  out.gone = gone;
  return out;
}

std::string order(std::vector<thread_entry> entries) {
  std::string out;
  for (const auto& one : sources::in_pre_order(std::move(entries))) out += one.id.substr(2);
  return out;
}

}  // namespace

TEST_CASE("Comments come in pre-order, siblings as given, children before or after parents") {
  CHECK(order({entry("c", "a"), entry("a", ""), entry("b", ""), entry("d", "c"),
               entry("e", "a")}) == "acdeb");
  CHECK(order({entry("a", "nobody"), entry("b", "b")}) == "ab");
  CHECK(order({entry("a", "b"), entry("b", "a"), entry("c", "")}) == "cab");
  CHECK(order({}).empty());
}

TEST_CASE("Deleted comments stay only above others") {
  CHECK(order({entry("a", "", true), entry("b", "a", true), entry("c", "b"), entry("d", "a", true),
               entry("e", "", true)}) == "abc");
}

TEST_CASE("A chain of a hundred thousand comments is walked without recursion") {
  std::vector<thread_entry> chain;
  for (int i = 0; i < 100'000; ++i) {
    chain.push_back(entry(std::to_string(i), i == 0 ? "" : std::to_string(i - 1)));
  }
  const auto out = sources::in_pre_order(std::move(chain));
  REQUIRE(out.size() == 100'000);
  CHECK(out.back().id == "s:99999");
}

TEST_CASE("A thread goes on behind what was given, also when it has grown") {
  const auto thread = [](int from) {
    std::vector<comment> out;
    for (int i = from; i < 5; ++i) {
      comment one;
      one.id = "s:" + std::to_string(i);
      out.push_back(one);
    }
    return out;
  };
  const auto first = sources::page_of_thread(thread(0), "", 2);
  REQUIRE(first.has_value());
  CHECK(first->items.size() == 2);
  CHECK(first->next == "2:s:1");
  const auto grown = sources::page_of_thread(thread(-3), first->next, 100);
  CHECK(grown->items.size() == 3);
  CHECK(common(grown->items[0]).id == "s:2");
  CHECK(grown->next.empty());
  CHECK(sources::page_of_thread(thread(0), "3:gone", 9)->items.size() == 2);
  CHECK(sources::page_of_thread(thread(0), "99:gone", 9)->items.empty());
  CHECK(sources::page_of_thread(thread(0), "x:gone", 9).error().code() == errc::invalid_cursor);
  CHECK(sources::page_of_thread(thread(0), "3", 9).error().code() == errc::invalid_cursor);
}
