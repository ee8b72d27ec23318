// Links and pictures by the scheme of what a browser would open.
#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <markdown/writing/address.hpp>
#include <string>

using namespace freshet;
using markdown::address_use;
using markdown::allowed_address;

namespace {

std::string link_as_written(const std::string& address,
                            const std::string& url = "https://a.example/b/") {
  markdown::page_options whole;
  whole.mode = markdown::page_mode::page;
  const auto made = markdown::convert(
      {"<body><p><a href=\"" + address + "\">text</a>", "text/html; charset=utf-8", url}, whole);
  REQUIRE(made.has_value());
  return made->document.markdown;
}

}  // namespace

TEST_CASE("what is no link to the web, a mailbox or a telephone is only text") {
  for (const std::string address :
       {"javascript:alert(1)", "java&#9;script:alert(1)", "java&#10;script:alert(1)",
        "&#1;javascript:alert(1)", " JaVaScRiPt:alert(1)", "java&#13;&#10;script:x", "vbscript:x",
        "blob:https://a.example/1", "file:///etc/passwd", "data:text/html,x",
        "view-source:https://a.example/", "ftp://a.example/", "intent://x#Intent;end"}) {
    INFO(address);
    CHECK(link_as_written(address) == "text\n");
    CHECK(link_as_written(address, "") == "text\n");
  }
  CHECK(link_as_written("../c") == "[text](https://a.example/c)\n");
  CHECK(link_as_written("ht&#9;tps://c.example/") == "[text](https://c.example/)\n");
  CHECK(link_as_written("mailto:a@b.example") == "[text](mailto:a@b.example)\n");
  CHECK(link_as_written("tel:+4912") == "[text](tel:+4912)\n");
  CHECK(link_as_written("c/d.html", "") == "[text](c/d.html)\n");
  CHECK(link_as_written("#e") == "[text](#e)\n");
}

TEST_CASE("no address has a name and a password") {
  CHECK(link_as_written("https://bank.example@evil.example/a") ==
        "[text](https://evil.example/a)\n");
  CHECK(link_as_written("//u:p@c.example/", "") == "[text](https://c.example/)\n");
  CHECK(link_as_written("c", "https://u:p@a.example/b") == "[text](https://a.example/c)\n");
  CHECK(link_as_written("mailto:a@b.example") == "[text](mailto:a@b.example)\n");
  CHECK(allowed_address(base::parse_url("https://u@a.example/"), "i.png", address_use::embedding) ==
        "https://a.example/i.png");
}

TEST_CASE("an address that markdown would read as another one is written so that it does not") {
  CHECK(link_as_written("javascript&amp;colon;alert(1)", "") ==
        "[text](javascript\\&colon;alert(1))\n");
  CHECK(link_as_written("javascript\\:alert(1)", "") == "[text](javascript%5C:alert(1))\n");
  CHECK(link_as_written("?a=1&amp;b=2") == "[text](https://a.example/b/?a=1&b=2)\n");
}

TEST_CASE("pictures and players are on the web") {
  const auto base = base::parse_url("https://a.example/b/");
  CHECK(allowed_address(base, "i.png", address_use::embedding) == "https://a.example/b/i.png");
  CHECK(allowed_address(base, "mailto:a@b", address_use::embedding).empty());
  for (const auto* address : {"data:image/png;base64,R0", "blob:https://a.example/1",
                              "file:///i.png", "java\tscript:x", "cid:1"}) {
    CHECK(allowed_address(base, address, address_use::embedding).empty());
    CHECK(allowed_address(std::nullopt, address, address_use::embedding).empty());
  }
}

TEST_CASE("no other way to write a link lets a scheme in") {
  markdown::page_options notes;
  notes.mode = markdown::page_mode::page;
  notes.links = markdown::link_style::footnotes;
  const std::string body =
      "<body><p><a href='java&#9;script:x'>a</a> <img src='vb&#9;script:x' alt=b>"
      "<video src='blob:https://a.example/1'></video>"
      "<h2><a href='vbscript:x'>c</a></h2><a href='javascript:x'><p>d</p></a>";
  const auto made =
      markdown::convert({body, "text/html; charset=utf-8", "https://a.example/"}, notes);
  REQUIRE(made.has_value());
  CHECK(made->document.markdown.find("script") == std::string::npos);
  CHECK(made->document.markdown.find("blob") == std::string::npos);
  CHECK(made->document.links.empty());
  CHECK(made->document.media.empty());
}
