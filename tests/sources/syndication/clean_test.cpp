#include <catch2/catch.hpp>
#include <sources/syndication/feed.hpp>
#include <string>

using freshet::sources::syndication::clean_xml;

namespace {

std::string cleaned(std::string_view bytes) { return clean_xml(bytes, "text/xml"); }

}  // namespace

TEST_CASE("What is XML already is copied as it is") {
  for (const std::string_view text :
       {"<a/>", "<a b=\"c\" d='e&amp;f'>g\n\t&lt;&gt;&quot;&apos;</a>", "<a><![CDATA[<b>&c;]]></a>",
        "<\xC3\xA9>\xEF\xBC\x81\xEF\xBF\xBD</\xC3\xA9>"}) {
    CHECK(cleaned(text) == text);
  }
}

TEST_CASE("Stray characters are escaped, in text and in tags") {
  CHECK(cleaned("<a b='<'>1 < 2 & 3 &x &; &no such;</a>") ==
        "<a b='&lt;'>1 &lt; 2 &amp; 3 &amp;x &amp;; &amp;no such;</a>");
  CHECK(cleaned("<a b=\"1>2'&\">c</a>") == "<a b=\"1>2'&amp;\">c</a>");
  CHECK(cleaned("<a>&nosuch;&nbsp;&#233;&#xE9;</a>") ==
        "<a>&amp;nosuch;\xC2\xA0\xC3\xA9\xC3\xA9</a>");
  CHECK(cleaned("<a>&#38;&#60;</a>") == "<a>&amp;&lt;</a>");
  // Of windows-1252, as HTML has them; the numbers of no letter go.
  CHECK(cleaned("<a>don&#146;t&#x85;&#0;&#xD800;&#x110000;&#12x;</a>") == "<a>don’t…</a>");
}

TEST_CASE("What is no character of XML goes, wherever it stands") {
  CHECK(cleaned("<a b='\x01"
                "c'>d\x02\xEF\xBF\xBE"
                "e&#1;&#xFFFF;f<![CDATA[g\x03\xEF\xBF\xBF"
                "h&\x1F]]>i</a>") == "<a b='c'>def<![CDATA[gh&]]>i</a>");
  CHECK(cleaned(std::string_view("<a>b\0c</a>", 10)) == "<a>bc</a>");
  CHECK(cleaned("<a>\xC3</a>") == "<a>\xC3\x83</a>");  // not UTF-8: detected as windows-1252
}

TEST_CASE("Declarations and comments go, and what ends too early is kept") {
  CHECK(cleaned(" x<?xml version='1.0'?><!DOCTYPE a [ <!ELEMENT a ANY> ]><!-- & --><a/>") ==
        "<a/>");
  CHECK(cleaned("<a><![CDATA[b\x01 c") == "<a><![CDATA[b c");
  CHECK(cleaned("<a b='c") == "<a b='c");
  CHECK(cleaned("<a><!-- b") == "<a>");
}

TEST_CASE("Entities of plain text are put in, and no document grows by them") {
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY nbsp \"&#160;\"> <!ENTITY b 'c \"d\" &amp; ]>'>]>"
                "<a e='&b;'>&b;&nbsp;</a>") ==
        "<a e='c &quot;d&quot; &amp; ]&gt;'>c &quot;d&quot; &amp; ]&gt;\xC2\xA0</a>");
  // The first definition counts, and those five are XML's own.
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY b 'd'><!ENTITY lt 'e'>]><a>&b;&lt;</a>") ==
        "<a>c&lt;</a>");
  CHECK(cleaned("<!DOCTYPE a [<!-- ' <!ENTITY b 'c'> --><!ELEMENT a ANY>\n<!ENTITY\nd\n'e'\n>]>"
                "<a>&b;&d;</a>") == "<a>&amp;b;e</a>");
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY b 'c&#1;d\x02&#xFFFF;'>]><a>&b;</a>") == "<a>cd</a>");
  // What is in the text of one is text, and what stands elsewhere is not fetched.
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '&b;&b;'>]><a>&c;</a>") ==
        "<a>&amp;b;&amp;b;</a>");
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'><!ENTITY % c 'd'>"
                "<!ENTITY e '<f/>'>]><a>&b;&c;&e;</a>") == "<a>&amp;b;&amp;c;&amp;e;</a>");
  CHECK(cleaned("<?xml?><a>&b;<!DOCTYPE c><!ENTITY b 'c'>&b;</a>") == "<a>&amp;b;&amp;b;</a>");
  // A quote that is not closed hides nothing.
  CHECK(cleaned("<!DOCTYPE a SYSTEM \"b><a c=\"d\"/>") == "<a c=\"d\"/>");
  CHECK(cleaned("<!DOCTYPE a PUBLIC \"-//b>//\" 'c>'><a/>") == "<a/>");

  const std::string text(1000, 'x');
  std::string bomb = "<!DOCTYPE a [<!ENTITY b '" + text + "'>]><a>";
  for (int i = 0; i < 10'000; ++i) bomb += "&b;";
  const auto clean = cleaned(bomb + "</a>");
  CHECK(clean.find(text) != std::string::npos);
  CHECK(clean.size() < (300u << 10) + bomb.size() * 3);
  std::string many = "<!DOCTYPE a [";
  for (int i = 0; i < 400; ++i) many += "<!ENTITY e" + std::to_string(i) + " 'x'>";
  CHECK(cleaned(many + "]><a>&e299;&e300;</a>") == "<a>x&amp;e300;</a>");
}
