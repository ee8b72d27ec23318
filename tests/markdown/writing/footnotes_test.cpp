#include <markdown/fragment.hpp>

using freshet::test::markdown_of;

TEST_CASE("notes that links point to stand at the end") {
  CHECK(markdown_of("<p>A<a href=#fn1><sup>1</sup></a> b.</p><hr><h2>Footnotes</h2><ol><li id=fn1>"
                    "<p>Note <a href=#r1>\xE2\x86\xA9</a></p><p>More</p></ol><p>After") ==
        "A[^1] b.\n\nAfter\n\n[^1]: Note\n\n    More");
  // Several notes in one paragraph.
  CHECK(markdown_of("<p>A<a href=#one><sup>1</sup></a> b<a href=#two><sup>2</sup></a></p>"
                    "<p><a name=one><sup>1</sup></a> First <a href='#'>\xE2\x86\xA9</a><br><br>"
                    "<a name=two><sup>2</sup></a> Second</p>") ==
        "A[^1] b[^2]\n\n[^1]: First\n\n[^2]: Second");
  // Word writes no ids.
  CHECK(markdown_of("<p>A<a href='#_ftn1'>[1]</a></p><p><a href='#_ftnref1'>[1]</a> Note</p>") ==
        "A[^1]\n\n[^1]: Note");
}

TEST_CASE("bare raised numbers, and notes in the margin") {
  CHECK(markdown_of("<p>A<sup>1</sup> b<sup>2</sup></p><hr><p><sup>1</sup> First</p><ul><li>x</ul>"
                    "<p><sup>2</sup> Second</p>") ==
        "A[^1] b[^2]\n\n[^1]: First\n\n    - x\n\n[^2]: Second");
  CHECK(markdown_of("<p>A<label>1</label><span class=sidenote>Aside</span> b") ==
        "A[^1] b\n\n[^1]: Aside");
  CHECK(markdown_of("<p>10<sup>2</sup> and x<sup>3</sup>") == "10<sup>2</sup> and x<sup>3</sup>");
}

TEST_CASE("a list of references that the page numbers stays a list") {
  CHECK(markdown_of("<p>A<sup><a href=#cite_note-1>[1]</a></sup></p><ol class=references>"
                    "<li id=cite_note-1><b><a href=#cite_ref-1>^</a></b> Author</ol>") ==
        "A[[1]](#cite_note-1)\n\n1. **[^](#cite_ref-1)** Author");
}

TEST_CASE("links within a page are not notes") {
  CHECK(markdown_of("<p><a href=#part>1</a></p><h2 id=part>Part</h2><p>x") ==
        "[1](#part)\n\n## Part\n\nx");
  CHECK(markdown_of("<p>A<sup><a href=#gone>1</a></sup>") == "A[1](#gone)");
}
