#include <catch2/catch.hpp>
#include <sources/syndication/feed.hpp>
#include <string>

using freshet::sources::syndication::clean_xml;

namespace {

std::string cleaned(std::string_view bytes) {
  const auto clean = clean_xml(bytes, "text/xml");
  return clean ? *clean : "error: " + clean.error().detail();
}

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
  CHECK(cleaned("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>") ==
        "error: the feed defines XML entities");
}
