#include <sys/stat.h>
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <support/sanitized.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

TEST_CASE("an account is made once, with a plan that exists") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto made = store->create_account("Anna@Example.com", "free");
  REQUIRE(made.has_value());
  CHECK(made->public_id.starts_with("acc_"));
  CHECK(made->email == "anna@example.com");
  CHECK(made->created_at == start_time);
  CHECK(store->find_account("ANNA@example.com").value().id == made->id);
  CHECK(store->create_account("anna@EXAMPLE.com", "free").error().code() == errc::invalid_request);
  CHECK(store->create_account("b@example.com", "gold").error().code() == errc::invalid_request);
  for (const char* bad : {"", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n"})
    CHECK(store->create_account(bad, "free").error().code() == errc::invalid_request);
  CHECK(store->find_account("nobody@example.com").error().code() == errc::not_found);
}

TEST_CASE("accounts, keys, grants and secrets are there after a restart") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::string key, secret;
  principal who;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key_options with;
    with.monthly_budget = credits{7};
    with.lifetime = 24h;
    with.scope_account = false;
    key = store->create_key(account.id, with).value().secret;
    who = store->authenticate(key).value();
    CHECK(store->grant(account.id, {5}, "welcome").value().posted == credits{1005});
    CHECK(settle(*store, store->reserve(who, {3}).value(), 3).value().posted == credits{1002});
    secret = store->secret("cursor").value();
    CHECK(secret.size() == 32);
    CHECK(store->secret("other").value() != secret);
  }
  const auto store = open_or_throw(options);
  const auto again = store->authenticate(key).value();
  CHECK(again.account.email == "a@example.com");
  CHECK(again.key.public_id == who.key.public_id);
  CHECK(again.key.monthly_budget == credits{7});
  CHECK_FALSE(again.key.scope_account);
  CHECK(again.key.scope_read);
  CHECK(again.key.expires_at == start_time + 24h);
  CHECK(store->balance_of(again).value().posted == credits{1002});
  CHECK(store->secret("cursor").value() == secret);
  // The budget of 7 has 4 left.
  CHECK(store->reserve(again, {5}).error().code() == errc::key_budget_exceeded);
  CHECK(store->reserve(again, {4}).has_value());
  CHECK(store->verify().value().ok);
}

TEST_CASE("a second opening is refused while the first lives, in this process too", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  {
    const auto first = open_or_throw(options);
    const auto second = accounts::open(options);
    REQUIRE_FALSE(second.has_value());
    CHECK(second.error().code() == errc::invalid_configuration);
    CHECK(second.error().detail().find("another process") != std::string::npos);
  }
  CHECK(accounts::open(options).has_value());
}

TEST_CASE("the files are for their owner only, and the pepper belongs to its database",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::string key;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    for (const char* name : {"ledger.db", "ledger.db-wal", "ledger.db.lock", "pepper"}) {
      struct stat about {};
      CAPTURE(name);
      REQUIRE(::stat(folder.file(name).c_str(), &about) == 0);
      CHECK((about.st_mode & 0777) == 0600);
    }
  }
  // Neither the key nor a part of it that would help is in any file.
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(options.database_path).parent_path())) {
    const std::string content = [&] {
      std::FILE* const file = std::fopen(entry.path().c_str(), "rb");
      std::string all(entry.file_size(), '\0');
      all.resize(std::fread(all.data(), 1, all.size(), file));
      std::fclose(file);
      return all;
    }();
    CHECK(content.find(key.substr(9, 12)) == std::string::npos);
  }
  std::filesystem::rename(folder.file("pepper"), folder.file("aside"));
  const auto without = accounts::open(options);
  REQUIRE_FALSE(without.has_value());
  CHECK(without.error().code() == errc::invalid_configuration);
  CHECK(without.error().detail().find("pepper") != std::string::npos);
  {
    const temporary_folder other;
    static_cast<void>(open_or_throw(options_for(other.file("ledger.db"), clock)));
    std::filesystem::copy_file(other.file("pepper"), folder.file("pepper"));
    CHECK(accounts::open(options).error().code() == errc::invalid_configuration);
  }
  std::filesystem::rename(folder.file("aside"), folder.file("pepper"));
  CHECK(open_or_throw(options)->authenticate(key).has_value());
}

TEST_CASE("a place that cannot be written is storage_unavailable") {
  const temporary_folder folder;
  manual_clock clock;
  CHECK(accounts::open(options_for(folder.file("missing/ledger.db"), clock)).error().code() ==
        errc::storage_unavailable);
}

TEST_CASE("plans that make no sense are refused") {
  manual_clock clock;
  auto options = options_for(":memory:", clock);
  options.plans["odd"].rate = 0;
  CHECK(accounts::open(options).error().code() == errc::invalid_configuration);
  options.plans["odd"].rate = 1;
  options.plans["odd"].monthly = {-1};
  CHECK(accounts::open(options).error().code() == errc::invalid_configuration);
}

TEST_CASE("an account whose plan is gone keeps what it has and is granted nothing") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = options_for(folder.file("ledger.db"), clock);
  options.plans["pro"].monthly = {50};
  std::string key;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "pro").value();
    key = store->create_key(account.id, {}).value().secret;
    CHECK(store->balance_of(store->authenticate(key).value()).value().posted == credits{50});
  }
  options.plans.erase("pro");
  clock.advance(24h * 40);
  const auto store = open_or_throw(options);
  const auto who = store->authenticate(key).value();
  CHECK(who.plan.name == "pro");
  CHECK(who.plan.monthly == credits{0});
  CHECK(store->balance_of(who).value().posted == credits{50});
  CHECK(store->reserve(who, {50}).has_value());
}

TEST_CASE("a fault at any step of opening leaves a database that opens", "[alone]") {
  // A book in PostgreSQL takes ten times as long to make.
  const int stride = on_postgres_server() && !freshet::test::tries_all ? 5 : 1;
  for (int nth = 0;; nth += stride) {
    const temporary_folder folder;
    manual_clock clock;
    auto options = options_for(folder.file("ledger.db"), clock);
    int steps = 0;
    bool failed = false;
    options.fail = [&](std::string_view) { return steps++ == nth && (failed = true); };
    const auto broken = accounts::open(options);
    if (!failed) {
      CHECK(nth > 5);
      CHECK(broken.has_value());
      break;
    }
    CAPTURE(nth);
    if (!broken) CHECK(broken.error().code() == errc::storage_unavailable);
    if (broken) continue;
    options.fail = nullptr;
    const auto store = open_or_throw(options);
    CHECK(store->create_account("a@example.com", "free").has_value());
    CHECK(store->verify().value().ok);
  }
}
