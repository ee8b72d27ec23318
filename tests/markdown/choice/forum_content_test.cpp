#include <catch2/catch.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/choice/forum_content.hpp>
#include <markdown/tree/visibility.hpp>
#include <markdown/writing/writer.hpp>
#include <string>

using namespace freshet;

namespace {

std::string posts_of(const std::string& page) {
  const auto parsed = html::parse(page);
  markdown::page_tree tree(parsed);
  markdown::drop_invisible(tree);
  const auto chosen = markdown::choose_posts(tree);
  return chosen.found ? markdown::write_text(tree, chosen.roots) : "none";
}

}  // namespace

TEST_CASE("of a post there stay its author, its date and its text") {
  CHECK(posts_of("<body><nav>Board index</nav><div class=pagination>1 2 3</div>"
                 "<article class=message><div class=message-cell><h4><a class=username>Ada</a></h4>"
                 "<h5 class=userTitle>Senior member</h5><dl><dt>Posts<dd>1,204</dl></div>"
                 "<header><time>3 May</time> <a>#1</a></header>"
                 "<div class=bbWrapper>Which rope for a small boat?</div>"
                 "<div class=signature>Ropes and more</div><a>Reply</a></article>"
                 "<article class=message><div class=message-cell><h4><a class=username>Bob</a></h4>"
                 "</div><header><time>4 May</time></header><div class=bbWrapper>Three strands, and "
                 "never nylon.<div class=bbCodeBlock-expandLink>Click to expand</div></div>"
                 "</article></body>") ==
        "Ada\n3 May\nWhich rope for a small boat?\nBob\n4 May\nThree strands, and never nylon.");
}

TEST_CASE("remarks below an answer are not posts") {
  CHECK(posts_of("<body itemscope itemtype='https://schema.org/Question'>"
                 "<div class=s-prose itemprop=text>Why is the sea salt?</div>"
                 "<div itemscope itemtype='https://schema.org/Answer'>"
                 "<div class=s-prose itemprop=text>Rivers carry salt into it.</div>"
                 "<div itemscope itemtype='https://schema.org/Comment'>"
                 "<span itemprop=text>And rain?</span></div></div>") ==
        "Why is the sea salt?\nRivers carry salt into it.");
}

TEST_CASE("a wrapper of posts is no post, a wrapper of one is") {
  const std::string page =
      "<body><div class=postbody><div class=postbody><div class=bbWrapper>One is here.</div></div>"
      "<div class=postbody>Two is here.</div></div>";
  CHECK(posts_of(page) == "One is here.\nTwo is here.");
}

TEST_CASE("what leads to a post and what selects code are no text of the post") {
  CHECK(
      posts_of("<body><div class=postbody><h3><a href='#p1'>Re: Ropes</a></h3><p class=author>3 May"
               "</p>Try this.<p>Code: <a href=#>Select all</a></p><pre>tie(2)</pre></div>") ==
      "3 May\nTry this.\ntie(2)");
}

TEST_CASE("without posts nothing is chosen and nothing dropped") {
  CHECK(posts_of("<body><p>Just text.") == "none");
}
