// What people complain about in other converters, one test each, on pages of our own.
#include <catch2/catch.hpp>
#include <markdown/fragment.hpp>
#include <markdown/page.hpp>
#include <markdown/words.hpp>
#include <string>

using namespace freshet;
using test::has;
using test::markdown_of;

namespace {

const std::string prose =
    "The gauge at the harbour has been read every hour since the pier was built, and nobody knows "
    "who wrote the first number down. Its keepers changed, the numbers stayed, and today they are "
    "the longest record of this coast, older than the lighthouse, the railway and the town hall.";

std::string paragraphs(int count) { return test::times("<p>" + prose + "</p>", count); }

markdown::page_result convert(const std::string& body, markdown::page_options options = {},
                              std::string_view url = "https://example.org/dir/page.html") {
  auto made = markdown::convert({body, "text/html; charset=utf-8", url}, options);
  REQUIRE(made.has_value());
  return std::move(*made);
}

std::string main_of(const std::string& around_before, const std::string& inside,
                    const std::string& around_after = "") {
  return convert("<body>" + around_before + "<article>" + paragraphs(3) + inside + "</article>" +
                 around_after)
      .document.markdown;
}

}  // namespace

TEST_CASE("1: cookie banners and navigation are not content") {
  const auto text = main_of(
      "<div class='cookie-consent'><p>We value your privacy, accept all cookies now.</p></div>"
      "<nav><ul><li><a href=/>Home</a><li><a href=/b>Harbours</a></ul></nav>",
      "", "<aside class=related><a href=/x>Read this as well</a></aside><footer>Imprint</footer>");
  CHECK(has(text, "longest record"));
  for (const char* unwanted : {"cookies", "Harbours", "as well", "Imprint"}) {
    INFO(unwanted);
    CHECK_FALSE(has(text, unwanted));
  }
}

TEST_CASE("2: a page with text is never answered with nothing") {
  const auto nav = convert("<body><nav><a href=/a>Only links</a></nav>");
  CHECK(has(nav.document.markdown, "Only links"));
  REQUIRE(nav.warnings.size() == 1);
  CHECK(has(nav.warnings[0], "whole page"));
  CHECK(has(convert("<body>just text").document.markdown, "just text"));
  CHECK(has(convert("<body><div class=sidebar>short</div>").document.markdown, "short"));
  CHECK(convert("<body></body>").document.markdown.empty());
  CHECK(convert("").warnings.empty());
}

TEST_CASE("3: tables without a head, with spans, with blocks, and layout tables") {
  CHECK(markdown_of("<table><tr><td>a<td>b<tr><td>c<td>d</table>") ==
        "| a | b |\n| --- | --- |\n| c | d |");
  CHECK(markdown_of("<table><tr><th colspan=2>h<tr><td rowspan=2>a<td>b<tr><td>c</table>") ==
        "| h | |\n| --- | --- |\n| a | b |\n| | c |");
  CHECK(markdown_of("<table><tr><th>x<th>y<tr><td><p>a</p><p>b</p><td>1|2</table>") ==
        "| x | y |\n| --- | --- |\n| a b | 1\\|2 |");
  CHECK(markdown_of("<table role=presentation><tr><td><h2>T</h2><p>a</p></table>") == "## T\n\na");
  CHECK(markdown_of("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>") ==
        "| a | b |\n| --- | --- |\n| c | d |");
}

TEST_CASE("4: code keeps newlines, indentation and spaces, and loses its gutter") {
  CHECK(markdown_of("<pre>a\n  b\n\n    c  d</pre>") == "```\na\n  b\n\n    c  d\n```");
  CHECK(markdown_of("<pre>a<br>b</pre>") == "```\na\nb\n```");
  CHECK(markdown_of("<table class=highlight><tr><td class=gutter><pre>1\n2</pre><td class=code>"
                    "<pre><code>x = 1\ny = 2</code></pre></table>")
            .find("x = 1\ny = 2") != std::string::npos);
  CHECK(markdown_of("<pre><span class=line><span class=lineno>1</span>a</span>"
                    "<span class=line><span class=lineno>2</span>  b</span></pre>") ==
        "```\na\n  b\n```");
  CHECK(markdown_of("<pre><div>a</div><div>  b</div></pre>") == "```\na\n  b\n```");
  CHECK(markdown_of("<p><code>a  b</code></p>") == "`a  b`");
}

