// The lines of administration: their options are those of the engine's table.
#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/admin.hpp>
#include <server/commands/administration.hpp>
#include <server/number.hpp>

using namespace freshet;
using namespace freshet::server;

TEST_CASE("every line of administration is a command of the engine, with its arguments") {
  std::size_t lines = 0;
  for (const auto family : {account_commands(), user_commands()}) {
    for (const command& row : family) {
      INFO(row.name);
      ++lines;
      std::string name(row.name);
      std::replace(name.begin(), name.end(), ' ', '.');
      const auto all = admin_commands();
      const auto found = std::find_if(all.begin(), all.end(),
                                      [&](const admin_command& one) { return one.name == name; });
      REQUIRE(found != all.end());
      REQUIRE(row.max_operands() <= found->arguments.size());
      // Then --json and the three of the configuration.
      CHECK(row.options.size() == found->arguments.size() - row.max_operands() + 4);
      for (std::size_t i = 0; i < row.min_operands(); ++i) {
        CHECK_FALSE(found->arguments[i].required.empty());
      }
    }
  }
  CHECK(lines == 13);
}

TEST_CASE("an argument's name is an option's") {
  const auto rows = account_commands();
  const auto create = std::find_if(rows.begin(), rows.end(),
                                   [](const command& one) { return one.name == "keys create"; });
  REQUIRE(create != rows.end());
  std::string names;
  for (const option_spec& one : create->options) {
    names.append(one.name).append(" ").append(one.value).append(";");
  }
  CHECK(
      names ==
      "--name TEXT;--test ;--scope SCOPE;--monthly-budget N;--expires TIME;--origin ORIGIN;--json ;"
      "--config FILE;--set KEY=VALUE;--data DIR;");
}

TEST_CASE("no name that somebody gave a key says another field of its line") {
  const boost::json::object key{{"name", "x  state=revoked   y"}, {"left", 3}};
  CHECK(shown(key, "name") == "x state=revoked y");
  CHECK(shown(key, "left") == "3");
  CHECK(shown(key, "nothing") == "-");
}

TEST_CASE("a number is the whole text") {
  CHECK(parse_number<std::int64_t>("-12") == -12);
  CHECK(parse_number(std::string_view("64"), 1, 64) == 64);
  for (const auto* const wrong : {"", " 1", "+1", "1 ", "1x", "0x1", "65"}) {
    CHECK_FALSE(parse_number(std::string_view(wrong), 1, 64).has_value());
  }
  CHECK_FALSE(parse_number<std::uint16_t>("65536").has_value());
}
