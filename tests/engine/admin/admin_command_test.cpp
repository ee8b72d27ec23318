// An operator's commands by their table: arguments, the audit log, the dashboard; and the bytes of
// their answers, which scripts read.
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/account.hpp>
#include <freshet/engine.hpp>
#include <set>
#include <support/temporary_folder.hpp>

// No directive at file scope: files of tests are compiled together, and one of Asio may follow.
namespace freshet {
namespace {

namespace json = boost::json;

/// An engine with accounts in a folder of its own.
struct office {
  test::temporary_folder folder;
  std::unique_ptr<engine> inside;

  office() {
    engine_options options;
    options.with_accounts = true;
    REQUIRE(options.config.set("storage.data_dir", folder.path()).has_value());
    auto opened = engine::open(std::move(options));
    REQUIRE(opened.has_value());
    inside = std::move(*opened);
  }

  std::string order(std::string_view command, std::string_view arguments = "{}") {
    const auto done = inside->run_admin_command(command, arguments);
    INFO(command << " " << arguments);
    if (!done) FAIL(done.error().detail());
    return *done;
  }
  /// What is wrong with the arguments: "wrong_type email: give a string".
  std::string refusal(std::string_view command, std::string_view arguments) {
    const auto done = inside->run_admin_command(command, arguments);
    INFO(command << " " << arguments);
    REQUIRE_FALSE(done.has_value());
    const auto& why = done.error();
    return (why.parameters.empty() ? "" : why.parameters.front().code + " ") + why.detail();
  }
  /// The log's actions and details, the newest first.
  std::string log() {
    std::string lines;
    const auto answer = json::parse(order("audit.list"));
    for (const auto& one : answer.at("entries").as_array()) {
      lines.append(one.at("action").as_string()).append(" ");
      lines.append(one.at("detail").as_string()).append("\n");
    }
    return lines;
  }
};

TEST_CASE("the table names every command once, and what the dashboard has of it") {
  std::set<std::string_view> names;
  std::set<std::string> offered;
  for (const auto& command : admin_commands()) {
    CHECK(names.insert(command.name).second);
    if (command.at_dashboard) offered.insert("operator/" + std::string(command.name));
    for (const auto& argument : command.arguments) {
      INFO(command.name << " " << argument.name);
      CHECK_FALSE(argument.help.empty());
      CHECK(argument.value.empty() == (argument.type == admin_argument::kind::flag));
    }
  }
  std::set<std::string> served;
  for (const auto& one : dashboard_commands()) {
    if (one.who == required_role::operators) served.emplace(one.name);
  }
  CHECK(served == offered);
  // No door to another's secrets.
  for (const auto* const secret : {"keys.create", "keys.rotate", "accounts.link"}) {
    CHECK_FALSE(offered.contains("operator/" + std::string(secret)));
  }
}

TEST_CASE("arguments are refused by their names and types, in one place") {
  office in;
  in.order("accounts.create", R"({"email":"a@example.org"})");
  const auto said = [&](std::string_view command, std::string_view arguments) {
    return in.refusal(command, arguments);
  };
  CHECK(said("nothing", "{}") == "no command 'nothing'");
  CHECK(said("accounts.show", "[]") == "the arguments are one JSON object");
  CHECK(said("accounts.show", "{}") == "invalid_format email: give the account's e-mail address");
  CHECK(said("accounts.show", R"({"mail":"x"})") ==
        "unknown_parameter mail: unknown argument of accounts.show");
  CHECK(said("accounts.show", R"({"email":["a"]})") == "wrong_type email: give a string");
  CHECK(said("accounts.create", "{}") == "invalid_format email: '' is no e-mail address");
  CHECK(said("accounts.create", R"({"email":"x@y","operator":"yes"})") ==
        "wrong_type operator: give true or false");
  for (const auto* const credits : {"0", "1.5", "\"x\"", "null", "[]"}) {
    const auto arguments =
        R"({"email":"a@example.org","reason":"x","credits":)" + std::string(credits) + "}";
    CHECK(said("credits.grant", arguments) ==
          "invalid_format credits: give a whole number above 0");
  }
  CHECK(said("accounts.list", R"({"limit":501})") ==
        "invalid_format limit: give a whole number from 1 to 500");
  CHECK(said("audit.list", R"({"cursor":"x"})") ==
        "invalid_format cursor: give the next_cursor of the page before");
  CHECK(said("keys.create", R"({"email":"a@example.org","expires":"soon"})") ==
        "invalid_format expires: 'soon' is no duration such as 30d or 1h");
}

TEST_CASE("what changes something stands in the log before, and what became of it") {
  office in;
  in.order("accounts.create", R"({"email":"a@example.org","operator":true})");
  in.order("credits.grant", R"({"email":"a@example.org","credits":"5","reason":"welcome"})");
  in.refusal("credits.grant", R"({"email":"a@example.org","credits":0,"reason":"none"})");
  in.order("keys.create", R"({"email":"a@example.org","name":"Maria's phone","test":true})");
  in.order("accounts.operator", R"({"email":"a@example.org","off":true})");
  in.order("accounts.list");
  CHECK(in.log() ==
        "accounts.operator {\"off\":true}\n"
        "keys.create {\"test\":true}\n"
        "credits.grant.failed invalid_request\n"
        "credits.grant {\"reason\":\"none\",\"credits\":0}\n"
        "credits.grant {\"reason\":\"welcome\",\"credits\":\"5\"}\n"
        "accounts.operator \n"
        "accounts.create \n");
}

TEST_CASE("an operator's answers keep their members and their order") {
  office in;
  const auto keys_of = [](std::string_view text) {
    std::string names;
    const auto read = json::parse(text);
    for (const auto& [name, value] : read.as_object()) names.append(name).append(" ");
    return names;
  };
  const auto first_of = [](std::string_view text, const char* list) {
    return json::serialize(json::parse(text).at(list).as_array().at(0));
  };
  const std::string email = R"({"email":"a@example.org"})";
  CHECK(keys_of(in.order("accounts.create", email)) == "id email plan balance ");
  CHECK(keys_of(in.order("accounts.show", email)) ==
        "id email plan balance reserved keys operator email_verified created_at deleted_at ");
  const std::string key_members =
      "id mode last_four scopes monthly_budget created_at expires_at revoked_at last_used_at name "
      "prefix budget_used rotated_at origins state ";
  CHECK(keys_of(in.order("keys.create", email)) == key_members + "key ");
  const auto keys = in.order("keys.list", email);
  CHECK(keys_of(keys) == "email keys next_cursor ");
  CHECK(keys_of(first_of(keys, "keys")) == key_members);
  const auto ledger = in.order("ledger.list", email);
  CHECK(keys_of(ledger) == "email entries next_cursor ");
  CHECK(keys_of(first_of(ledger, "entries")) ==
        "object id created_at kind amount balance reason endpoint request_id key_id hash "
        "refund_of ");
  CHECK(in.order("ledger.verify").starts_with(R"({"ok":true,"rows":)"));
  CHECK(in.order("sources.suspended") == R"({"suspended":[]})");
}

TEST_CASE("lists are walked to their end by bare numbers") {
  office in;
  for (const auto* const name : {"a", "b", "c"}) {
    in.order("accounts.create", R"({"email":")" + std::string(name) + R"(@example.org"})");
  }
  const auto first = json::parse(in.order("accounts.list", R"({"limit":2})"));
  CHECK(first.at("accounts").as_array().size() == 2);
  CHECK(first.at("next_cursor") == json::value("2"));
  const auto rest = json::parse(in.order("accounts.list", R"({"limit":2,"cursor":"2"})"));
  CHECK(rest.at("accounts").as_array().size() == 1);
  CHECK(rest.at("next_cursor").is_null());
}

TEST_CASE("an account's keys are listed newest first, by their state, page by page") {
  office in;
  in.order("accounts.create", R"({"email":"a@example.org"})");
  in.order("accounts.create", R"({"email":"b@example.org"})");
  // Keys of another account lie between.
  for (const auto* const name : {"one", "two", "three", "four", "five"}) {
    in.order("keys.create", R"({"email":"a@example.org","name":")" + std::string(name) + R"("})");
    in.order("keys.create", R"({"email":"b@example.org"})");
  }
  // The names of a page, and behind "|" its cursor.
  std::string cursor;
  const auto page = [&](std::string_view more) {
    const auto read =
        json::parse(in.order("keys.list", R"({"email":"a@example.org")" + std::string(more) + "}"));
    std::string names;
    for (const auto& one : read.at("keys").as_array())
      names.append(one.at("name").as_string()).append(" ");
    cursor = read.at("next_cursor").is_null() ? "" : read.at("next_cursor").as_string().c_str();
    return names;
  };
  CHECK(page("") == "five four three two one ");
  CHECK(cursor.empty());
  CHECK(page(R"(,"limit":2)") == "five four ");
  CHECK(page(R"(,"limit":2,"cursor":")" + cursor + "\"") == "three two ");
  CHECK(page(R"(,"limit":2,"cursor":")" + cursor + "\"") == "one ");
  CHECK(cursor.empty());
  CHECK(page(R"(,"limit":5)") == "five four three two one ");
  CHECK(cursor.empty());

