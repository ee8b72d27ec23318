#include <markdown/fragment.hpp>

using freshet::test::markdown_of;

TEST_CASE("lists") {
  CHECK(markdown_of("<ul><li>a</ul><ul><li>b</ul>") == "- a\n\n* b");
  CHECK(markdown_of("<ol><li>a</ol><ol><li>b</ol>") == "1. a\n\n1) b");
  CHECK(markdown_of("<ul><li>a</ul><p>x</p><ul><li>b</ul>") == "- a\n\nx\n\n- b");
  CHECK(markdown_of("<ol reversed><li>a<li>b</ol>") == "2. a\n1. b");
  CHECK(markdown_of("<ol start=3><li>a<li value=7>b</ol>") == "3. a\n7. b");
  CHECK(markdown_of("<ul><li><blockquote><p>a<p>b</blockquote></ul>") == "- > a\n  >\n  > b");
  CHECK(markdown_of("<blockquote><ul><li>a<li>b</ul></blockquote>") == "> - a\n> - b");
}

TEST_CASE("paragraphs and line breaks") {
  CHECK(markdown_of("<p>a<br>b<br><br>c") == "a  \nb\n\nc");
  CHECK(markdown_of("<p><b>a<br><br>b</b>") == "**a**\n\n**b**");
  CHECK(markdown_of("<address>a<br>b</address>") == "a  \nb");
  CHECK(markdown_of("<details><summary>s</summary><p>a</details>") == "s\n\na");
  CHECK(markdown_of("<figure><img src=/i alt=a><figcaption>c</figcaption></figure>") ==
        "![a](https://example.org/i)\n\nc");
}

TEST_CASE("definition lists") {
  CHECK(markdown_of("<dl><dt>t<dd>d</dl>") == "t\n: d");
  CHECK(markdown_of("<dl><dt><b>t</b><dd>d <i>e</i><dd>f<dt>u<dt>v<dd>w</dl><p>x") ==
        "**t**\n: d *e*\n: f\n\nu\n\nv\n: w\n\nx");
  CHECK(markdown_of("<dl><div><dt>t</dt><dd>d</dd></div><div><dt>u</dt><dd>e</dd></div></dl>") ==
        "t\n: d\n\nu\n: e");
  CHECK(markdown_of("<dl><dt>t<dd><p>d</p><p>e</p><dd>f</dl>") == "t\n: d\n\n  e\n\n: f");
  CHECK(markdown_of("<dl><dt>t<dd>d<ul><li>a<li>b</ul></dl>") == "t\n: d\n\n  - a\n  - b");
  CHECK(markdown_of("<dl><dt>t<dd>d<dl><dt>u<dd>e</dl></dl>") == "t\n: d\n\n  u\n\n  e");
  CHECK(markdown_of("<ul><li><dl><dt>t<dd>d</dl></ul>") == "- t\n  : d");
  // What is no line of text, and what has no term.
  CHECK(markdown_of("<dl><dt>t<dd><pre>d</pre></dl>") == "t\n\n```\nd\n```");
  CHECK(markdown_of("<dl><dt>t<dd><ul><li>a</ul></dl>") == "t\n\n- a");
  CHECK(markdown_of("<dl><dt><h3>t</h3><dd>d</dl>") == "### t\n\n: d");
  CHECK(markdown_of("<p>x</p><dl><dd>d</dl>") == "x\n\nd");
  CHECK(markdown_of("<dl><dt>t<dd></dd><dd><img src=/i alt=a></dl>") ==
        "t\n\n![a](https://example.org/i)");
}

TEST_CASE("words") {
  CHECK(markdown_of("H<sub>2</sub>O, 1<sup>st</sup>, x<sup>n</sup>") ==
        "H<sub>2</sub>O, 1st, x<sup>n</sup>");
  CHECK(markdown_of("<q>a</q>") ==
        "\xE2\x80\x9C"
        "a\xE2\x80\x9D");
  CHECK(markdown_of("<ruby>k<rp>(</rp><rt>r</rt><rp>)</rp></ruby> <ruby>k<rt>r</rt></ruby>") ==
        "k(r) k(r)");
  CHECK(markdown_of("<kbd>Ctrl</kbd> <ins>new</ins> <del>old</del> <mark>m</mark> "
                    "<abbr title=x>a</abbr>") == "`Ctrl` new ~~old~~ m a");
  CHECK(markdown_of("<h2><strong>a</strong></h2>") == "## **a**");
  CHECK(markdown_of("a<i>\xC2\xA0"
                    "b\xC2\xA0</i>c") ==
        "a\xC2\xA0*b*\xC2\xA0"
        "c");
  CHECK(markdown_of("<b>a</b>b<b>.c</b>d") == "**a**b<strong>.c</strong>d");
}

