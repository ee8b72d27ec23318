#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <query/text_query.hpp>

using namespace freshet;
using query::match_rules;
using query::matches;
using query::parse_text_query;
using query::text_query;

namespace {

text_query read(std::string_view q) {
  const auto parsed = parse_text_query(q);
  INFO(q);
  REQUIRE(parsed.has_value());
  return *parsed;
}

/// How a query was understood: "word 'a phrase' -excluded -'too'".
std::string shape(std::string_view q) {
  std::string out;
  for (const query::term& one : read(q).terms) {
    if (!out.empty()) out += ' ';
    if (one.excluded) out += '-';
    out += one.phrase ? "'" + one.text + "'" : one.text;
  }
  return out;
}

item post_of(std::string text) {
  post made;
  made.id = "test:1";
  made.text = std::move(text);
  return made;
}

bool finds(std::string_view q, std::string text) {
  return matches(read(q), post_of(std::move(text)));
}

}  // namespace

TEST_CASE("The grammar of q") {
  CHECK(shape("tide") == "tide");
  CHECK(shape("  tide   gauge ") == "tide gauge");
  CHECK(shape("\"tide gauge\"") == "'tide gauge'");
  CHECK(shape("tide -storm") == "tide -storm");
  CHECK(shape("tide -\"storm surge\" gauge") == "tide -'storm surge' gauge");
  CHECK(shape("\"a\"\"b\"") == "'a' 'b'");
  CHECK(shape("\"a\"b") == "'a' b");
  CHECK(shape("“tide gauge” „x” ＂y＂") == "'tide gauge' 'x' 'y'");
  CHECK(shape("tide −storm －surge") == "tide -storm -surge");  // minus sign, full-width minus
  CHECK(shape("tide\tgauge\nsea\xE3\x80\x80level") == "tide gauge sea level");
  CHECK(shape("#tide @fan") == "#tide @fan");
  CHECK(shape("tide-gauge") == "tide-gauge");
  CHECK(shape("5\" pipe") == "5\" pipe");
  CHECK(shape("--tide x") == "--tide x");
}

TEST_CASE("Tokens that hold no word are dropped") {
  CHECK(shape("tide - gauge") == "tide gauge");
  CHECK(shape("- tide") == "tide");
  CHECK(shape("tide & gauge ++ -") == "tide gauge");
  CHECK(shape("tide \"\" -\"\" \"...\"") == "tide");
}

TEST_CASE("Words of a term are folded, in order") {
  CHECK(read("Tide").terms[0].words == std::vector<std::string>{"tide"});
  CHECK(read("\"Tide GAUGE\"").terms[0].words == std::vector<std::string>{"tide", "gauge"});
  CHECK(read("ＴＩＤＥ").terms[0].words == std::vector<std::string>{"tide"});
  CHECK(read("example.org").terms[0].words == std::vector<std::string>{"example", "org"});
  CHECK(read("潮位").terms[0].words == std::vector<std::string>{"潮", "位"});
  CHECK(read("Tide").raw == "Tide");
}

TEST_CASE("Queries that are refused") {
  struct {
    std::string given;
    std::string_view code, reason;
  } const cases[] = {
      {"", "out_of_bounds", "no word"},
      {"   ", "out_of_bounds", "no word"},
      {"-", "out_of_bounds", "no word"},
      {"\"\"", "out_of_bounds", "no word"},
      {"!?", "out_of_bounds", "no word"},
      {"\"tide", "invalid_format", "not closed"},
      {"tide \"gauge", "invalid_format", "not closed"},
      {"tide -\"gauge", "invalid_format", "not closed"},
      {"\"", "invalid_format", "not closed"},
      {"-tide", "invalid_format", "only excludes"},
      {"-tide -\"a b\"", "invalid_format", "only excludes"},
      {"tide\xFF", "invalid_format", "UTF-8"},
      {std::string(513, 'a'), "out_of_bounds", "512"},
  };
  for (const auto& one : cases) {
    INFO(one.given);
    const auto parsed = parse_text_query(one.given);
    REQUIRE(parsed.has_error());
    CHECK(parsed.error().code() == errc::invalid_request);
    CHECK(parsed.error().detail().find(one.reason) != std::string::npos);
    REQUIRE(parsed.error().parameters.size() == 1);
    CHECK(parsed.error().parameters[0].pointer == "/q");
    CHECK(parsed.error().parameters[0].code == one.code);
  }
}

TEST_CASE("The length of a query counts characters, not bytes") {
  std::string q;
  for (int i = 0; i < 512; ++i) q += "潮";
  CHECK(parse_text_query(q).has_value());
  CHECK(parse_text_query(q + "位").has_error());
}

