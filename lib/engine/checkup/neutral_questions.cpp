// The words are such that every service has something on them, and that the sandbox knows.
#include "engine/checkup/neutral_questions.hpp"

#include <string_view>
#include <utility>

namespace freshet::detail {
namespace {

constexpr std::string_view word = "climate", other_word = "tides";

}  // namespace

question_kind kind_of_question(catalog::operation op) {
  constexpr std::pair<std::string_view, question_kind> kinds[] = {
      {"q", question_kind::words},         {"username", question_kind::handle},
      {"hashtag", question_kind::hashtag}, {"community", question_kind::community},
      {"id", question_kind::native},
  };
  const auto& of = catalog::find_endpoint(op);
  if (of.platform == "scrape") return question_kind::none;  // pages are nobody's service
  for (const auto& [parameter, kind] : kinds) {
    if (catalog::find_parameter(of, parameter) != nullptr) return kind;
  }
  return question_kind::nothing;
}

sources::call empty_question(catalog::operation op, time_point now) {
  sources::call made;
  made.op = op;
  made.now = now;
  return made;
}

std::vector<sources::call> neutral_questions(catalog::operation op, time_point now) {
  std::vector<sources::call> out;
  auto made = empty_question(op, now);
  switch (kind_of_question(op)) {
    case question_kind::words:
      for (const auto text : {word, other_word}) {
        auto q = query::parse_text_query(text);
        if (!q) continue;
        made.q = std::move(*q);
        out.push_back(made);
      }
      break;
    case question_kind::nothing:
      out.push_back(made);
      break;
    case question_kind::hashtag:
      for (const auto text : {other_word, word}) {
        made.hashtag = text;
        out.push_back(made);
      }
      break;
    case question_kind::community:
      made.community = "all";
      made.sort = "new";
      out.push_back(made);
      break;
    case question_kind::handle:
    case question_kind::native:
    case question_kind::none:
      break;
  }
  return out;
}

}  // namespace freshet::detail
