// Mails that are not sent yet, in the store: kept beyond a restart, held by one server, and given
// up in the end.
#include <account/fixture.hpp>
#include <account/kept_mails.hpp>
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <support/shared.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

std::vector<std::string> texts(const std::vector<kept_mail>& mails) {
  std::vector<std::string> all;
  for (const auto& each : mails) all.push_back(each.text);
  return all;
}

struct restarted {
  /// As a server does that was killed, or ended: it says nothing of its mails.
  void restart() {
    store.reset();
    store = open_or_throw(options);
  }
  [[nodiscard]] std::vector<kept_mail> take(std::size_t most = 10) {
    return kept_mails(*store).take(most).value();
  }

  const temporary_folder folder;
  manual_clock clock;
  accounts_options options = options_for(folder.file("ledger.db"), clock);
  std::unique_ptr<accounts> store = open_or_throw(options);
};

}  // namespace

TEST_CASE("a mail that is not sent is the next server's, which has it alone") {
  restarted in;
  const auto first = kept_mails(*in.store).keep("a\nfirst").value();
  in.clock.advance(std::chrono::seconds(1));
  const auto second = kept_mails(*in.store).keep("b\nsecond").value();
  in.clock.advance(std::chrono::seconds(1));
  REQUIRE(kept_mails(*in.store).keep("c\nthird").has_value());
  CHECK(in.take().empty());  // whose it is has it in memory
  const std::vector<std::string> sent{second};
  REQUIRE(kept_mails(*in.store).remove(sent).has_value());
  in.restart();
  const auto oldest = in.take(1);
  REQUIRE(oldest.size() == 1);
  CHECK(oldest[0].id == first);
  CHECK(texts(oldest) == std::vector<std::string>{"a\nfirst"});
  CHECK(texts(in.take()) == std::vector<std::string>{"c\nthird"});
  CHECK(in.take().empty());
}

TEST_CASE("a look where nothing is left writes nothing") {
  restarted in;
  std::atomic<int> written{0};
  in.options.fail = [&](std::string_view step) {
    written += step == "mail" ? 1 : 0;
    return false;
  };
  in.restart();
  REQUIRE(kept_mails(*in.store).keep("held").has_value());
  const int kept = written;
  CHECK(kept > 0);
  CHECK(in.take().empty());
  CHECK(written == kept);
  in.restart();
  CHECK(in.take().size() == 1);
  CHECK(written > kept);
  in.store.reset();  // it tells of its steps until it has ended
}

TEST_CASE(
    "what ends every server that takes it is given up, and so is what is of no use any more") {
  restarted in;
  REQUIRE(kept_mails(*in.store).keep("deadly").has_value());
  for (std::int64_t i = 0; i < max_mail_takes; ++i) {
    in.restart();
    REQUIRE(in.take().size() == 1);
  }
  REQUIRE(kept_mails(*in.store).keep("late").has_value());
  in.restart();
  CHECK(texts(in.take()) == std::vector<std::string>{"late"});
  in.clock.advance(mail_lifetime);
  in.restart();
  CHECK(in.take().empty());
  in.restart();
  CHECK(in.take().empty());
}

TEST_CASE("the mail of a link is kept with the link, and nothing where none goes") {
  restarted in;
  const origin home{"192.0.2.1", "test browser"};
  auto folk = users::open(*in.store, quick_hashing()).value();
  link_mail mail{
      [](std::string_view token, std::string_view) { return "open " + std::string(token); }};
  const auto token = folk->begin_sign_up("a@example.org", home, &mail).value().token.value();
  CHECK_FALSE(mail.id.empty());
  REQUIRE(folk->confirm_sign_up(token, "a tide of gauges", "free", home, "").has_value());
  link_mail known{[](std::string_view link, std::string_view known_as) {
    return "known" + std::string(link) + " as " + std::string(known_as);
  }};
  REQUIRE_FALSE(folk->begin_sign_up("a+1@example.org", home, &known).value().token.has_value());
  link_mail nobodys{[](std::string_view, std::string_view) { return "nobody"; }};
  REQUIRE_FALSE(folk->begin_reset("nobody@example.org", home, &nobodys).value().has_value());
  CHECK(nobodys.id.empty());
  link_mail reset{
      [](std::string_view link, std::string_view) { return "set " + std::string(link); }};
  const auto link = folk->begin_reset("a@example.org", home, &reset).value().value();
  folk.reset();
  in.restart();
  auto taken = texts(in.take());
  std::sort(taken.begin(), taken.end());
  CHECK(taken ==
        std::vector<std::string>{"known as a@example.org", "open " + token, "set " + link});
}

TEST_CASE("no text of a mail stands in the database") {
  restarted in;
  REQUIRE(kept_mails(*in.store).keep("a link to a secret").has_value());
  CHECK(freshet::test::read_file(in.options.database_path).find("a link to a secret") ==
        std::string::npos);
}

TEST_CASE("of several servers one takes over the mails of one that has gone", "[.][postgres]") {
  restarted in;
  const auto second = open_or_throw(in.options), third = open_or_throw(in.options);
  REQUIRE(kept_mails(*in.store).keep("from the first").has_value());
  REQUIRE(kept_mails(*second).keep("from the second").has_value());
  CHECK(kept_mails(*third).take(10).value().empty());
  in.store.reset();
  CHECK(texts(kept_mails(*third).take(10).value()) == std::vector<std::string>{"from the first"});
  CHECK(kept_mails(*second).take(10).value().empty());
}