TEST_CASE("Words are ANDed, whole and in any order") {
  CHECK(finds("tide", "The Tide rises."));
  CHECK(finds("gauge tide", "A tide is read from a gauge."));
  CHECK_FALSE(finds("tide gauge", "The tide rises."));
  CHECK_FALSE(finds("tide", "The tides rise."));
  CHECK_FALSE(finds("tide", ""));
  CHECK(finds("TIDE", "ｔｉｄｅ"));
  CHECK(finds("straße", "STRASSE"));
  CHECK(finds("#tide", "tide"));
  CHECK(finds("tide", "#Tide!"));
  CHECK(finds("eau", "l’eau monte"));
  CHECK(finds("example.org", "see https://www.example.org/a"));
  CHECK_FALSE(finds("example.org", "an example for org charts"));
}

TEST_CASE("Phrases are contiguous words") {
  CHECK(finds("\"tide gauge\"", "A TIDE  GAUGE here"));
  CHECK(finds("\"tide gauge\"", "a tide-gauge"));
  CHECK(finds("\"tide gauge\"", "tide tide gauge"));
  CHECK_FALSE(finds("\"tide gauge\"", "the gauge of the tide"));
  CHECK_FALSE(finds("\"tide gauge\"", "tide and gauge"));
  CHECK_FALSE(finds("\"tide gauge\"", "tide gauges"));
  CHECK(finds("\"潮位\"", "今日の潮位計"));
  CHECK(finds("潮位", "今日の潮位計"));
  CHECK_FALSE(finds("潮位", "位潮"));
}

TEST_CASE("Exclusions exclude") {
  CHECK(finds("tide -storm", "the tide"));
  CHECK_FALSE(finds("tide -storm", "the tide in a Storm"));
  CHECK(finds("tide -storm", "the tide and storms"));
  CHECK(finds("tide -\"storm surge\"", "a storm, a tide, a surge"));
  CHECK_FALSE(finds("tide -\"storm surge\"", "tide: storm surge"));
}

TEST_CASE("Emoji can be looked for") {
  CHECK(finds("🌊", "high tide 🌊🌊"));
  CHECK_FALSE(finds("🌊", "high tide"));
  CHECK_FALSE(finds("tide -🌊", "tide 🌊"));
}

TEST_CASE("Every searched field, and no phrase across two of them") {
  post made;
  made.title = "alpha one";
  made.text = "beta two";
  made.tags = {"gamma", "three"};
  made.author.handle = "delta.example";
  made.author.display_name = "Epsilon Four";
  made.links = {"https://zeta.example/five"};
  made.url = "https://eta.example/six";
  const item any = made;
  for (const char* q : {"alpha", "two", "gamma", "delta", "epsilon", "zeta", "five",
                        "alpha beta gamma delta epsilon zeta", "\"alpha one\"", "delta.example"}) {
    INFO(q);
    CHECK(matches(read(q), any));
  }
  for (const char* q : {"eta", "six", "\"one beta\"", "\"gamma three\"", "alpha -five"}) {
    INFO(q);
    CHECK_FALSE(matches(read(q), any));
  }
}

TEST_CASE("The fields that only some objects have") {
  user person;
  person.handle = "fan";
  person.display_name = "Tide Fan";
  CHECK(matches(read("fan \"tide fan\""), item{person}));
  video clip;
  clip.music.title = "Sea";
  CHECK(matches(read("sea"), item{clip}));
  forum_post thread;
  thread.community = "oceanography";
  thread.link_url = "https://example.org/surge";
  CHECK(matches(read("oceanography surge"), item{thread}));
  web_result result;
  result.site_name = "Harbour";
  CHECK(matches(read("harbour"), item{result}));
  article press;
  press.site.name = "The Daily Tide";
  CHECK(matches(read("\"daily tide\""), item{press}));
  comment reply;
  reply.text = "x";
  CHECK(matches(read("x"), item{reply}));
  CHECK_FALSE(matches(read("x"), item{document{}}));
}

TEST_CASE("What a source has done is not done again") {
  const item any = post_of("storm");
  const text_query q = read("tide \"tide gauge\" -storm");
  CHECK_FALSE(matches(q, any));
  CHECK_FALSE(matches(q, any, match_rules{.words = true, .phrases = false, .exclusions = false}));
  CHECK_FALSE(matches(q, any, match_rules{.words = false, .phrases = true, .exclusions = false}));
  CHECK_FALSE(matches(q, any, match_rules{.words = false, .phrases = false, .exclusions = true}));
  CHECK(matches(q, any, match_rules{.words = false, .phrases = false, .exclusions = false}));
}

TEST_CASE("An empty query matches everything") {
  CHECK(matches(text_query{}, post_of("anything")));
}
