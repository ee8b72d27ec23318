#include <markdown/fragment.hpp>

using freshet::test::markdown_of;

TEST_CASE("code of highlighters, without what they draw around it") {
  CHECK(
      markdown_of("<figure class='highlight sh'><table><tr><td class=gutter><pre><span class=line>1"
                  "</span><br><span class=line>2</span><br></pre></td><td class=code><pre><span "
                  "class=line>a</span><br><span class=line></span><br><span class=line> b</span>"
                  "<br></pre></td></tr></table></figure>") == "```sh\na\n\n b\n```");
  CHECK(
      markdown_of("<table><tr><td>1<td class=blob-code>a<tr><td>2<td class=blob-code> b</table>") ==
      "```\na\n b\n```");
  CHECK(
      markdown_of("<pre><div><span>1</span><div>a</div></div><div><span>2</span><div>b</div></div>"
                  "</pre>") == "```\na\nb\n```");
  CHECK(markdown_of("<pre><code class='hljs language-js'><div class=code__header><span>js</span>"
                    "<button>Copy</button></div>x()</code></pre>") == "```js\nx()\n```");
  CHECK(
      markdown_of("<pre><div><div>Python</div><div class=cm-content><span>a</span><br>b</div></div>"
                  "</pre>") == "```python\na\nb\n```");
  CHECK(markdown_of("<pre><span class=source-line-no>001</span><span>a</span>\n"
                    "<span class=source-line-no>002</span><span> b</span>\n</pre>") ==
        "```\na\n b\n```");
  CHECK(markdown_of("<code style='white-space: pre'>a\nb</code>") == "```\na\nb\n```");
}

TEST_CASE("a change as repositories show it is a diff") {
  const std::string lines =
      "<div class=head>diff --git a/x b/x<br>--- a/<a href=/x>x</a><br>+++ b/x</div>"
      "<div class=hunk>@@ -1,2 +1,2 @@</div><div class=ctx> {</div>"
      "<div class=del>-\told();</div><div class=add>+\tnew();</div>";
  const std::string diff =
      "```diff\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n "
      "{\n-\told();\n+\tnew();\n```";
  CHECK(markdown_of("<table class=diff><tr><td>" + lines + "</table>") == diff);
  CHECK(markdown_of("<div class=patchset><div class=patch>" + lines + "</div></div>") == diff);
  // Words about one are not.
  CHECK(markdown_of("<table><tr><td>diff --git is a command<div>that shows changes</div></table>")
            .find("```") == std::string::npos);
}

TEST_CASE("languages") {
  CHECK(markdown_of("<div language=tsx><pre><code>x</code></pre></div>") == "```tsx\nx\n```");
  CHECK(markdown_of("<pre class=rust>x</pre>") == "```rust\nx\n```");
  CHECK(markdown_of("<pre class=wide>x</pre>") == "```\nx\n```");
  CHECK(markdown_of("<div class='highlight highlight-source-c++'><pre>x</pre></div>") ==
        "```c++\nx\n```");
  CHECK(markdown_of("<pre data-language=JSON>{}</pre>") == "```json\n{}\n```");
}

TEST_CASE("inline code") {
  CHECK(markdown_of("<p>a<code> b </code>c") == "a `b` c");
  CHECK(markdown_of("<p><code><a href=/x>f()</a></code>") == "[`f()`](https://example.org/x)");
  CHECK(markdown_of("<table><tr><th>a<th>b<tr><td><code>x|y</code><td>z</table>") ==
        "| a | b |\n| --- | --- |\n| `x\\|y` | z |");
}
