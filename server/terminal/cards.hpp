// Answers of calls as a person reads them: a short card for each item, and a line below with what
// the call gave, cost and took, and how it goes on.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <server/terminal/screen.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

/// How an answer came.
struct answer_way {
  std::chrono::milliseconds took;
  std::string_view server;  ///< the address; "" in this process
};

/// The envelope of a success as cards. Texts of others are made harmless and shortened; what is
/// whole is printed with --json.
[[nodiscard]] std::string cards_text(const boost::json::object& envelope, const answer_way& way,
                                     const screen& screen);

/// A problem document in a sentence or two, with what to do next.
[[nodiscard]] std::string problem_text(const boost::json::object& problem, const screen& screen);

}  // namespace freshet::server
