// The command line's parser.
#include <array>
#include <catch2/catch.hpp>
#include <server/commands/options.hpp>
#include <server/nearest.hpp>

using namespace freshet::server;

namespace {

constexpr std::array known_options{option_spec{"--listen", "HOST:PORT", ""},
                                   option_spec{"--set", "KEY=VALUE", "", true},
                                   option_spec{"--json", "", ""}};

parse_outcome parse(std::vector<std::string_view> arguments) {
  return parse_options(known_options, arguments);
}

}  // namespace

TEST_CASE("options are read in both spellings, in any order") {
  const auto read =
      parse({"a", "--listen=1:2", "--set", "x=y", "--json", "--set=z=1", "-", "--", "--json"});
  REQUIRE(!read.wrong);
  CHECK(read.options.text("--listen") == "1:2");
  CHECK(read.options.all("--set") == std::vector<std::string>{"x=y", "z=1"});
  CHECK(read.options.has("--json"));
  CHECK(read.options.operands() == std::vector<std::string>{"a", "-", "--json"});
  CHECK(read.options.text("--absent", "fallback") == "fallback");
}

TEST_CASE("wrong options say what is wrong") {
  CHECK(*parse({"--listne", "1"}).wrong == "unknown option '--listne'; did you mean '--listen'?");
  CHECK(*parse({"--qqqqqqqqqq"}).wrong == "unknown option '--qqqqqqqqqq'");
  CHECK(*parse({"--listen"}).wrong == "--listen needs a value: HOST:PORT");
  CHECK(*parse({"--listen=1", "--listen=2"}).wrong == "--listen is given twice");
  CHECK(*parse({"--json=1"}).wrong == "--json takes no value");
  CHECK(*parse({"-x"}).wrong == "unknown option '-x'");
}

TEST_CASE("nearest names are near") {
  constexpr std::array<std::string_view, 3> names{"serve", "keys create", "keys list"};
  CHECK(nearest("sevre", names) == "serve");
  CHECK(nearest("key create", names) == "keys create");
  CHECK(nearest("quux", names).empty());
  CHECK(nearest("", names).empty());
}
