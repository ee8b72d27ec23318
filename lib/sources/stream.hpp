// How a source tells of posts as they are written: a WebSocket whose messages are read by a pure
// function, as answers are. What the archive keeps comes from here; nothing of it knows an archive.
#pragma once

#include <freshet/item.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// What one message says. Most say one thing or nothing.
struct news {
  std::vector<item> items;                    ///< new or changed: each replaces the one with its id
  std::vector<std::string> deleted;           ///< ids of items
  std::vector<std::string> lost_authors;      ///< ids of authors all of whose items must go
  std::vector<std::string> shut_authors;      ///< the same, and what they write later is not for us
  std::vector<std::string> reopened_authors;  ///< no longer so
  std::string cursor;                         ///< for plan(), to go on behind this; "" if unchanged
};

struct stream {
  /// The WebSocket to open (its url begins with ws:// or wss://; only headers count beside it), to
  /// go on behind `cursor`; "" is from now on. Error: source_auth_required.
  result<http::request> (*plan)(const settings&, std::string_view cursor);
  /// Error: source_error; the message is then passed over.
  result<news> (*read)(const settings&, std::string_view message);
  /// The request that says where the stream is, if that is elsewhere on some instances; null where
  /// the settings say it. plan()'s address is what its credentials are for.
  std::optional<http::request> (*plan_address)(const settings&) = nullptr;
  /// A WebSocket in place of plan()'s; "" where the answer names none.
  std::string (*read_address)(const http::response&) = nullptr;
};

}  // namespace freshet::sources