TEST_CASE("5: fences are long enough and know their language") {
  CHECK(markdown_of("<pre><code class='language-c++'>int x;</code></pre>") ==
        "```c++\nint x;\n```");
  CHECK(markdown_of("<div class='highlight-python'><pre>x</pre></div>") == "```python\nx\n```");
  CHECK(markdown_of("<pre class='brush: sql; x'>x</pre>") == "```sql\nx\n```");
  CHECK(markdown_of("<pre>```\nx\n```</pre>") == "````\n```\nx\n```\n````");
  CHECK(markdown_of("<code>a`b</code>") == "``a`b``");
}

TEST_CASE("6: nested lists, paragraphs in items, ten and more items") {
  CHECK(markdown_of("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>") ==
        "- a\n  - b\n    1. c\n- d");
  CHECK(markdown_of("<ul><li><p>a</p><p>b</p><li>c</ul>") == "- a\n\n  b\n- c");
  const auto ten = markdown_of("<ol start=9><li>i<li>j<p>k</p></ol>");
  CHECK(ten == "9. i\n10. j\n\n    k");
  CHECK(markdown_of("<ul><li><pre>x\n y</pre></ul>") == "- ```\n  x\n   y\n  ```");
  CHECK(markdown_of(
            "<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>") ==
        "- [x] done\n- [ ] open");
}

TEST_CASE("7: links are absolute") {
  CHECK(markdown_of("<a href=../a?b=1#c>x</a>") == "[x](https://example.org/a?b=1#c)");
  CHECK(markdown_of("<a href='//example.net/'>x</a>") == "[x](https://example.net/)");
  CHECK(markdown_of("<a href='#part'>x</a>") == "[x](#part)");
  CHECK(markdown_of("<a href='javascript:void(0)'>x</a>") == "x");
  CHECK(markdown_of("<a href='a b(c'>x</a>") == "[x](https://example.org/dir/a%20b%28c)");
}

TEST_CASE("a heading's link to itself is no text") {
  CHECK(markdown_of("<h2 id=a>T<a class=headerlink href='#a'>\xC2\xB6</a></h2>") == "## T");
  CHECK(markdown_of("<h2><a href='#a'>#</a> T</h2>") == "## T");
  CHECK(markdown_of("<h2 id=a><a href='#a'>T</a></h2>") == "## T");
}

TEST_CASE("8: <base href> counts") {
  const auto made = convert("<base href='/other/'><body><a href=a>x</a><img src=i.png>");
  CHECK(has(made.document.markdown, "(https://example.org/other/a)"));
  CHECK(has(made.document.markdown, "(https://example.org/other/i.png)"));
}

TEST_CASE("9: lazy pictures, noscript and srcset") {
  CHECK(markdown_of("<img src='data:image/gif;base64,R0' data-src=a.png alt=A>") ==
        "![A](https://example.org/dir/a.png)");
  CHECK(markdown_of(
            "<p><img class=lazy src=placeholder.gif><noscript><img src=b.png></noscript></p>") ==
        "![](https://example.org/dir/b.png)");
  CHECK(markdown_of("<img srcset='s.png 300w, l.png 900w'>") ==
        "![](https://example.org/dir/l.png)");
  CHECK(markdown_of("<picture><source srcset='w.webp 2x'><img alt=P></picture>") ==
        "![P](https://example.org/dir/w.webp)");
  CHECK(markdown_of("<img src=p.gif width=1 height=1>x") == "x");
}

TEST_CASE("10: charsets") {
  const auto made =
      markdown::convert({"<meta charset=windows-1251><p>\xCF\xF0", "text/html", ""}, {});
  REQUIRE(made.has_value());
  CHECK(has(made->document.markdown, "\xD0\x9F\xD1\x80"));
}

