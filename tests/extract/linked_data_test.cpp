// JSON-LD as it is found: wrapped for browsers of long ago, commented, and not quite JSON.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <extract/linked_data.hpp>

namespace freshet::extract {
namespace {

std::string scripts_of(const std::string& script, int scripts_broken = 0) {
  const auto page = html::parse("<script type='application/ld+json'>" + script + "</script>");
  int broken = 0;
  base::json::array out;
  for (auto& one : read_linked_data(page, broken)) out.push_back(std::move(one));
  CHECK(broken == scripts_broken);
  return boost::json::serialize(out);
}

constexpr const char* meant = R"([{"a":"b","c":[1,2]}])";

}  // namespace

TEST_CASE("linked data: what stands around JSON is taken off") {
  const std::string json = R"({"a":"b","c":[1,2]})";
  for (const std::string& text :
       {json, "\n" + json + ";", "<!-- said John -->\n" + json, "<!--\n" + json + "\n-->",
        "<![CDATA[" + json + "]]>", "// <![CDATA[\n" + json + "\n// ]]>",
        "//<![CDATA[ " + json + "\n//]]>", "/*<![CDATA[*/" + json + "/*]]>*/", json + "}}",
        "/* one */" + json + "// two", "[" + json + "]"}) {
    INFO(text);
    CHECK(scripts_of(text) == meant);
  }
}

TEST_CASE("linked data: what is nearly JSON is read as what was meant") {
  CHECK(scripts_of(R"({"a":"b","c":[1,2,],})") == meant);
  CHECK(scripts_of("{\"a\":\"b\", // why not\n\"c\":[1,/* one */2]}") == meant);
  CHECK(scripts_of("{\"a\":\"one\ntwo\tthree\"}") == R"([{"a":"one\ntwo\tthree"}])");
  CHECK(scripts_of(R"({"a":"it\'s \x26 C:\video \x"})") == R"([{"a":"it's & C:\\video \\x"}])");
  CHECK(scripts_of(R"({"a":"He said "high water" again","u":"http://a.example/"})") ==
        R"([{"a":"He said \"high water\" again","u":"http://a.example/"}])");
  CHECK(scripts_of("{&quot;a&quot;:&quot;b&quot;,&quot;c&quot;:[1,2]}") == meant);
  CHECK(scripts_of(R"({"a":"<p class="b">c</p>"})") == R"([{"a":"<p class=\"b\">c</p>"}])");
  CHECK(scripts_of("") == "[]");
  CHECK(scripts_of("not JSON", 1) == "[]");
  CHECK(scripts_of("{\"a\":", 1) == "[]");
  CHECK(scripts_of(std::string(100'000, '['), 1) == "[]");
}

}  // namespace freshet::extract
