// Lists in pages that Word has saved.
#include <markdown/fragment.hpp>
#include <string>

using freshet::test::markdown_of;

namespace {

std::string word_paragraph(const std::string& level, const std::string& mark,
                           const std::string& text) {
  return "<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 " + level +
         " lfo1'><![if !supportLists]><span style='font-family:Symbol'><span "
         "style='mso-list:Ignore'>" +
         mark + "<span style='font:7.0pt serif'>&nbsp;&nbsp; </span></span></span><![endif]>" +
         text + "<o:p></o:p></p>\n";
}

}  // namespace

TEST_CASE("paragraphs that Word marks are items") {
  CHECK(markdown_of(word_paragraph("level1", "\xC2\xB7", "a") +
                    word_paragraph("level1", "\xC2\xB7", "<b>b</b>")) == "- a\n- **b**");
  CHECK(markdown_of(word_paragraph("level1", "3.", "a") + word_paragraph("level1", "4)", "b")) ==
        "3. a\n4. b");
  CHECK(markdown_of("<p>x</p>" + word_paragraph("level1", "\xC2\xA7", "a") + "<p>y</p>" +
                    word_paragraph("level1", "-", "b")) == "x\n\n- a\n\ny\n\n- b");
  CHECK(markdown_of("<table border=1><tr><th>x<th>y<tr><td>" + word_paragraph("level1", "-", "a") +
                    "<td>b</table>") == "| x | y |\n| --- | --- |\n| -\xC2\xA0\xC2\xA0 a | b |");
}

TEST_CASE("items of lower levels stand in those of higher ones") {
  CHECK(markdown_of(word_paragraph("level1", "1.", "a") + word_paragraph("level2", "o", "b") +
                    word_paragraph("level3", "\xC2\xA7", "c") + word_paragraph("level2", "o", "d") +
                    word_paragraph("level1", "2.", "e")) == "1. a\n   - b\n     - c\n   - d\n2. e");
  // Where a list begins, nothing is above it.
  CHECK(markdown_of(word_paragraph("level3", "-", "a") + word_paragraph("level3", "-", "b")) ==
        "- a\n- b");
}

TEST_CASE("marks that Markdown has not stay text") {
  CHECK(markdown_of(word_paragraph("level1", "(a)", "x")) == "(a)\xC2\xA0\xC2\xA0 x");
  CHECK(markdown_of(word_paragraph("level1", "iv.", "x")) == "iv.\xC2\xA0\xC2\xA0 x");
  CHECK(markdown_of("<p style='mso-list:none'>- x</p>") == "\\- x");
  CHECK(markdown_of("<p style='mso-list:l0 level1 lfo1'>x</p>") == "x");
}
