// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>

namespace freshet::sources::googlenews {

/// An edition of Google News: the language of the news and the country that it is made for.
struct edition {
  std::string lang;     ///< "en", "pt-BR"
  std::string country;  ///< "US"
};
/// The edition that a call asks for; that of the United States if it asks for none.
[[nodiscard]] edition edition_of(const call& call);

plan_function plan_search, plan_headlines;
read_function read_search, read_headlines;

}  // namespace freshet::sources::googlenews
