// Answers and leases of three servers in a real Redis.
#include <catch2/catch.hpp>
#include <future>

#include "sharing_servers.hpp"

using namespace freshet;
using namespace std::chrono_literals;
using freshet::test::eventually;
using freshet::test::has_no_redis;
using freshet::test::sharing_servers;
using http::pooled_answer;

namespace {

using found_state = pooled_answer::state;

struct answer_servers : sharing_servers {
  http::answer_pool& pool(std::size_t server) { return *all[server]->sharing.answers(); }
  std::optional<pooled_answer> find(std::size_t server, const std::string& token,
                                    std::optional<std::chrono::seconds> max_age = {}) {
    std::promise<std::optional<pooled_answer>> told;
    auto answer = told.get_future();
    if (!pool(server).find({"a", token, max_age}, [&](std::optional<pooled_answer> found) {
          told.set_value(std::move(found));
        }))
      return std::nullopt;
    return answer.get();
  }
  void keep(std::size_t server, std::chrono::seconds age, std::chrono::seconds lifetime,
            bool is_strict = false) {
    http::answer_to_keep kept{"a", std::string("b\0:\n", 4), age, lifetime, is_strict, 3600s};
    pool(server).keep(std::move(kept));
  }
};

}  // namespace

TEST_CASE("a lease is one server's until it ends it, and nobody else ends it") {
  if (has_no_redis()) return;
  answer_servers of;
  REQUIRE(of.find(0, "one").value().is == found_state::ours);
  CHECK(of.find(1, "two").value().is == found_state::taken);
  of.pool(1).leave("a", "two", false);
  CHECK(of.find(1, "two").value().is == found_state::taken);
  of.pool(0).leave("a", "one", false);
  CHECK(eventually([&] { return of.find(1, "two").value().is == found_state::ours; }));
  // Whose owner is gone ends by itself.
  CHECK(eventually([&] { return of.find(2, "three").value().is == found_state::ours; }));
  of.pool(2).leave("a", "three", true);
  CHECK(eventually([&] { return of.find(0, "four").value().is == found_state::unfit; }));
}

TEST_CASE("an answer is every server's, for as long as it is fresh or who asks accepts it") {
  if (has_no_redis()) return;
  answer_servers of;
  of.keep(0, 100s, 1000s);
  REQUIRE(eventually([&] { return of.find(1, "one").value().is == found_state::kept; }));
  const auto found = of.find(1, "one").value();
  CHECK(found.bytes == std::string("b\0:\n", 4));
  CHECK(found.age >= 100s);
  CHECK(found.age == 100s + found.held);
  CHECK(of.find(2, "one", 900s).value().is == found_state::kept);
  CHECK(of.find(2, "one", 99s).value().is == found_state::ours);  // it is fetched anew
  const auto is_kept = [&](std::chrono::seconds age, std::chrono::seconds lifetime, bool is_strict,
                           std::optional<std::chrono::seconds> max_age) {
    of.keep(0, age, lifetime, is_strict);
    // Both go by one connection, in their order.
    return of.find(0, "two", max_age).value().is == found_state::kept;
  };
  CHECK_FALSE(is_kept(100s, 50s, false, {}));
  CHECK(is_kept(100s, 50s, false, 200s));
  CHECK_FALSE(is_kept(100s, 50s, true, 200s));
  CHECK(is_kept(100s, 150s, true, 200s));
}

TEST_CASE("without Redis nothing is found, and nothing waits") {
  if (has_no_redis()) return;
  answer_servers of;
  of.redis.kill();
  REQUIRE(of.are_all(false));
  of.keep(0, 0s, 100s);
  CHECK_FALSE(of.find(0, "one").has_value());
  CHECK(of.all[0]->sharing.count().answers_kept == 0);
}
