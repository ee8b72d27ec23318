// Books of every schema that there ever was, made by golden/make.py: each opens, keeps what it had,
// verifies and goes on; and the program of each schema refuses the book of a later one.
#include <sqlite3.h>
#include <account/fixture.hpp>
#include <account/store/sqlite/schema.hpp>
#include <catch2/catch.hpp>
#include <fstream>

#include "support/shared.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::sqlite;
using namespace freshet::account::test;

namespace {

/// What make.py has put into all of them.
constexpr const char* golden_key = "frs_live_Golden0123456789Golden01234567891FQanj";

struct golden {
  const char* name;
  std::int64_t schema;
  const char* head;
};
constexpr golden goldens[] = {
    {"1", 1, "6:36d393b649c8f5205d8c09e0d41b5e3982371f073d8d100202d85b96c3e60850"},
    {"2", 2, "6:36d393b649c8f5205d8c09e0d41b5e3982371f073d8d100202d85b96c3e60850"},
    {"3", 3, "6:36d393b649c8f5205d8c09e0d41b5e3982371f073d8d100202d85b96c3e60850"},
    {"4", 4, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"5", 5, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"6", 6, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"6_with_answers", 6, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"8", 8, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"9", 9, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"10", 10, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"13", 13, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"14", 14, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"15", 15, "8:42ecc179a92f446825bcb33a5336a0b1fa546baaeb424b0753c695f809371e27"},
    {"16", 16, "4:133b44bffc108075a25629fd9fb2fecb9f4dfb984432203695be45b1bd84fa04"},
    {"17", 17, "4:133b44bffc108075a25629fd9fb2fecb9f4dfb984432203695be45b1bd84fa04"},
    {"18", 18, "4:133b44bffc108075a25629fd9fb2fecb9f4dfb984432203695be45b1bd84fa04"},
    {"19", 19, "4:133b44bffc108075a25629fd9fb2fecb9f4dfb984432203695be45b1bd84fa04"},
};

std::string golden_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The golden as a database with its pepper.
std::string golden_book(const golden& one, const temporary_folder& folder) {
  const auto path = freshet::test::source_dir() / "tests/account/store/sqlite/golden" /
                    ("schema_" + std::string(one.name) + ".sql");
  const std::string sql = golden_text(path), file = folder.file("ledger.db");
  sqlite3* on = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &on) == SQLITE_OK);
  REQUIRE(sqlite3_exec(on, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(on);
  std::string pepper;
  for (int i = 0; i < 32; ++i) pepper += "5a";
  std::ofstream(folder.file("pepper")) << pepper << "\n";
  return file;
}

}  // namespace

TEST_CASE("a book of every schema that there ever was opens, verifies and goes on",
          "[alone][sqlite]") {
  for (const golden& one : goldens) {
    CAPTURE(one.name);
    const temporary_folder folder;
    manual_clock clock;
    const auto options = options_for(golden_book(one, folder), clock, 90);
    const auto store = open_or_throw(options);
    const auto known = read_head_name(one.head);
    REQUIRE(known.has_value());
    const auto report = store->verify({.known = known}).value();
    CHECK(report.findings.empty());
    CHECK(head_name(report.head) == one.head);
    const auto who = store->authenticate(golden_key).value();
    CHECK(who.account.email == "a@example.com");
    CHECK(who.key.monthly_budget == credits{50});
    CHECK(who.key.budget_used == credits{5});
    const bool refunded = one.schema >= 4;
    CHECK(store->balance_of(who).value().posted == credits{refunded ? 94 : 92});
    const auto rows = store->ledger(1, 0, 10).value();
    REQUIRE(rows.size() == (refunded ? 4 : 3));
    if (refunded) CHECK(rows[0].refund_of == (one.schema >= 16 ? "led_2" : "led_3"));
    CHECK(rows.back().kind == "grant");
    // The month was begun, and is not begun again; what was answered is known still.
    CHECK(store->begin_idempotent(who, "k", "f").value()->body == R"({"data":[]})");
    CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
    CHECK(store->refund("req_1", std::nullopt, "the rest").value().refunded ==
          credits{refunded ? 3 : 5});
    usage call;
    call.idempotency_key = "another";
    CHECK(settle(*store, store->reserve(who, {1}).value(), 1, call).has_value());
    CHECK(store->verify({.known = known}).value().findings.empty());
  }
}

TEST_CASE("the program of every schema refuses the books of later ones and leaves them alone",
          "[alone]") {
  for (const golden& one : goldens) {
    const temporary_folder folder;
    const std::string file = golden_book(one, folder);
    for (std::int64_t older = 1; older < one.schema; ++older) {
      database on;
      REQUIRE(on.open(file, database_use::write).has_value());
      const auto refused = migrate(on, migrations().first(static_cast<std::size_t>(older)));
      REQUIRE_FALSE(refused.has_value());
      CHECK(refused.error().code() == errc::invalid_configuration);
      CHECK(refused.error().detail().find("use the newer program") != std::string::npos);
      CHECK(on.integer("PRAGMA user_version").value() == one.schema);
    }
  }
  CHECK(migrations().back().number > goldens[std::size(goldens) - 1].schema);
}

TEST_CASE("before a migration there is a copy, and without one there is no migration",
          "[alone][sqlite]") {
  for (const golden& one : goldens) {
    CAPTURE(one.name);
    const temporary_folder folder;
    manual_clock clock;
    auto options = options_for(golden_book(one, folder), clock, 90);
    const std::string copy = folder.file("ledger.db.schema-" + std::to_string(one.schema));
    const auto version_of_book = [&] {
      database on;
      REQUIRE(on.open(options.database_path, database_use::read).has_value());
      return on.integer("PRAGMA user_version").value();
    };
    // Nowhere to put it.
    std::filesystem::create_directory(copy + ".part");
    const auto refused = accounts::open(options);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().detail().find("no copy of it can be made") != std::string::npos);
    CHECK(version_of_book() == one.schema);
    std::filesystem::remove(copy + ".part");
    std::vector<std::string> told;
    options.tell = [&](std::string_view line) { told.emplace_back(line); };
    static_cast<void>(open_or_throw(options));
    CHECK(version_of_book() == migrations().back().number);
    REQUIRE(told.size() >= 3);
    CHECK(told.front().find("copying it to " + copy) != std::string::npos);
    CHECK(told[told.size() - 2].starts_with("bringing the book to schema "));
    CHECK((std::filesystem::status(copy).permissions() & std::filesystem::perms::others_read) ==
          std::filesystem::perms::none);
    // The older program could go on with it.
    database on;
    REQUIRE(on.open(copy, database_use::write).has_value());
    CHECK(on.integer("PRAGMA user_version").value() == one.schema);
    CHECK(on.integer("SELECT seq FROM ledger_head").value() == read_head_name(one.head)->seq);
    CHECK(migrate(on, migrations().first(static_cast<std::size_t>(one.schema))).has_value());
  }
}
