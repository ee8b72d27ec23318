// What the parts of this source share: requests, answers, and the reading of JSON Feed beside that
// of RSS and Atom in sources/syndication.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::feeds {

using syndication::feed;
using syndication::feed_entry;
using syndication::feed_person;
using syndication::feed_text;

/// JSON Feed 1 and 1.1. Error: source_error if it is none.
[[nodiscard]] result<feed> read_json_feed(const http::response& answer);

plan_function plan_search, plan_headlines;
read_function read_search, read_headlines;

}  // namespace freshet::sources::feeds