  const auto listed = json::parse(in.order("keys.list", R"({"email":"a@example.org"})"));
  for (const auto at : {1U, 3U}) {
    const std::string id(listed.at("keys").as_array().at(at).at("id").as_string());
    in.order("keys.revoke", R"({"id":")" + id + "\"}");
  }
  CHECK(page(R"(,"state":"good")") == "five three one ");
  CHECK(page(R"(,"state":"good","limit":1)") == "five ");
  CHECK(page(R"(,"state":"good","limit":1,"cursor":")" + cursor + "\"") == "three ");
  CHECK(page(R"(,"state":"revoked")") == "four two ");
  CHECK(page(R"(,"state":"expired")").empty());
  CHECK(in.refusal("keys.list", R"({"email":"a@example.org","state":"old"})") ==
        "invalid_format state: 'old' is neither good, revoked nor expired");
}

TEST_CASE("without accounts only the sources answer") {
  auto opened = engine::open({});
  REQUIRE(opened.has_value());
  CHECK((*opened)->run_admin_command("sources.suspended", "").has_value());
  for (const auto* const command : {"accounts.list", "nothing"}) {
    const auto refused = (*opened)->run_admin_command(command, "{}");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == errc::invalid_configuration);
  }
}

TEST_CASE("the typed face says what the answers say") {
  office in;
  account_admin accounts(*in.inside);
  const auto made = accounts.create("a@example.org");
  REQUIRE(made.has_value());
  CHECK(made->email == "a@example.org");
  CHECK(made->balance == 1000);
  CHECK(accounts.create_key("a@example.org", true)->secret.starts_with("frs_test_"));
  CHECK(accounts.grant("a@example.org", 5, "welcome").value() == 1005);
}

}  // namespace
}  // namespace freshet