TEST_CASE("11: neither too much nor too little is escaped") {
  CHECK(markdown_of("<p>snake_case and 2 * 3 and a-b. (c) [d] # e + f!") ==
        "snake_case and 2 * 3 and a-b. (c) [d] # e + f!");
  CHECK(markdown_of("<p>*a* _b_ `c` &lt;div&gt; &amp;amp; a\\*b") ==
        "\\*a* \\_b_ \\`c` \\<div> \\&amp; a\\\\*b");
  CHECK(markdown_of("<p># a<p>- b<p>1. c<p>&gt; d<p>+ e<p>#f<p>-g<p>1.5") ==
        "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\+ e\n\n#f\n\n-g\n\n1.5");
  CHECK(markdown_of("<p>a<br>===<p>---") == "a  \n\\===\n\n\\---");
  CHECK(markdown_of("<p>[a](b)") == "[a\\](b)");
  CHECK(markdown_of("<p>Look!<a href=/x>here</a>") == "Look\\![here](https://example.org/x)");
  CHECK(markdown_of("<p>~~a~~ ~5") == "\\~\\~a~~ ~5");
}

TEST_CASE("12: spaces around inline emphasis stay outside") {
  CHECK(markdown_of("<p>a<b> b </b>c") == "a **b** c");
  CHECK(markdown_of("<p>a <em>b</em>, <i> c</i>") == "a *b*, *c*");
  CHECK(markdown_of("<p><b>a</b><b>b</b>") == "**ab**");
  CHECK(markdown_of("<p>x<b> </b>y<b></b>") == "x y");
  CHECK(markdown_of("<p><b>a <i>b</i></b> <del>c</del>") == "**a *b*** ~~c~~");
  CHECK(markdown_of("<p>\xE6\xBD\xAE<b>\xE3\x80\x8C\xE6\xB5\xB7\xE3\x80\x8D</b>\xE6\xBD\xAE") ==
        "\xE6\xBD\xAE<strong>\xE3\x80\x8C\xE6\xB5\xB7\xE3\x80\x8D</strong>\xE6\xBD\xAE");
  CHECK(markdown_of("<p>a <a href=/x> b </a> c") == "a [b](https://example.org/x) c");
}

TEST_CASE("13: hidden text is no text, in either mode") {
  const std::string hidden =
      "<p style='display:none'>evil1</p><p hidden>evil2</p><span style='font-size:0px'>evil3</span>"
      "<div style='position:absolute;left:-9999px'>evil4</div><p style='opacity: 0'>evil5</p>"
      "<p style='visibility:hidden'>evil6</p><span class=sr-only>evil7</span><!-- evil8 -->"
      "<template>evil9</template><div style='height:0;overflow:hidden'>evil10</div>"
      "<span aria-hidden=true>evil11</span>";
  CHECK_FALSE(has(markdown_of("<p>seen</p>" + hidden), "evil"));
  CHECK_FALSE(has(main_of("", hidden), "evil"));
}

TEST_CASE("14: formulas and footnotes") {
  CHECK(markdown_of("<p>a <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2"
                    "</annotation></semantics></math> b") == "a $x^2$ b");
  CHECK(markdown_of(
            "<p>a <span class=katex><span class=katex-mathml><math><annotation "
            "encoding='application/x-tex'>y_1</annotation></math></span><span class=katex-html "
            "aria-hidden=true>y1</span></span>") == "a $y_1$");
  CHECK(markdown_of("<p>a<math display=block alttext='\\frac{1}{2}'><mi>x</mi></math>b") ==
        "a\n\n$$\n\\frac{1}{2}\n$$\n\nb");
  CHECK(markdown_of("<script type='math/tex'>z</script>") == "$z$");
  CHECK(markdown_of("<p>Tide<sup><a href='#fn1' id=r1>1</a></sup>.</p><ol><li id=fn1>A note. "
                    "<a href='#r1'>\xE2\x86\xA9</a></ol>") == "Tide[^1].\n\n[^1]: A note.");
}

TEST_CASE("15: embedded videos are links") {
  CHECK(markdown_of(
            "<iframe src='https://www.youtube.com/embed/abc?rel=0' title='The tide'></iframe>") ==
        "[The tide](https://www.youtube.com/watch?v=abc)");
  CHECK(markdown_of("<iframe src='//player.vimeo.com/video/42'></iframe>") ==
        "[Video](https://vimeo.com/42)");
  CHECK(markdown_of("<iframe src='https://ads.example/x'></iframe>x") == "x");
}
