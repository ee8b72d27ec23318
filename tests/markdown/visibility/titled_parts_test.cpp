#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/visibility/titled_parts.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>

using namespace freshet;

namespace {

const std::string hourly_prose =
    "The tide gauge was read each hour until the harbour burned down in May. ";
const std::string rest_of_page = "<p>" + hourly_prose + hourly_prose + hourly_prose + hourly_prose +
                                 hourly_prose + hourly_prose + "</p>";

/// How many of the parts that say "Because" a page shows.
std::size_t answers_seen(const std::string& body) {
  auto page = html::parse("<body>" + rest_of_page + "<div>" + body + "</div>");
  markdown::page_tree tree(page);
  drop_invisible(tree);
  const auto text = tree.text_of(tree.body());
  std::size_t count = 0;
  for (auto at = text.find("Because"); at != std::string::npos; at = text.find("Because", at + 1)) {
    ++count;
  }
  return count;
}

std::string repeated(int count, const std::string& text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

const std::string one_question = "<div class='q on'>Why is that?<i><b></b></i></div>";
const std::string one_answer =
    "<div class=a style='display:none'><p>Because: " + hourly_prose + "</p></div>";

}  // namespace

TEST_CASE("answers that stand alike below their questions are seen") {
  CHECK(answers_seen(repeated(3, one_question + one_answer)) == 3);
  CHECK(answers_seen(repeated(3, "<div class=faq>" + one_question + one_answer + "</div>")) == 3);
  CHECK(answers_seen("<h2>Questions</h2>" +
                     repeated(4, "<div>" + one_question + one_answer + "</div>")) == 4);
  const std::string unseen =
      "<div class=a style='visibility:hidden'><p>Because: " + hourly_prose + "</p></div>";
  CHECK(answers_seen(repeated(3, "<div class=faq>" + one_question + unseen + "</div>")) == 3);
}

TEST_CASE("what is hidden below one title, or below none, is not seen") {
  CHECK(answers_seen(repeated(2, one_question + one_answer)) == 0);
  CHECK(answers_seen(one_question + repeated(4, one_answer)) == 0);
  CHECK(answers_seen(repeated(4, one_answer)) == 0);
  CHECK(answers_seen(
            repeated(4, "<p class=q>" + hourly_prose + hourly_prose + "</p>" + one_answer)) == 0);
  // Sections with a heading and more are no titles, and menus are no answers.
  CHECK(answers_seen(repeated(4, "<div class=q><h3>Tides</h3><p>Read on</p></div>" + one_answer)) ==
        0);
  CHECK(answers_seen(repeated(
            4, one_question + "<div class=a style='display:none'><a href=/a>Because of the tides "
                              "at the harbour</a></div>")) == 0);
  // Nor what was never to be read.
  CHECK(answers_seen(repeated(3, one_question +
                                     "<div class=a style='position:absolute;left:-9999px'><p>"
                                     "Because: " +
                                     hourly_prose + "</p></div>")) == 0);
}

TEST_CASE("a part before a line with a switch that is not open is seen") {
  const auto more = [](const std::string& state) {
    return "<div><a href='javascript:void(0)' role=button " + state + ">Read more</a></div>";
  };
  CHECK(answers_seen(one_answer + more("aria-expanded=false")) == 1);
  CHECK(answers_seen(one_answer + more("aria-expanded=true")) == 0);
  CHECK(answers_seen(one_answer + more("")) == 0);
  CHECK(answers_seen(one_answer + "<p>x</p>" + more("aria-expanded=false")) == 0);
  CHECK(answers_seen(one_answer + "<p aria-expanded=false>" + hourly_prose + hourly_prose +
                     hourly_prose + "</p>") == 0);
}
