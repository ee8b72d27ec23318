#include <markdown/fragment.hpp>

using freshet::test::markdown_of;

TEST_CASE("boxes are alerts") {
  CHECK(markdown_of("<div class='admonition warning'><p class=admonition-title>Mind the tide</p>"
                    "<p>It rises.</p></div>") == "> [!warning] Mind the tide\n> It rises.");
  CHECK(markdown_of("<div class='markdown-alert markdown-alert-note'><p class=markdown-alert-title>"
                    "Note</p><p>a</p><p>b</p></div>") == "> [!note] Note\n> a\n>\n> b");
  CHECK(markdown_of("<div class=callout data-callout=faq data-callout-fold='-'><div class="
                    "callout-title>Why?</div><div class=callout-content><p>So.</p></div></div>") ==
        "> [!faq]- Why?\n> So.");
  CHECK(markdown_of("<div class='alert alert-danger'>Hot</div>") == "> [!danger] Danger\n> Hot");
  CHECK(markdown_of("<div class='custom-block tip'><p class=custom-block-title>TIP</p><ul><li>a"
                    "</ul></div>") == "> [!tip] TIP\n> - a");
}

TEST_CASE("other boxes are not") {
  CHECK(markdown_of("<div class='alert-bar'>x</div>") == "x");
  CHECK(markdown_of("<div class='callout big'>x</div>") == "x");
}
