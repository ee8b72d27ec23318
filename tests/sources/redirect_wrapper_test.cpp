// Engines' redirects give up the address inside; counters of adverts are told apart.
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <sources/page_elements.hpp>
#include <sources/redirect_wrapper.hpp>
#include <support/shared.hpp>

using namespace freshet;
using namespace freshet::sources;

TEST_CASE("The address inside a redirect is taken out") {
  const std::string target = "https://tide.example/gauge?id=7&lang=en";
  const auto encoded = base::percent_encode(target);
  const auto bing = "a1" + base::base64url(target);
  for (const std::string& wrapped :
       {"//duckduckgo.com/l/?uddg=" + encoded + "&rut=0f",
        "https://duckduckgo.com/l/?kh=-1&uddg=" + encoded,
        "https://html.duckduckgo.com/l/?uddg=" + encoded,
        "https://www.bing.com/ck/a?!&&p=8d&ptn=3&u=" + bing + "&ntb=1",
        "http://www.bing.com/news/apiclick.aspx?ref=FexRss&aid=&url=" + encoded + "&c=1",
        "https://www.google.com/url?q=" + encoded + "&sa=U",
        "https://google.co.uk/url?q=" + encoded, "https://news.google.com/url?url=" + encoded,
        "https://www.google.com/url?rct=j&sa=t&url=" + encoded + "&ct=ga",
        "https://r.search.yahoo.com/_ylt=A0/RV=2/RE=1/RO=10/RU=" + encoded + "/RK=2/RS=x",
        "https://www.google.com/url?q=" +
            base::percent_encode("https://duckduckgo.com/l/?uddg=" + encoded),
        "  " + target + "\n"}) {
    INFO(wrapped);
    CHECK(unwrapped_address(wrapped) == target);
  }
}

TEST_CASE("What holds no web address stays as it is") {
  for (const std::string_view text :
       {"", "javascript:void(0)", "https://duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
        "https://duckduckgo.com/l/?rut=1", "https://www.bing.com/ck/a?u=a1%%%",
        "https://www.bing.com/ck/a?u=a1_w", "https://www.google.com/search?q=https://a.example/",
        "https://notduckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F",
        "https://google.evil.example/url?q=https%3A%2F%2Fa.example%2F",
        "https://www.google.example.org/url?q=https%3A%2F%2Fa.example%2F",
        "https://duckduckgo.com/l/?uddg=%FF%FE"}) {
    INFO(text);
    CHECK(unwrapped_address(text) == text);
  }
  // A redirect to itself, over and over, ends.
  std::string nested = "https://a.example/";
  for (int i = 0; i < 20; ++i)
    nested = "https://duckduckgo.com/l/?uddg=" + base::percent_encode(nested);
  CHECK(unwrapped_address(nested).starts_with("https://duckduckgo.com/l/"));
}

TEST_CASE("Counters of adverts are known, wrapped or not") {
  const std::string counter = "https://duckduckgo.com/y.js?ad_domain=shop.example&u3=x";
  CHECK(is_advert_address("//duckduckgo.com/y.js?ad_domain=shop.example"));
  CHECK(is_advert_address("https://duckduckgo.com/l/?uddg=" + base::percent_encode(counter)));
  CHECK(is_advert_address("https://www.bing.com/aclick?ld=e8&u=x"));
  CHECK(is_advert_address("https://www.google.com/aclk?sa=l"));
  CHECK_FALSE(is_advert_address("https://shop.example/y.js"));
  CHECK_FALSE(is_advert_address("https://duckduckgo.com/about"));
  CHECK_FALSE(is_advert_address("y.js?ad_domain=shop.example"));
}

TEST_CASE("The links of a recorded page of Google lead out of Google") {
  if (!test::shared_has("recordings/google")) return;
  const auto text =
      test::read_file(test::shared_dir() / "recordings/google/search_basic_nojs__1.html");
  const auto page = html::parse(base::repair_utf8(text));
  int count = 0;
  for (const auto link : select_all(page, html::document::root(), "a[href^='/url?q=']")) {
    const auto inside =
        unwrapped_address("https://www.google.com" + std::string(page.attribute_of(link, "href")));
    INFO(inside);
    CHECK(inside.starts_with("https://"));
    CHECK(inside.find("google.com/url") == std::string::npos);
    ++count;
  }
  CHECK(count >= 10);
}
