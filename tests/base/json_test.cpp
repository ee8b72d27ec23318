#include <base/json.hpp>
#include <base/unicode.hpp>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <support/shared.hpp>

using namespace freshet::base;
using freshet::errc;

namespace {

bool reads(std::string_view text, bool strict = false) {
  const auto parsed = parse_json(text, strict);
  if (!parsed) {
    CHECK(parsed.error().code() == errc::invalid_json);
    CHECK(parsed.error().detail().starts_with("byte "));
  }
  return parsed.has_value();
}

std::string written(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

TEST_CASE("Parsing is counted, can be ended in the middle, and takes so many objects and no more") {
  std::string text = "[";
  for (int i = 0; i < 1'000; ++i) text += R"({"name": "x", "n": [1, 2.5, true, null]},)";
  text += "{}]";
  meter counted;
  const auto whole = parse_json(text, json_bounds{&counted, 1'001}, {});
  REQUIRE(whole.has_value());
  CHECK(array_of(*whole).size() == 1'001);
  CHECK(counted.spent() > 1'000 * 8);
  const auto more = parse_json(text, json_bounds{nullptr, 1'000}, {});
  REQUIRE_FALSE(more.has_value());
  CHECK(more.error().detail().find("more objects than are read") != std::string::npos);
  meter half(nullptr, counted.spent() / 2);
  CHECK_THROWS_AS(static_cast<void>(parse_json(text, json_bounds{&half}, {})), work_ended);
  meter few(nullptr, 100);
  const std::string long_text = '"' + std::string(10'000, 'x') + '"';
  CHECK_THROWS_AS(static_cast<void>(parse_json(long_text, json_bounds{&few}, {})), work_ended);
}

TEST_CASE("Of what is no object there are so many for each object and no more") {
  for (const std::string_view value : {"1,", "\"\",", "null,", "[],", "true,", "1.5,", "-1,"}) {
    CAPTURE(value);
    const auto read = [&value](std::size_t count) {
      std::string text = "[";
      for (std::size_t i = 0; i < count; ++i) text += value;
      text.back() = ']';
      return parse_json(text, {nullptr, 10}, {});
    };
    CHECK(read(150).has_value());
    const auto more = read(250);
    REQUIRE_FALSE(more.has_value());
    CHECK(more.error().detail().find("more values than are read") != std::string::npos);
  }
}

TEST_CASE("JSON texts that are read") {
  for (const std::string_view text : {"null",
                                      "true",
                                      "0",
                                      "-0",
                                      "-1.5e-3",
                                      "\"\"",
                                      "[]",
                                      "{}",
                                      " [ 1 , 2 ] ",
                                      "\t\r\n{}\n",
                                      "{\"a\":{\"b\":[null,true,false,\"x\"]}}",
                                      "\"\\u00e9\\ud83c\\udf0a\\n\\/\"",
                                      "\"\x7f\"",
                                      "1e308",
                                      "1e-999",
                                      "18446744073709551615",
                                      "-9223372036854775808",
                                      "\"\\u0000\"",
                                      "123456789012345678901234567890",
                                      "{\"\":1}"}) {
    INFO(text);
    CHECK(reads(text));
    CHECK(reads(text, true));
  }
}

TEST_CASE("JSON texts that are refused") {
  for (const std::string_view text : {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "[",
                                      "]",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{a:1}",
                                      "{\"a\":1,}",
                                      "{'a':1}",
                                      "\"",
                                      "\"\\x\"",
                                      "\"\n\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\\u12\"",
                                      "01",
                                      "-",
                                      "+1",
                                      ".5",
                                      "1.",
                                      "1e",
                                      "1e+",
                                      "0x1",
                                      "NaN",
                                      "Infinity",
                                      "-Infinity",
                                      "[NaN]",
                                      "1e999",
                                      "-1e999",
                                      "[1,1e400]",
                                      "{\"a\":[{\"b\":1e999}]}",
                                      "{} {}",
                                      "1 2",
                                      "// c\n1",
                                      "/* c */1",
                                      "[1]x",
                                      "\xEF\xBB\xBF{}",
                                      "\"\xff\"",
                                      "\"\xc3\"",
                                      "\"\xc0\xaf\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "\"\xe2\x82\"",
                                      "{\"\xff\":1}"}) {
    INFO(text);
    CHECK_FALSE(reads(text));
    CHECK_FALSE(reads(text, true));
  }
  CHECK_FALSE(reads(std::string_view("1\0", 2)));
  CHECK_FALSE(reads(std::string_view("\"\0\"", 3)));
}

TEST_CASE("Where a text stopped is told") {
  CHECK(parse_json("[1,2,x]").error().detail().starts_with("byte 5: "));
  CHECK(parse_json("[1,").error().detail() == "byte 3: the text ends too early");
  CHECK(parse_json("[1] 2").error().detail() == "byte 4: something follows the value");
  CHECK(parse_json("[1e999]").error().detail().ends_with(": a number is too large"));
  CHECK(parse_json("{\"a\":1,\"a\":2}", true)
            .error()
            .detail()
            .ends_with(": an object has the same key twice"));
}

TEST_CASE("Equal keys are refused only if strict") {
  for (const std::string_view text :
       {"{\"a\":1,\"a\":2}", "[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]", "{\"a\":1,\"\\u0061\":2}",
        "{\"\":1,\"\":2}", "{\"a\":{},\"b\":[{\"a\":1}],\"a\":3}"}) {
    INFO(text);
    CHECK(reads(text));
    CHECK_FALSE(reads(text, true));
  }
  for (const std::string_view text :
       {"{\"a\":{\"a\":{\"a\":1}}}", "[{\"a\":1},{\"a\":2}]", "{\"a\":1,\"A\":2}",
        "{\"a\":[{\"a\":1,\"b\":2}],\"b\":{\"a\":1}}"}) {
    INFO(text);
    CHECK(reads(text, true));
  }
  CHECK(member(*parse_json("{\"a\":1,\"a\":2}"), "a") == 2);
}

TEST_CASE("A long key is compared whole") {
  const std::string key(5000, 'k');
  CHECK(reads("{\"" + key + "\":1,\"" + key + "x\":2}", true));
  CHECK_FALSE(reads("{\"" + key + "\":1,\"" + key + "\":2}", true));
}

TEST_CASE("Depth has a limit, and beyond it costs nothing") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(reads(nested(max_json_depth)));
  CHECK_FALSE(reads(nested(max_json_depth + 1)));
  CHECK(parse_json(nested(max_json_depth + 1)).error().detail().ends_with("512 levels"));
  CHECK_FALSE(reads(std::string(1'000'000, '[')));
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  CHECK_FALSE(reads(objects, true));
}

TEST_CASE("A hundred thousand keys are read") {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"key" + std::to_string(i) + "\":1,";
  text += "\"last\":1}";
  const auto parsed = parse_json(text, true);
  REQUIRE(parsed.has_value());
  CHECK(object_of(*parsed).size() == 100'001);
}

TEST_CASE("Numbers are read exactly") {
  CHECK(parse_json("9007199254740993")->get_int64() == 9007199254740993);
  CHECK(parse_json("18446744073709551615")->get_uint64() == 18446744073709551615U);
  // Digits on which Boost.JSON 1.81 by itself is off in the last place.
  for (const char* text :
       {"0.1", "0.93", "2.2250738585072011e-308", "1.7976931348623157e308", "123456789.12345679",
        "8.98846567431158e307", "5e-324", "9007199254740993.0", "0.000001234567890123456789",
        "3.14159265358979323846264338327950288"}) {
    INFO(text);
    CHECK(parse_json(text)->get_double() == std::strtod(text, nullptr));
  }
}

TEST_CASE("A storage given is used") {
  const json::storage_ptr storage = json::make_shared_resource<json::monotonic_resource>();
  const auto parsed =
      parse_json("{\"a\":[1,2,\"a string that is not short at all\"]}", false, storage);
  REQUIRE(parsed.has_value());
  CHECK(*parsed->storage() == *storage);
  CHECK(*member(*parsed, "a").storage() == *storage);
}

TEST_CASE("Accessors give nothing where a field has another type") {
  const json::value value =
      *parse_json(R"({"o":{"n":1},"a":[1,2],"s":"x","i":-5,"u":18446744073709551615,"d":2.5,
                      "w":3.0,"b":true,"z":null,"si":"42","sf":"1.5","big":1e300})");
  CHECK(member(value, "o", "n") == 1);
  CHECK(member(value, "o", "x", "y").is_null());
  CHECK(member(value, "a", "0").is_null());
  CHECK(member(value, "s", "x").is_null());
  CHECK(member(json::value(7), "x").is_null());

  CHECK(text_of(member(value, "s")) == "x");
  CHECK(text_of(member(value, "i")) == "-5");
  CHECK(text_of(member(value, "u")) == "18446744073709551615");
  CHECK(text_of(member(value, "d")) == "2.5");
  CHECK(text_of(member(value, "w")) == "3");
  CHECK(text_of(member(value, "b")) == "true");
  CHECK(text_of(member(value, "z")).empty());
  CHECK(text_of(member(value, "a")).empty());
  CHECK(text_of(member(value, "o")).empty());

  CHECK(view_of(member(value, "s")) == "x");
  CHECK(view_of(member(value, "i")).empty());

  CHECK(integer_of(member(value, "i")) == -5);
  CHECK(integer_of(member(value, "w")) == 3);
  CHECK(integer_of(member(value, "si")) == 42);
  for (const char* none : {"u", "d", "s", "sf", "b", "z", "a", "o", "big", "missing"}) {
    INFO(none);
    CHECK_FALSE(integer_of(member(value, none)).has_value());
  }

  CHECK(number_of(member(value, "i")) == -5.0);
  CHECK(number_of(member(value, "d")) == 2.5);
  CHECK(number_of(member(value, "sf")) == 1.5);
  for (const char* none : {"s", "b", "z", "a", "o"}) {
    CHECK_FALSE(number_of(member(value, none)).has_value());
  }
  for (const char* none : {"inf", "nan", "-infinity", "1e999", "", " 1", "1 ", "0x10", "1,5"}) {
    INFO(none);
    CHECK_FALSE(number_of(json::value(none)).has_value());
  }

  CHECK(flag_of(member(value, "b")) == true);
  CHECK_FALSE(flag_of(member(value, "i")).has_value());
  CHECK(array_of(member(value, "a")).size() == 2);
  CHECK(array_of(member(value, "o")).empty());
  CHECK(object_of(member(value, "o")).size() == 1);
  CHECK(object_of(member(value, "a")).empty());
}

TEST_CASE("Integers at the ends of 64 bits") {
  CHECK(integer_of(json::value(-9223372036854775808.0)) == INT64_MIN);
  CHECK_FALSE(integer_of(json::value(9223372036854775808.0)).has_value());
  CHECK(integer_of(json::value(9223372036854774784.0)) == 9223372036854774784);
  CHECK(integer_of(json::value("9223372036854775807")) == INT64_MAX);
  CHECK_FALSE(integer_of(json::value("9223372036854775808")).has_value());
  CHECK_FALSE(integer_of(json::value("+1")).has_value());
  CHECK_FALSE(integer_of(json::value(std::nan(""))).has_value());
  CHECK_FALSE(number_of(json::value(INFINITY)).has_value());
}

TEST_CASE("Strings are written so that any reader takes them") {
  CHECK(written("") == "\"\"");
  CHECK(written("plain é 日本 🌊") == "\"plain é 日本 🌊\"");
  CHECK(written("a\"b\\c/") == "\"a\\\"b\\\\c/\"");
  CHECK(written("\b\f\n\r\t") == "\"\\b\\f\\n\\r\\t\"");
  CHECK(written(std::string_view("\0\x1f\x7f", 3)) == "\"\\u0000\\u001f\x7f\"");
  CHECK(written("a\xff"
                "b") ==
        "\"a\xEF\xBF\xBD"
        "b\"");
  CHECK(written("\xe2\x82") == "\"\xEF\xBF\xBD\"");
  CHECK(written("\xed\xa0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  std::string appended = "[";
  append_json_string(appended, "x");
  CHECK(appended == "[\"x\"");
}

TEST_CASE("What is written is read back, repaired") {
  std::string all;
  for (int i = 1; i < 256; ++i) all += static_cast<char>(i);
  const auto parsed = parse_json(written(all), true);
  REQUIRE(parsed.has_value());
  CHECK(view_of(*parsed) == repair_utf8(all));
}

TEST_CASE("Recorded upstream answers are read") {
  if (!freshet::test::shared_has("recordings")) return;
  int read = 0;
  for (const auto& folder :
       std::filesystem::directory_iterator(freshet::test::shared_dir() / "recordings")) {
    if (!folder.is_directory()) continue;
    for (const auto& path : freshet::test::recordings(folder.path().filename().string())) {
      if (path.extension() != ".json") continue;
      const std::string text = freshet::test::read_file(path);
      const auto parsed = parse_json(text);
      // Some recordings are error pages or cut on purpose; those must fail as Boost.JSON fails.
      json::error_code ec;
      json::parse_options options;
      options.max_depth = max_json_depth;
      const json::value reference = json::parse(text, ec, {}, options);
      INFO(path);
      CHECK(parsed.has_value() == !ec);
      if (parsed) read += json::serialize(*parsed).empty() ? 0 : 1;
    }
  }
  CHECK(read > 0);
}

TEST_CASE("A string is escaped wherever in it what needs it stands") {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(20, 'a');
      text[place] = static_cast<char>(byte);
      std::string written;
      append_json_string(written, text);
      const auto read = parse_json(written);
      if (!read || view_of(*read) != text) FAIL_CHECK("byte " << byte << " at " << place);
      const bool bare = byte >= 0x20 && byte != '"' && byte != '\\';
      if (bare != (written == '"' + text + '"')) FAIL_CHECK("byte " << byte << " at " << place);
    }
  }
}
