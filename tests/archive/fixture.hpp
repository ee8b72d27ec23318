// What the tests of the archive share: posts in one line, and a store with the shortest way to ask
// it.
#pragma once

#include <archive/store.hpp>
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <model/json.hpp>
#include <string>
#include <support/database_at.hpp>
#include <support/manual_clock.hpp>
#include <support/print_result.hpp>
#include <support/temporary_folder.hpp>
#include <vector>

namespace freshet::archive::test {

using freshet::test::manual_clock;
using freshet::test::start_time;
using freshet::test::temporary_folder;

/// A post of so many seconds before start_time.
inline post make_post(const std::string& name, std::string text, std::int64_t seconds_before = 0) {
  post made;
  made.id = "test:" + name;
  made.source = "test";
  made.url = "https://posts.example/" + name;
  made.text = std::move(text);
  made.created_at = start_time - std::chrono::seconds(seconds_before);
  made.author.id = "test:author";
  return made;
}

inline changes keeping(std::vector<item> items) {
  changes made;
  for (auto& one : items) made.list.push_back({changes::kind::keep, std::move(one), {}});
  return made;
}

inline query::text_query query_of(std::string_view q) {
  auto parsed = query::parse_text_query(q);
  INFO(q);
  REQUIRE(parsed);
  return std::move(*parsed);
}

struct fixture {
  temporary_folder folder;
  manual_clock clock;
  std::unique_ptr<item_store> kept;

  explicit fixture(std::int64_t bytes = std::int64_t{1} << 30) { reopen(bytes); }

  void reopen(std::int64_t bytes = std::int64_t{1} << 30) {
    if (kept != nullptr) kept->let_go();
    kept.reset();
    auto opened = item_store::open(options(bytes));
    INFO((opened ? "" : opened.error().detail()));
    REQUIRE(opened);
    kept = std::move(*opened);
    REQUIRE(kept->hold().value() > 0);
  }
  item_store_options options(std::int64_t bytes = std::int64_t{1} << 30) const {
    item_store_options made;
    made.path = freshet::test::database_at(folder.file("archive.db"));
    made.platform = "microblog";
    made.clock = &clock;
    made.bytes = bytes;
    return made;
  }

  void write(const changes& what) const {
    const auto done = kept->write(what);
    INFO((done ? "" : done.error().detail()));
    REQUIRE(done);
  }
  void keep(std::vector<item> items) const { write(keeping(std::move(items))); }
  void erase(const std::string& id) const {
    changes made;
    made.list.push_back({changes::kind::erase, {}, id});
    write(made);
  }

  page ask(const search& what) const {
    auto found = kept->find(what);
    INFO((found ? "" : found.error().detail()));
    REQUIRE(found);
    return std::move(*found);
  }
  static std::vector<item> items_of(const page& found) {
    std::vector<item> items;
    for (const auto& text : found.items) {
      auto one = model::read_item(*base::parse_json(text));
      REQUIRE(one);
      items.push_back(std::move(*one));
    }
    return items;
  }
  /// The names of all that a query finds.
  std::vector<std::string> names(std::string_view q, std::size_t limit = 1000) const {
    const auto query = query_of(q);
    search what;
    what.q = &query;
    what.limit = limit;
    return names(what);
  }
  std::vector<std::string> names(const search& what) const {
    std::vector<std::string> out;
    for (const auto& one : items_of(ask(what))) out.push_back(common(one).id.substr(5));
    return out;
  }
};

using list = std::vector<std::string>;

}  // namespace freshet::archive::test
