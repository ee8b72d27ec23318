// News as text, and what a node makes of what others tell.
#include <account/store/postgres/peer_listener.hpp>
#include <catch2/catch.hpp>

using namespace freshet::account;
using namespace freshet::account::on_postgres;

TEST_CASE("news survives its way as text, and a node's own is none") {
  const std::vector<peer_news> told{{peer_news::kind::account, 12},
                                    {peer_news::kind::past_grants},
                                    {peer_news::kind::book, 12, 90, -5},
                                    {peer_news::kind::budget, 3, 24321, 7},
                                    {peer_news::kind::everything}};
  const std::string text = news_text(7, told);
  CHECK(text == "7 a12 p0 b12,90,-5 u3,24321,7 *0");
  CHECK(read_news(text, 7).empty());
  const auto heard = read_news(text, 8);
  REQUIRE(heard.size() == told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    CHECK(heard[i].what == told[i].what);
    CHECK(heard[i].id == told[i].id);
    CHECK(heard[i].first == told[i].first);
    CHECK(heard[i].second == told[i].second);
  }
}

TEST_CASE("news that a program does not know is passed over") {
  for (const auto* const odd : {"", "7", "x", "7 ", "7 ?4", "7  "})
    CHECK(read_news(odd, 8).empty());
  const auto heard = read_news("7 ?4 k5 b", 8);
  REQUIRE(heard.size() == 2);
  CHECK(heard[0].id == 5);
  CHECK(heard[1].what == peer_news::kind::book);
}
