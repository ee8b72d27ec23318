// Tokens in short: "<a x=1/>", "</a>", "#text", "0" (NULs), "!comment", "?doctype".
#include <catch2/catch.hpp>
#include <html/tokens/input_stream.hpp>
#include <html/tokens/tokenizer.hpp>
#include <string>

using namespace freshet;
using state = html::tokenizer::state;

namespace {

std::string short_form(const html::token& one) {
  using html::token_type;
  switch (one.type) {
    case token_type::start_tag: {
      std::string out = "<" + std::string(one.name);
      for (const auto& each : one.attributes) {
        out += " " + std::string(each.name) + "=" + std::string(each.value);
      }
      return out + (one.self_closing ? "/>" : ">");
    }
    case token_type::end_tag:
      return "</" + std::string(one.name) + ">";
    case token_type::comment:
      return "!" + std::string(one.text);
    case token_type::doctype:
      return "?" + std::string(one.name) + (one.force_quirks ? " quirks" : "");
    case token_type::nul:
      return std::to_string(one.text.size()) + "*0";
    default:
      return "#" + std::string(one.text);
  }
}

std::string tokens(std::string_view text, state begin = state::data, std::string_view last = {},
                   bool foreign = false) {
  html::text_arena arena;
  html::reached_limits limits;
  const auto input = html::make_input(text, arena, limits);
  html::tokenizer reader(input, arena, limits);
  reader.switch_to(begin);
  reader.set_last_start_tag(last);
  std::string out;
  html::token one;
  for (reader.next(one, foreign); one.type != html::token_type::end_of_file;
       reader.next(one, foreign)) {
    if (!out.empty()) out += ' ';
    out += short_form(one);
  }
  return out;
}

}  // namespace

TEST_CASE("tags and attributes") {
  CHECK(tokens("<A B=c d='e f' g=\"h\" i/>x</A j>") == "<a b=c d=e f g=h i=/> #x </a>");
  CHECK(tokens("<a b=1 B=2 =c=3 d=/>") == "<a b=1 =c=3 d=/>");
  CHECK(tokens("<a b=x/y>") == "<a b=x/y>");
  CHECK(tokens("<a b='1'c>") == "<a b=1 c=>");
  CHECK(tokens("<a/ b>") == "<a b=>");
  CHECK(tokens("x<a b").substr(0, 2) == "#x");
  CHECK(tokens("x<a b") == "#x");
  CHECK(tokens("< a </ <") == "#< a  ! <");
  CHECK(tokens("a</>b</3>c") == "#a #b !3 #c");
}

TEST_CASE("character references in text and attributes") {
  CHECK(tokens("a&amp;b&ltc&notit;&#65;&#x42&unknown;") == "#a&b<c\xC2\xACit;AB&unknown;");
  CHECK(tokens("<a b='?x&copy=1&copy;'>") == "<a b=?x&copy=1\xC2\xA9>");
  CHECK(tokens("<a b=&amp;c>") == "<a b=&c>");
}

TEST_CASE("comments, doctypes and what becomes a comment") {
  CHECK(tokens("<!--a--><!--b--!><!-->c<!--->d<!---->") == "!a !b ! #c ! #d !");
  CHECK(tokens("<!--a-") == "!a");
  CHECK(tokens("<!--a--!") == "!a");
  CHECK(tokens("<!--a---->b") == "!a-- #b");
  CHECK(tokens("<!x><?y z?><![CDATA[w]]>") == "!x !?y z? ![CDATA[w]]");
  CHECK(tokens("<!DocType HTML><!doctype>") == "?html ? quirks");
}

TEST_CASE("raw text ends at its own end tag") {
  CHECK(tokens("a<b>&lt;</titl></TITLE x>c", state::rcdata, "title") ==
        "#a<b><</titl> </title> #c");
  CHECK(tokens("a&lt;</style", state::rawtext, "style") == "#a&lt;</style");
  CHECK(tokens("a</p>", state::plaintext, "p") == "#a</p>");
  CHECK(tokens("a</title>", state::rcdata) == "#a</title>");
}

TEST_CASE("a script in a comment of a script nests once") {
  const auto script = [](std::string_view text) {
    return tokens(text, state::script_data, "script");
  };
  CHECK(script("a</script>b") == "#a </script> #b");
  CHECK(script("<!--<script></script>--></script>b") == "#<!--<script></script>--> </script> #b");
  CHECK(script("<!--</script>b") == "#<!-- </script> #b");
  CHECK(script("<!--><script></script>b") == "#<!--><script> </script> #b");
  CHECK(script("<!--<scripts></script>b") == "#<!--<scripts> </script> #b");
}

TEST_CASE("CDATA sections are only in foreign content, NULs are told apart") {
  CHECK(tokens("<![CDATA[a]]b]]>c", state::data, {}, true) == "#a]]b #c");
  CHECK(tokens("<![CDATA[]]><![CDATA[]]>", state::data, {}, true).empty());
  CHECK(tokens({"a\0\0b<c\0 d\0=\0>", 13}) ==
        "#a 2*0 #b <c\xEF\xBF\xBD d\xEF\xBF\xBD=\xEF\xBF\xBD>");
}