TEST_CASE("tables") {
  CHECK(markdown_of("<table><tr><th align=right>a<th style='text-align:center'>b<tr><td>1<td>2"
                    "</table>") == "| a | b |\n| ---: | :--: |\n| 1 | 2 |");
  CHECK(markdown_of("<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>1<br>2</table>") ==
        "| a | b |\n| --- | --- |\n| \xE2\x80\xA2 x \xE2\x80\xA2 y | 1 2 |");
  CHECK(markdown_of("<table><caption>c</caption><tr><td>a<td>b</table>") ==
        "c\n\n| a | b |\n| --- | --- |");
  CHECK(markdown_of("<table><tr><td>only<tr><td>one column</table>") == "only\n\none column");
}

TEST_CASE("pictures") {
  CHECK(markdown_of("<img src=/i alt='a [b] *c*'>") == "![a [b] \\*c*](https://example.org/i)");
  CHECK(markdown_of("<figure><img src=/small/sea-1234.jpg?w=60><img src=/large/sea-1234.jpg>"
                    "</figure>") == "![](https://example.org/large/sea-1234.jpg)");
}

TEST_CASE("pictures and players of AMP are those of a page") {
  const auto page = [](const std::string& part) { return "<p>Tides</p>" + part + "<p>Gauges</p>"; };
  const auto among = [](const std::string& part) { return "Tides\n\n" + part + "\n\nGauges"; };
  CHECK(
      markdown_of(page("<amp-img src=/i alt=sea layout=responsive><noscript><img src=/i></noscript>"
                       "</amp-img>")) == among("![sea](https://example.org/i)"));
  CHECK(markdown_of(page("<amp-youtube data-videoid=abc></amp-youtube>")) ==
        among("[Video](https://www.youtube.com/watch?v=abc)"));
  CHECK(markdown_of(page("<amp-vimeo data-videoid=12 title='The sea'></amp-vimeo>")) ==
        among("[The sea](https://vimeo.com/12)"));
  CHECK(markdown_of(page("<amp-iframe src='https://www.youtube.com/embed/abc'></amp-iframe>")) ==
        among("[Video](https://www.youtube.com/watch?v=abc)"));
  CHECK(markdown_of(page("<amp-ad src=/i></amp-ad>")) == "Tides\n\nGauges");
}

TEST_CASE("titles of links and pictures are written where they say more than the text") {
  CHECK(markdown_of("<a href=/a title='Of the sea'>Tides</a>") ==
        "[Tides](https://example.org/a \"Of the sea\")");
  CHECK(markdown_of("<a href=/a title='Tides'>All Tides</a>") ==
        "[All Tides](https://example.org/a)");
  CHECK(markdown_of("<img src=/i alt=sea title=' The\n\n sea '>") ==
        "![sea](https://example.org/i \"The sea\")");
  CHECK(markdown_of("<img src=/i alt='The sea' title='The sea'>") ==
        "![The sea](https://example.org/i)");
  // Nothing in a title ends it, or anything that begins before it.
  CHECK(markdown_of("<a href=/a title='\"a\\ &amp;amp; &lt;b> `c'>x</a>") ==
        "[x](https://example.org/a \"\\\"a\\\\ &amp;amp; &lt;b> &#96;c\")");
  CHECK(markdown_of("<table><tr><th>h<th>i<tr><td><a href=/a title='a|b'>x</a><td>y</table>") ==
        "| h | i |\n| --- | --- |\n| [x](https://example.org/a \"a\\|b\") | y |");
  CHECK(markdown_of("<a href=/a title='" + std::string(301, 't') + "'>x</a>") ==
        "[x](https://example.org/a)");
}

TEST_CASE("links that only styles part stand apart") {
  CHECK(markdown_of("<a href=/a>Tides</a><a href=/b>Towers</a>") ==
        "[Tides](https://example.org/a) [Towers](https://example.org/b)");
  CHECK(markdown_of("<b><a href=/a>Tides</a></b><b><a href=/b>3</a></b>") ==
        "**[Tides](https://example.org/a)** **[3](https://example.org/b)**");
  // One word, or parted by a sign, or in a script that parts no words.
  CHECK(markdown_of("<a href=/a>Light</a><a href=/a>house</a>") ==
        "[Light](https://example.org/a)[house](https://example.org/a)");
  CHECK(markdown_of("<a href=/a>[1]</a><a href=/b>[2]</a> <a href=/a>x</a>y<a href=/b>z</a>") ==
        "[[1]](https://example.org/a)[[2]](https://example.org/b) "
        "[x](https://example.org/a)y[z](https://example.org/b)");
  CHECK(markdown_of("<a href=/a>\u6E2F</a><a href=/b>\u706F</a>") ==
        "[\u6E2F](https://example.org/a)[\u706F](https://example.org/b)");
}
